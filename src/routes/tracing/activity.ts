import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS, isEvmChain } from '../../domain/chain.ts';
import { frozenShape } from '../../domain/fields.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { frozenFields } from '../../labels/issuer-freezes.ts';
import { isActive } from '../../questions/activity.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { givenAddress } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';

export const ActivitySchema = z
  .object({
    address: z.string().describe('Canonical'),
    active_on: z.array(z.enum(CHAINS)).describe('Chains on which it has moved something, holds coin or is a contract'),
    chains: z
      .array(
        z.object({
          chain: z.enum(CHAINS),
          known: z
            .object({
              transfers: z.int().describe('With other addresses'),
              first_at: z.iso.datetime().describe('Time of the earliest'),
              last_at: z.iso.datetime().describe('Time of the latest'),
            })
            .nullable()
            .describe('Transfers that the graph holds; null where there are none'),
          balance: z.string().nullable().describe('Of the coin; null where no source says so within 3 seconds'),
          nonce: z.int().nullable().describe('Transactions sent (Bitcoin: all); null where the chain counts none'),
          is_contract: z.boolean().nullable().describe('Null where no source says so within 3 seconds'),
          ...frozenShape,
        }),
      )
      .describe('Every chain on which such an address can be'),
  })
  .meta({ id: 'AddressActivity' });

/** On which chains an address is in use. */
export async function activityRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/activity/:address',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getActivity',
        tags: ['Investigation'],
        summary: 'On which chains an address is in use',
        description:
          'An EVM address is the same on eight chains. Costs no scan: the graph and one request to each source are asked, for ' +
          '3 seconds at most. What a source says is kept for 10 minutes.',
        params: z.object({ address: givenAddress }),
        querystring: z.object({ chain: chainText.optional() }),
        response: { 200: ActivitySchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { chain, address } = parseAddress(request.params.address, request.query.chain);
      const active = await ctx.activity.of(chain, address, { account: tenantOf(request).accountId });
      const labels = (await ctx.labels.findOnAllChains([address])).get(address) ?? [];
      const chains = active.map((one) => {
        const own = labels.filter(
          (label) => label.chain === one.chain || (label.chain === 'evm' && isEvmChain(one.chain)),
        );
        return { ...one, ...frozenFields(own, ctx.now()) };
      });
      return { address, active_on: chains.filter(isActive).map((one) => one.chain), chains };
    },
  );
}
