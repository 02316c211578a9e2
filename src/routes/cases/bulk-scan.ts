import { z } from 'zod';
import type { Context } from '../../context.ts';
import { address } from '../../domain/fields.ts';
import { SuggestionSchema } from '../../domain/tracing/answers.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { ROW_TRACE_ADDRESSES } from '../../plans.ts';
import { getBulkScan, SKIP_REASONS, startBulkScan } from '../../questions/cases/start-bulk-scan.ts';
import { suggestAddresses } from '../../questions/cases/suggest-addresses.ts';
import { askGraph } from '../ask-graph.ts';
import { GroupSwitch } from '../entity-fields.ts';
import { pageLimit, success } from '../fields.ts';
import { JobRecordSchema, statusUrl } from '../scans/job-schemas.ts';
import { CaseParams, uuid } from '../schemas.ts';

const ADDRESSES_MAX = 1_000;

const BulkScanBody = z
  .object({
    address_ids: z
      .array(uuid)
      .min(1)
      .max(ADDRESSES_MAX)
      .optional()
      .meta({ description: 'Left out: all addresses of the case' }),
    rescan: z
      .boolean()
      .default(false)
      .meta({ description: 'Also scans what you have scanned before, from the chain and at full cost' }),
    trace: z.boolean().default(false).meta({
      description:
        'Then traces the money of the subjects (Pro), also where all were scanned before: each address that is opened costs one scan',
    }),
  })
  .nullish()
  .transform((body) => body ?? { rescan: false, trace: false, address_ids: undefined });

const SkippedAddressSchema = z
  .object({
    address_id: z.guid().describe('Id of the address within the case'),
    address,
    reason: z.enum(SKIP_REASONS).describe('Why it is left out'),
  })
  .meta({ id: 'SkippedAddress' });

export const BulkScanAcceptedSchema = z
  .object({
    success,
    job_id: z.guid().describe('Id of the job'),
    selected: z.int().describe('Addresses that will be scanned'),
    skipped: z.array(SkippedAddressSchema).describe('The others'),
    trace_addresses: z.int().meta({ description: 'Addresses that the traces may open at most' }),
    status_url: statusUrl,
  })
  .meta({ id: 'BulkScanAccepted' });

export const SuggestionsSchema = z
  .object({
    suggestions: z
      .array(SuggestionSchema)
      .describe('The ends of the money, then what it went through; largest share first'),
    total: z.int().describe('How many there are, shown or not'),
    truncated: z.boolean().meta({ description: 'True where time or the number of subjects left some out' }),
  })
  .meta({ id: 'CaseSuggestions' });

const tags = ['Cases'];

export async function bulkScanRoutes(app: App, ctx: Context): Promise<void> {
  app.post(
    '/cases/:case_id/bulk-scan',
    {
      config: {
        turn: 'waits',
        access: 'key',
        rights: ['cases', 'scan'],
        feature: 'bulkSize',
        cost: 'one scan per address',
        idempotent: true,
      },
      schema: {
        operationId: 'startBulkScan',
        summary: 'Scan the addresses of a case',
        description:
          'As many as your plan and quota allow: subjects first, then unscanned ones, then by hop distance. Only scans ' +
          `that complete are billed. They appear in the case and not in GET /public/scans. Each scan reads at most ${ROW_TRACE_ADDRESSES} ` +
          'addresses behind its own; at the end all are scored again from everything that the job has read. ' +
          'GET /public/scan/{job_id}/results names why an address failed.',
        tags,
        params: CaseParams,
        body: BulkScanBody,
        response: { 202: BulkScanAcceptedSchema, ...refusals(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const { address_ids: addressIds, rescan, trace } = request.body;
      const options = { addressIds, rescan, trace };
      reply.code(202);
      return startBulkScan(ctx, tenantOf(request), request.params.case_id, options);
    },
  );

  app.get(
    '/cases/:case_id/bulk-scan/status',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getBulkScan',
        summary: 'Progress of the newest bulk scan of a case',
        description: '404 before the first one.',
        tags,
        params: CaseParams,
        response: { 200: JobRecordSchema, ...refusals(404) },
      },
    },
    async (request) => getBulkScan(ctx, tenantOf(request), request.params.case_id),
  );

  app.get(
    '/cases/:case_id/suggestions',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'suggestCaseAddresses',
        summary: "Addresses on the way of the subjects' money that the case does not hold",
        description:
          'From what your scans and traces have read, all subjects as one party, ends of the money first; asks no chain. To add one, send its ' +
          '`address`, `chain`, `role`, `label`, and `hop` as `hop_distance`, to POST /cases/{case_id}/addresses.',
        tags,
        params: CaseParams,
        querystring: z.object({
          limit: pageLimit({ max: 500, fallback: 50 }),
          group: GroupSwitch.default('address'),
        }),
        response: { 200: SuggestionsSchema, ...refusals(404, 500) },
      },
    },
    async (request) => {
      const { params, query } = request;
      const tenant = tenantOf(request);
      return askGraph(ctx, request, {}, (inquiry) => suggestAddresses(inquiry, tenant, params.case_id, query));
    },
  );
}
