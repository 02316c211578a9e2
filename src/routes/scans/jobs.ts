import { z } from 'zod';
import type { Context } from '../../context.ts';
import { InvalidInputError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { getJobResults } from '../../questions/jobs/get-job-results.ts';
import { getJob, listJobs } from '../../questions/jobs/job-record.ts';
import { retryJob } from '../../questions/jobs/retry-job.ts';
import { type NewRow, startBatch, startScanJob } from '../../questions/jobs/scan-jobs.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { CrossChainSwitch } from '../bridge-fields.ts';
import { givenAddress, pageLimit, pageOffset } from '../fields.ts';
import { uuid } from '../schemas.ts';
import {
  AsyncScanAcceptedSchema,
  BatchScanAcceptedSchema,
  JobRecordSchema,
  JobResultsSchema,
  LiveJobListSchema,
} from './job-schemas.ts';
import { chainText, FRESH, Lang, TraceSwitch } from './scan-schemas.ts';

/** Characters kept of an entry that is not an address. */
const REFUSED_CHARACTERS_MAX = 200;

/** One row for each entry of a batch; an entry that is not an address becomes a refused row with the reason. */
function parseBatch(entries: readonly (string | { address: string; chain?: string | null })[]): NewRow[] {
  return entries.map((entry) => {
    const { address, chain } = typeof entry === 'string' ? { address: entry } : entry;
    try {
      return { ...parseAddress(address, chain), refusal: null };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      return { chain: storable(chain), address: storable(address) ?? '', refusal: storable(error.message) };
    }
  });
}

/** A bounded text that PostgreSQL can store: without control characters and halves of surrogate pairs. */
function storable(text: string | null | undefined): string | null {
  return text?.slice(0, REFUSED_CHARACTERS_MAX).replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD') ?? null;
}

const AsyncInput = z.object({
  address: givenAddress,
  chain: chainText.nullish(),
  lang: Lang.nullish(),
  fresh: z.boolean().nullish().meta({ description: FRESH }),
  trace: TraceSwitch.nullish(),
  cross_chain: CrossChainSwitch.nullish(),
});
/** Longest mail address that mail servers take. */
const MAIL_LENGTH_MAX = 254;

const BatchInput = z.object({
  addresses: z
    .array(z.union([z.string(), z.object({ address: givenAddress, chain: chainText.nullish() })]))
    .describe('Addresses, with a chain where its form alone does not say it; at most the batch size of the plan'),
  include_ai_analysis: z.boolean().nullish().describe('Adds a summary for people to each row'),
  notify_email: z
    .email()
    .max(MAIL_LENGTH_MAX)
    .toLowerCase()
    .nullish()
    .describe(
      'Gets one mail when the job has ended, if its owner said yes to mails of the account; `email` says what holds',
    ),
  lang: Lang.nullish(),
  trace: TraceSwitch.nullish(),
  cross_chain: CrossChainSwitch.nullish(),
});
const params = z.object({ job_id: uuid.describe('Id of an asynchronous, batch or bulk scan') });

export async function jobRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/public/scan/async',
    {
      config: {
        access: 'key',
        rights: ['scan'],
        feature: 'asyncScan',
        cost: 'one scan',
        idempotent: true,
      },
      schema: {
        operationId: 'startScan',
        tags: ['Scanning'],
        summary: 'Scan one address in the background',
        description: 'For heavy addresses. Billed once and only on success.',
        body: AsyncInput,
        response: { 202: AsyncScanAcceptedSchema, ...refusals(400) },
      },
    },
    async (request, reply) => {
      reply.code(202);
      const { chain, address } = parseAddress(request.body.address, request.body.chain);
      const { lang, fresh, trace, cross_chain } = request.body;
      return startScanJob(ctx, tenantOf(request), {
        chain,
        address,
        lang: lang ?? 'en',
        fresh: fresh ?? false,
        trace: trace ?? 'on',
        crossChain: cross_chain ?? 'on',
      });
    },
  );

  api.post(
    '/public/scan/batch',
    {
      config: {
        access: 'key',
        rights: ['scan'],
        feature: 'batchSize',
        cost: 'one scan per address',
        idempotent: true,
      },
      schema: {
        operationId: 'startBatch',
        tags: ['Scanning'],
        summary: 'Scan many addresses in the background',
        description:
          'Refused up front when the quota cannot cover all addresses. Duplicates are scanned once; entries that are not an ' +
          'address become failed rows. `notify_email` gets a mail at the end where its owner wants it: the first time it gets a link to say so, valid 24 hours. The scans are listed in GET /public/scans and make ' +
          'the next one of the address free, as any other.',
        body: BatchInput,
        response: { 200: BatchScanAcceptedSchema, ...refusals(400) },
      },
    },
    async (request) => {
      const { addresses, include_ai_analysis, notify_email, lang, trace, cross_chain } = request.body;
      return startBatch(ctx, tenantOf(request), {
        rows: parseBatch(addresses),
        includeAiAnalysis: include_ai_analysis ?? false,
        trace: trace ?? 'on',
        crossChain: cross_chain ?? 'on',
        notifyEmail: notify_email ?? null,
        lang: lang ?? 'en',
      });
    },
  );

  api.get(
    '/public/jobs',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listJobs',
        tags: ['Scanning'],
        summary: 'Work of the account that waits or runs, of every kind',
        querystring: z.object({ limit: pageLimit({ max: 100, fallback: 20 }) }),
        response: { 200: LiveJobListSchema },
      },
    },
    async (request) => listJobs(ctx, tenantOf(request), request.query),
  );

  api.get(
    '/public/scan/:job_id',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getJob',
        tags: ['Scanning'],
        summary: 'Progress of an asynchronous, batch or bulk scan',
        params,
        response: { 200: JobRecordSchema, ...refusals(404) },
      },
    },
    async (request) => getJob(ctx, tenantOf(request), request.params.job_id),
  );

  api.get(
    '/public/scan/:job_id/results',
    {
      config: { views: 'rows', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getJobResults',
        tags: ['Scanning'],
        summary: 'Results of an asynchronous, batch or bulk scan',
        description: 'A page ends at 1 MiB: ask for the rest by `offset` until `next` is null.',
        params,
        querystring: z.object({ limit: pageLimit({ max: 500, fallback: 500 }), offset: pageOffset() }),
        response: { 200: JobResultsSchema, ...refusals(404) },
      },
    },
    async (request) => getJobResults(ctx, tenantOf(request), { jobId: request.params.job_id, ...request.query }),
  );

  api.post(
    '/public/scan/:job_id/retry',
    {
      config: { access: 'key', rights: ['scan'] },
      schema: {
        operationId: 'retryJob',
        tags: ['Scanning'],
        summary: 'Retry a stale or failed job, or the failed rows of a completed one',
        description:
          'Scans only what is missing; nothing is billed twice. A batch that had ended sends no second `batch.completed`.',
        params,
        response: { 202: JobRecordSchema, ...refusals(404, 409) },
      },
    },
    async (request, reply) => {
      reply.code(202);
      return retryJob(ctx, tenantOf(request), request.params.job_id);
    },
  );
}
