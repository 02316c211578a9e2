import { z } from 'zod';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { FUNDS_HOPS } from '../../questions/tracing/funds/funds-of.ts';
import { getTrace, getTraceResults } from '../../questions/tracing/trace-job/get-trace.ts';
import { previewTrace, startTrace } from '../../questions/tracing/trace-job/start-trace.ts';
import { CrossChainSwitch, LikelyMatchesSwitch } from '../bridge-fields.ts';
import { givenAddress } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { uuid } from '../schemas.ts';
import { TraceAcceptedSchema, TracePreviewSchema, TraceRecordSchema, TraceResultsSchema } from './trace-schemas.ts';

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
