import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS, isEvmChain } from '../../domain/chain.ts';
import { address, timestamp } from '../../domain/fields.ts';
import { SCAM_REPORT_STATUSES, SCAM_SEVERITIES, SCAM_TYPES } from '../../domain/scam.ts';
import { normalDomain } from '../../domain/text/domain-name.ts';
import { LimitError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import {
  countScams,
  getScam,
  listOwnReports,
  listScams,
  lookUpScam,
  reportScam,
  searchScams,
} from '../../questions/scamdb.ts';
import { givenAddress, limit, offset, pageLimit, pageOffset, success, total } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { longText, shortText, uuid } from '../schemas.ts';

const DESCRIPTION_LENGTH_MAX = 2_000;
const URL_LENGTH_MAX = 2_048;
const DOMAINS_MAX = 20;
const STOLEN_USD_MAX = 1e12;

const type = z.enum(SCAM_TYPES).meta({ id: 'ScamType', description: 'Kind of scam' });
/** Any case, as the level names of other answers are upper case and people type lower. */
const severity = z.preprocess(
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  z.enum(SCAM_SEVERITIES),
);

const HistoryEntry = z
  .object({
    at: timestamp.describe('When'),
    action: z.enum(['listed', 'delisted', 'verified', 'rejected']).describe('What the source did'),
    source: z.string().describe('List or report'),
    reason: z.string().nullable().describe('Why, in the words of the operator; null without any'),
  })
  .meta({ id: 'ScamHistoryEntry' });

export const ScamEntrySchema = z
  .object({
    id: z.guid().describe('Id of the entry'),
    address,
    chains: z.array(z.enum(CHAINS)).describe('Where it is listed; an EVM address may be on all EVM chains'),
    type,
    severity: z.enum(SCAM_SEVERITIES).describe('By kind, or CRITICAL from a million US dollars stolen'),
    domains: z.array(z.string()).meta({ description: 'At most 100 of `domain_count`' }),
    domain_count: z.int().describe('Domains in all'),
    method: z.string().describe('How the scam works, as its sources say; empty where none does'),
    total_stolen_usd: z.number().describe('US dollars, as verified reports state them; 0 where none does'),
    verified: z.boolean().meta({ description: 'False once no list and no verified report names the address' }),
    sources: z.array(z.string()).describe('Lists and reports that name it'),
    first_seen: timestamp.describe('When a source first named it'),
    last_seen: timestamp.meta({ description: 'When a source last came, went or said otherwise' }),
    history: z.array(HistoryEntry).describe('What became of it, oldest first'),
  })
  .meta({ id: 'ScamEntry', description: 'An address that is listed as a scam' });

export const ScamLookupSchema = z
  .object({
    found: z.boolean().describe('Whether it is listed'),
    entry: ScamEntrySchema.nullable().describe(
      'Null where it is not listed, and where lists name the domain without an address',
    ),
    match_type: z
      .enum(['exact', 'normalized', 'domain'])
      .nullable()
      .describe('`normalized`: given in another form than the listed one; `domain`: by domain or URL'),
    domain: z
      .object({
        name: z.string().describe('The listed domain: the one that was asked for, or one above it'),
        sources: z.array(z.string()).describe('Lists that name it'),
      })
      .optional()
      .describe('A domain that lists name without an address; left out for any other answer'),
  })
  .meta({ id: 'ScamLookup' });

export const ScamPageSchema = z
  .object({ entries: z.array(ScamEntrySchema).describe('Newest first'), total, limit, offset })
  .meta({ id: 'ScamPage' });

export const ScamSearchSchema = z
  .object({
    results: z.array(ScamEntrySchema).describe('Entries that hold every word'),
    total,
    query: z.string().describe('The words that were looked for'),
  })
  .meta({ id: 'ScamSearch' });

const counts = z.record(z.string(), z.int().describe('Verified entries'));
export const ScamStatsSchema = z
  .object({
    total_entries: z.int().describe('All entries, also those that are no longer listed'),
    verified_entries: z.int().describe('Entries that are listed now'),
    by_type: counts.describe('By kind of scam'),
    by_severity: counts.describe('By severity'),
    by_chain: counts.meta({ description: 'An EVM address that is listed for all EVM chains counts on each' }),
    total_stolen_usd: z.number().describe('US dollars, of the verified entries'),
    updated_at: timestamp.nullable().describe('When an entry last changed; null without any'),
  })
  .meta({ id: 'ScamStats' });

const domain = z
  .string()
  .refine((text) => normalDomain(text) !== null, 'Input should be a valid domain')
  .transform((text) => normalDomain(text)!);

const ScamReportBody = z.object({
  address: givenAddress,
  chain: chainText.nullish().describe('Left out: detected from the address; of an EVM address all EVM chains'),
  type,
  description: longText(DESCRIPTION_LENGTH_MAX).trim().min(1).describe('What happened, in your own words'),
  domains: z.array(domain).max(DOMAINS_MAX).nullish().describe('Domains or URLs that belong to it'),
  evidence_url: z
    .url({ protocol: /^https?$/ })
    .max(URL_LENGTH_MAX)
    .nullish()
    .describe('Where evidence can be read'),
  stolen_usd: z.number().min(0).max(STOLEN_USD_MAX).nullish().describe('US dollars that were lost, as far as known'),
});

const OwnReport = z
  .object({
    report_id: z.guid().describe('As POST /scamdb/report gave it'),
    address,
    chain: z.union([z.enum(CHAINS), z.literal('evm')]).describe('`evm`: all EVM chains'),
    type,
    description: z.string().describe('As you wrote it'),
    status: z.enum(SCAM_REPORT_STATUSES).describe('`verified`: the scam database names the address'),
    created_at: timestamp.describe('When you sent it'),
    decided_at: timestamp.nullable().describe('When the operator decided; null while it is pending'),
    decision_reason: z.string().nullable().describe('Why, in the words of the operator; null without any'),
  })
  .meta({ id: 'ScamReport', description: 'A report of yours and what became of it' });

const OwnReportsSchema = z
  .object({ reports: z.array(OwnReport).describe('Newest first'), total, limit, offset })
  .meta({ id: 'ScamReportPage' });

const tags = ['Scam database'];
const page = { limit: pageLimit({ max: 100, fallback: 20 }), offset: pageOffset() };
const QUERY_LENGTH_MAX = 200;

export async function scamdbRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/scamdb/lookup/:address',
    {
      config: { access: 'ip' },
      schema: {
        operationId: 'lookUpScam',
        tags,
        summary: 'Is an address, or a domain, listed as a scam',
        description:
          '`match_type`: `exact`; `normalized` when the address was given in another form; `domain` for a domain or ' +
          'URL (percent-encoded), also below a listed one.',
        params: z.object({ address: z.string().describe('Address, domain or URL') }),
        response: { 200: ScamLookupSchema, ...refusals(400) },
      },
    },
    async (request) => lookUpScam(ctx, request.params.address),
  );

  api.get(
    '/scamdb/entries',
    {
      config: { access: 'ip' },
      schema: {
        operationId: 'listScams',
        tags,
        summary: 'Verified entries, newest first',
        querystring: z.object({
          ...page,
          type: z.enum(SCAM_TYPES).optional().describe('Entries of this kind alone'),
          severity: severity.optional().describe('Entries of this severity alone; any case'),
        }),
        response: { 200: ScamPageSchema },
      },
    },
    async (request) => {
      const { limit, offset, ...filter } = request.query;
      return listScams(ctx, filter, { limit, offset });
    },
  );

  api.get(
    '/scamdb/entries/:scam_id',
    {
      config: { access: 'ip' },
      schema: {
        operationId: 'getScam',
        tags,
        summary: 'One entry, also one that is no longer listed (`verified: false`), with its history',
        params: z.object({ scam_id: uuid.describe('Id of the entry') }),
        response: { 200: ScamEntrySchema, ...refusals(404) },
      },
    },
    async (request) => getScam(ctx, request.params.scam_id),
  );

  api.get(
    '/scamdb/stats',
    {
      config: { access: 'ip' },
      schema: { operationId: 'countScams', tags, summary: 'How much is listed', response: { 200: ScamStatsSchema } },
    },
    async () => countScams(ctx),
  );

  api.get(
    '/scamdb/search',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'searchScams',
        tags,
        summary: 'Full-text search over addresses, methods, sources and domains',
        description: 'Every word of `q` has to occur, anywhere and in any case; words of one or two characters too.',
        querystring: z.object({ q: shortText(QUERY_LENGTH_MAX).describe('Words to look for'), ...page }),
        response: { 200: ScamSearchSchema },
      },
    },
    async (request) => {
      const { q, limit, offset } = request.query;
      return searchScams(ctx, q, { limit, offset });
    },
  );

  api.post(
    '/scamdb/report',
    {
      config: {
        access: 'key',
        rights: ['cases'],
        idempotent: true,
      },
      schema: {
        operationId: 'reportScam',
        tags,
        summary: 'Report a scam',
        description: 'Kept apart until the operator verifies it: a pending report changes no answer.',
        body: ScamReportBody,
        response: {
          201: z
            .object({
              success,
              report_id: z.guid().describe('Names the report in GET /scamdb/reports'),
              status: z.literal('pending').describe('It waits for a decision of the operator'),
            })
            .meta({ id: 'ScamReportAccepted' }),
          ...refusals(400, new LimitError('50 reports waiting for a decision')),
        },
      },
    },
    async (request, reply) => {
      reply.code(201);
      const { chain, address } = parseAddress(request.body.address, request.body.chain);
      // Without a chain, the report of an EVM address speaks of all EVM chains.
      const isNamed = Boolean(request.body.chain?.trim());
      const reported = isEvmChain(chain) && !isNamed ? 'evm' : chain;
      return reportScam(ctx, tenantOf(request), { ...request.body, chain: reported, address });
    },
  );

  api.get(
    '/scamdb/reports',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listScamReports',
        tags,
        summary: 'What became of your reports',
        querystring: z.object(page),
        response: { 200: OwnReportsSchema },
      },
    },
    async (request) => listOwnReports(ctx, tenantOf(request).accountId, request.query),
  );
}
