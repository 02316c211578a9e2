import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { ClaimedLabelSchema } from '../../domain/claimed-label.ts';
import { address, asset, CategorySchema, label, timestamp } from '../../domain/fields.ts';
import { callerOf } from '../../http/access.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { openOwnLabels } from '../../labels/own-labels.ts';
import { entityOf, getEntity } from '../../questions/graph/entities.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { readByAccount } from '../../tracing/read/inquiry.ts';
import { MembershipBasisSchema } from '../entity-fields.ts';
import { givenAddress, limit, offset, pageLimit, pageOffset, total } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { flag } from '../schemas.ts';

const MembershipSchema = z
  .object({
    basis: MembershipBasisSchema,
    tx_hash: z.string().nullable().describe('The earliest transaction that proves it; null for what a list says'),
    at: z.iso.datetime().nullable().describe('Its time'),
    confidence: z.number().nullable().describe('1 where a key proves it; null where the rule is not measured'),
  })
  .meta({ id: 'EntityMembership' });

const ownLabels = z
  .array(ClaimedLabelSchema)
  .optional()
  .describe('What your account calls its holder; left out where nothing');

const moment = z.iso.datetime().nullable();

const EntitySummarySchema = z
  .object({
    id: z.string().describe('The smallest `<chain>:<address>` of its members; a former id leads to the entity of now'),
    name: z.string().nullable().describe('What sure labels call most of its labelled members; null without one'),
    category: CategorySchema,
    basis: MembershipBasisSchema.describe('The weakest link that holds all members together'),
    size: z.int().describe('Number of members'),
    overgrown: z
      .boolean()
      .describe('True beyond 100,000 members or with two services: strangers were joined, so take it for nothing'),
    chains: z.array(z.enum(CHAINS)).describe('Of its members'),
    first_seen_at: moment.describe('Time of the earliest transfer of a member'),
    last_seen_at: moment.describe('Time of the latest transfer of a member'),
    own_labels: z
      .array(ClaimedLabelSchema.extend({ chain: z.enum(CHAINS), address }).meta({ id: 'ClaimedLabelOfMember' }))
      .optional()
      .describe('What your account calls it or a member, newest first, at most 100; left out where nothing'),
  })
  .meta({ id: 'EntitySummary' });

const traffic = z
  .object({
    usd: z.number().describe('Of the priced ones'),
    transfers: z.int().describe('Number of transfers'),
    unpriced: z.int().describe('Those of them without a price'),
  })
  .meta({ id: 'EntityTraffic' })
  .nullable();

export const EntitySchema = EntitySummarySchema.extend({
  received: traffic.describe('From others, without what its members pay each other; null where it is overgrown'),
  sent: traffic.describe('To others, without what its members pay each other; null where it is overgrown'),
  balances: z
    .array(
      z
        .object({
          chain: z.enum(CHAINS),
          asset,
          amount: z.string().describe('Exact decimal'),
          addresses: z.int().describe('Members of which the chain stated one'),
          first_at: timestamp.describe('The oldest of these statements'),
          last_at: timestamp.describe('The newest of them: what came or went later is not in it'),
        })
        .meta({ id: 'EntityBalance', description: 'The sum of what the chain said that members hold of an asset' }),
    )
    .nullable()
    .describe('Of members that your account has read, of 10,000 at most; null where it is overgrown'),
  members: z
    .array(
      z
        .object({ address, chain: z.enum(CHAINS), label, category: CategorySchema, own_labels: ownLabels })
        .extend(MembershipSchema.shape)
        .meta({ id: 'EntityMember' }),
    )
    .describe('In the order of their chains and addresses'),
  total,
  limit,
  offset,
}).meta({ id: 'Entity' });

const ImportedClusterSchema = z
  .object({
    basis: z.literal('imported').describe('Others computed it; no transaction that proves it is known'),
    source: z.string().describe('The file that was loaded'),
    day: z.iso.date().describe('The day of the file'),
    cluster: z.string().nullable().describe('Id in the file; null where the file does not hold the address'),
    size: z.int().describe('Number of addresses in the cluster'),
    members: z.array(z.string()).describe('The first of them, at most 100'),
  })
  .meta({ id: 'ImportedCluster' })
  .optional()
  .describe('Its cluster in what `traceflow load clusters` loaded; left out where nothing was loaded for the chain');

const DepositSchema = z
  .object({
    basis: z.literal('deposit').describe('All that leaves goes to one service, whose own wallets pay the gas'),
    service: z.string().describe('Name of the service'),
    category: CategorySchema,
    address: address.describe('Wallet of the service that got the first payment'),
    chain: z.enum(CHAINS),
    tx_hash: z.string().describe('The first payment to the service'),
    at: z.iso.datetime().nullable().describe('Its time'),
    payers: z.int().describe('Number of addresses that paid in, two at least'),
  })
  .meta({ id: 'DepositAddress' })
  .optional()
  .describe(
    'The service whose deposit address it is, for display: no level rests on it, and no trace ends at it; left out without one',
  );

export const EntityOfSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    entity: EntitySummarySchema.nullable().describe('Null where the graph knows of no other address of the holder'),
    membership: MembershipSchema.nullable().describe('Why the address belongs to it'),
    imported: ImportedClusterSchema,
    deposit: DepositSchema,
    own_labels: ownLabels,
  })
  .meta({ id: 'EntityOfAddress' });

const changeSwitch = flag.describe(
  'Whether addresses count that only signs call the change of a member: less sure, and never a part of a level',
);

/** Holders of several addresses. */
export async function entityRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/entity-of/:address',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getEntityOf',
        tags: ['Investigation'],
        summary: 'Which entity holds an address, and why',
        description: 'An entity is a holder of several addresses. The graph knows what scans have read; costs no scan.',
        params: z.object({ address: givenAddress }),
        querystring: z.object({ chain: chainText.optional(), change: changeSwitch }),
        response: { 200: EntityOfSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const asked = { ...parseAddress(request.params.address, request.query.chain), change: request.query.change };
      const own = await openOwnLabels(ctx, tenantOf(request).accountId);
      const { config } = ctx;
      return ctx.graphQuestions.ask(callerOf(request), (graph) => entityOf({ graph, config }, own, asked));
    },
  );

  api.get(
    '/graph/entities/:id',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getEntity',
        tags: ['Investigation'],
        summary: 'An entity with its members and the reason for each',
        description: 'Sums leave out what its members pay each other. A former id gives the entity of now.',
        params: z.object({ id: z.string().describe('As `/graph/entity-of/{address}` gives it') }),
        querystring: z.object({
          limit: pageLimit({ max: 500, fallback: 50 }),
          offset: pageOffset(),
          change: changeSwitch,
        }),
        response: { 200: EntitySchema, ...refusals(404, 500) },
      },
    },
    async (request) => {
      const asked = { id: request.params.id, ...request.query };
      const { accountId } = tenantOf(request);
      const own = await openOwnLabels(ctx, accountId);
      const readBy = readByAccount(ctx.records, accountId);
      return ctx.graphQuestions.ask(callerOf(request), (graph) => getEntity({ graph, readBy }, own, asked));
    },
  );
}
