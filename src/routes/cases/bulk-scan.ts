import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CASE_ROLES } from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { askerOf } from '../../http/access.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { ROW_TRACE_ADDRESSES } from '../../plans.ts';
import { getBulkScan } from '../../questions/cases/bulk-scan/get-bulk-scan.ts';
import { SKIP_REASONS } from '../../questions/cases/bulk-scan/select-addresses.ts';
import { startBulkScan } from '../../questions/cases/bulk-scan/start-bulk-scan.ts';
import { SUGGESTION_REASONS, suggestAddresses } from '../../questions/cases/suggest-addresses.ts';
import { address, Category, Direction, label, pageLimit, success } from '../fields.ts';
import { JobRecord, statusUrl } from '../scans/job-schemas.ts';
import { uuid } from '../schemas.ts';
import { CaseParams } from './case-schemas.ts';

const ADDRESSES_MAX = 1_000;

const BulkScanRequest = z
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
    trace: z
      .boolean()
      .default(false)
      .meta({ description: 'Then traces the money of the subjects (Pro): each address that is opened costs one scan' }),
  })
  .nullish()
  .transform((body) => body ?? { rescan: false, trace: false, address_ids: undefined });

const SkippedAddress = z
  .object({
    address_id: z.guid().describe('Id of the address within the case'),
    address,
    reason: z.enum(SKIP_REASONS).describe('Why it is left out'),
  })
  .meta({ id: 'SkippedAddress' });

const BulkScanAccepted = z
  .object({
    success,
    job_id: z.guid().describe('Id of the job'),
    selected: z.int().describe('Addresses that will be scanned'),
    skipped: z.array(SkippedAddress).describe('The others'),
    trace_addresses: z.int().meta({ description: 'Addresses that the traces may open at most' }),
    status_url: statusUrl,
  })
  .meta({ id: 'BulkScanAccepted' });

const Suggestion = z
  .object({
    chain: z.enum(CHAINS),
    address,
    of_address: address.describe('The subject whose money it is'),
    direction: Direction,
    hop: z.int().describe('Transfers between the subject and this address'),
    usd: z.number().describe('US dollars of the money of the subject'),
    share: z.number().describe("Part of that direction's money of the subject, 0 to 1"),
    why: z
      .enum(SUGGESTION_REASONS)
      .describe(
        '`labelled`: money came from or ended at this labelled address; `passed_through`: money went through it; ' +
          '`trace_ended`: money could not be followed beyond it',
      ),
    category: Category.nullable().describe('Of its best label; null without one'),
    label,
    role: z.enum(CASE_ROLES).describe('A role to add it with'),
  })
  .meta({ id: 'CaseSuggestion' });

const Suggestions = z
  .object({
    suggestions: z.array(Suggestion).describe('Largest share first'),
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
        access: 'key',
        cost: 'one scan per address',
        idempotent: true,
        example: { body: { rescan: false } },
      },
      schema: {
        operationId: 'startBulkScan',
        summary: 'Scan the addresses of a case',
        description:
          'As many as your plan and quota allow: subjects first, then unscanned ones, then by hop distance. Only scans ' +
          `that complete are billed. They appear in the case and not in GET /public/scans. Each scan reads at most ${ROW_TRACE_ADDRESSES} ` +
          'addresses behind its own; at the end all are scored again from everything that the job has read.',
        tags,
        params: CaseParams,
        body: BulkScanRequest,
        response: { 202: BulkScanAccepted, ...refusals(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const { address_ids: addressIds, rescan, trace } = request.body;
      const options = { addressIds, rescan, trace };
      return reply.code(202).send(await startBulkScan(ctx, tenantOf(request), request.params.case_id, options));
    },
  );

  app.get(
    '/cases/:case_id/bulk-scan/status',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getBulkScan',
        summary: 'Where the newest bulk scan of a case stands',
        description: '404 before the first one.',
        tags,
        params: CaseParams,
        response: { 200: JobRecord, ...refusals(404) },
      },
    },
    async (request) => getBulkScan(ctx, tenantOf(request), request.params.case_id),
  );

  app.get(
    '/cases/:case_id/suggestions',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'suggestCaseAddresses',
        summary: "Addresses on the way of the subjects' money that the case does not hold",
        description:
          'From what your scans and traces have read, largest share first; asks no chain. To add one, send its ' +
          '`address`, `chain`, `role`, and `hop` as `hop_distance`, to POST /cases/{case_id}/addresses.',
        tags,
        params: CaseParams,
        querystring: z.object({ limit: pageLimit({ max: 500, fallback: 50 }) }),
        response: { 200: Suggestions, ...refusals(404, 500) },
      },
    },
    async (request) => {
      const { params, query } = request;
      const tenant = tenantOf(request);
      return ctx.graphQuestions.ask(askerOf(request), (graph) =>
        suggestAddresses({ ...ctx, graph }, tenant, params.case_id, query.limit),
      );
    },
  );
}
