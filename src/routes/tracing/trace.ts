import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, DirectionSchema } from '../../domain/fields.ts';
import { FrontierSchema, SharesSchema } from '../../domain/tracing/answers.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { getTrace, getTraceResults, previewTrace, startTrace } from '../../questions/jobs/start-trace.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { FUNDS_HOPS } from '../../tracing/answers/funds/funds-of.ts';
import { CrossChainSwitch, LikelyMatchesSwitch } from '../bridge-fields.ts';
import { givenAddress } from '../fields.ts';
import { AsyncScanAcceptedSchema, JobRecordSchema } from '../scans/job-schemas.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { uuid } from '../schemas.ts';
import { ExposureSchema, TerminalsSchema } from './exposure-schemas.ts';
import { FundsSchema } from './funds-schemas.ts';

const TraceAcceptedSchema = AsyncScanAcceptedSchema.meta({ id: 'TraceAccepted' });

const TracePreviewSchema = z
  .object({
    frontier: FrontierSchema,
    to_read_at_least: z.int().meta({ description: 'Addresses that the trace would open now; behind them may be more' }),
  })
  .meta({ id: 'TracePreview' });

export const TraceRecordSchema = JobRecordSchema.extend({
  addresses_read: z.int().describe('Addresses that were opened so far'),
  attributed: SharesSchema.describe('Part of the money that has a labelled end, 0 to 1'),
  through_unread: SharesSchema.describe('Part with a known end that passed addresses not read meanwhile, 0 to 1'),
  frontier: FrontierSchema,
  reasons: z
    .array(z.string())
    .meta({ description: 'What the trace has not seen so far, or why it ended although there may be more to read' }),
}).meta({ id: 'Trace', description: 'A trace as a job, with what it has found so far' });

const OpenedAddressSchema = z
  .object({
    address,
    chain: z.enum(CHAINS).optional().describe('Not the chain of the request where the money crossed a bridge'),
    hop: z.int().describe('Transfers between the traced address and this one'),
    direction: DirectionSchema,
    usd: z.number().describe('Money of the traced address that it held or passed on, in US dollars'),
    transfers: z.int().describe('Transfers read of it; 0 where an earlier reading served'),
    complete: z.boolean().describe('Whether its history was read to the end'),
    reason: z.string().nullable().describe('Why it was not opened, or not to its end; null otherwise'),
  })
  .meta({ id: 'OpenedAddress', description: 'An address that a trace opened, or could not open' });

export const TraceResultsSchema = z
  .object({
    job_id: z.guid().describe('Id of the trace'),
    address: address.describe('The traced address'),
    chain: z.enum(CHAINS),
    funds: z
      .object({
        received: FundsSchema.nullable().describe('Null where it was not traced'),
        sent: FundsSchema.nullable().describe('Null where it was not traced'),
      })
      .meta({ id: 'TracedFunds' })
      .nullable()
      .describe('The account of the money, as far as the trace went; null until it has ended'),
    exposure: ExposureSchema.nullable().describe('Null until the trace has ended'),
    terminals: TerminalsSchema.nullable()
      .optional()
      .describe('Where the plan has them; null until the trace has ended'),
    addresses: z.array(OpenedAddressSchema).describe('In the order in which they were opened'),
    sources_failed: z.array(z.string()).meta({ description: 'Addresses that their source failed to give' }),
  })
  .meta({ id: 'TraceResults' });

const TraceRequest = z.object({
  address: givenAddress,
  chain: chainText.nullish(),
  direction: z.enum(['received', 'sent', 'both']).default('both').describe('Where money came from, went to, or both'),
  max_hops: z.int().min(1).max(FUNDS_HOPS.max).default(FUNDS_HOPS.usual).describe('How many steps away it looks'),
  max_addresses: z.int().min(1).default(25).meta({ description: 'Each address that is opened costs one scan' }),
  min_share: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .meta({ description: "Addresses that hold less of their direction's money are not opened" }),
  min_usd: z.number().min(0).default(0).describe('Addresses that hold less of the money in US dollars are not opened'),
  cross_chain: CrossChainSwitch.default('on'),
  likely_matches: LikelyMatchesSwitch.default('show'),
  dry_run: z.boolean().default(false).meta({ description: 'Only says what would be read; 10 a minute, free' }),
});
const params = z.object({ job_id: uuid.describe('From POST /graph/trace') });

export async function traceRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/graph/trace',
    {
      config: {
        turn: 'waits',
        access: 'key',
        rights: ['scan'],
        feature: 'traceAddresses',
        cost: 'one scan per address',
        idempotent: true,
      },
      schema: {
        operationId: 'startTrace',
        tags: ['Investigation'],
        summary: 'Follow the money of an address by reading what the graph is missing',
        description:
          'Opens the addresses that hold most of the money, best first, until nothing worth opening is left or a budget ' +
          'is used up, at most 15 minutes. The same trace while it runs is joined and costs nothing.',
        body: TraceRequest,
        response: { 200: TracePreviewSchema, 202: TraceAcceptedSchema, ...refusals(400) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const tenant = tenantOf(request);
      const { chain, address } = parseAddress(body.address, body.chain);
      const input = {
        chain,
        address,
        direction: body.direction,
        maxHops: body.max_hops,
        maxAddresses: body.max_addresses,
        minShare: body.min_share,
        minUsd: body.min_usd,
        crossChain: body.cross_chain,
        likelyMatches: body.likely_matches,
      };
      if (body.dry_run) return reply.code(200).send(await previewTrace(ctx, tenant, input));
      reply.code(202);
      return startTrace(ctx, tenant, input);
    },
  );

  api.get(
    '/graph/trace/:job_id',
    {
      config: { access: 'key', rights: ['read'], feature: 'traceAddresses' },
      schema: {
        operationId: 'getTrace',
        tags: ['Investigation'],
        summary: 'Progress of a trace',
        params,
        response: { 200: TraceRecordSchema, ...refusals(404) },
      },
    },
    async (request) => getTrace(ctx, tenantOf(request), request.params.job_id),
  );

  api.get(
    '/graph/trace/:job_id/results',
    {
      config: { access: 'key', rights: ['read'], feature: 'traceAddresses' },
      schema: {
        operationId: 'getTraceResults',
        tags: ['Investigation'],
        summary: 'What a trace has found',
        description: '`funds`, `exposure` and `terminals` are null until the trace has ended.',
        params,
        response: { 200: TraceResultsSchema, ...refusals(404) },
      },
    },
    async (request) => getTraceResults(ctx, tenantOf(request), request.params.job_id),
  );
}
