import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { ClaimedLabelSchema } from '../../domain/claimed-label.ts';
import { address, CategorySchema, label } from '../../domain/fields.ts';
import { entityFields } from '../../domain/tracing/answers.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { HISTORY_STATES, listCounterparties } from '../../questions/graph/list-counterparties.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { askGraph } from '../ask-graph.ts';
import { entity, GroupSwitch } from '../entity-fields.ts';
import { givenAddress, limit, pageOffset, total } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { shortText, wholeNumber } from '../schemas.ts';
import { DealingsSchema } from './graph-schemas.ts';

const read = z
  .boolean()
  .describe('Whether your account has read its history; of others the graph holds only what it met on the way');

const state = z
  .enum(HISTORY_STATES)
  .describe('`partial`: read from one payment on or up to a bound, so that sums and counts may be too small');

export const GraphCounterpartiesSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    label,
    category: CategorySchema,
    read,
    state,
    counterparties: z
      .array(
        DealingsSchema.extend({
          address,
          label,
          category: CategorySchema,
          ...entityFields,
          address_count: z
            .int()
            .optional()
            .describe('With `group=entity`: how many addresses of the holder it is; `address` is one of them'),
          read,
          state,
          own_labels: z
            .array(ClaimedLabelSchema)
            .optional()
            .describe('What your account says of it itself; left out where nothing'),
        }).meta({
          id: 'GraphCounterparty',
        }),
      )
      .describe('In the `order` that was asked for'),
    total,
    limit,
    truncated: z.boolean().describe('True where there are more than are shown'),
    entity,
  })
  .meta({ id: 'GraphCounterparties' });

export async function counterpartyRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/counterparties/:address',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listGraphCounterparties',
        tags: ['Investigation'],
        summary: 'Counterparties of an address, as far as the graph knows',
        description: 'One step of the graph in both directions, with the sums and the largest transaction of each.',
        params: z.object({ address: givenAddress }),
        querystring: z.object({
          chain: chainText.optional(),
          group: GroupSwitch.default('address'),
          limit: wholeNumber({ min: 1, max: 500, fallback: 50 }).describe('Counterparties of the answer at most'),
          offset: pageOffset(),
          order: z
            .enum(['value', 'latest', 'name', 'category'])
            .default('value')
            .describe(
              '`value`: the most valuable first; `latest`: the last one dealt with first; `name`: those with a label, or with `group=entity` a holder, of a name first, by name; `category`: the gravest category first',
            ),
          search: shortText(100)
            .optional()
            .describe(
              'Only those with this text in their address, their label, your own labels of them or, with `group=entity`, the name of their holder; `total` counts them',
            ),
        }),
        response: { 200: GraphCounterpartiesSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { chain, address } = parseAddress(request.params.address, request.query.chain);
      const { chain: _, ...page } = request.query;
      return askGraph(ctx, request, {}, (inquiry) => listCounterparties(inquiry, { chain, address, ...page }));
    },
  );
}
