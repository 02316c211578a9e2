import { z } from 'zod';
import type { Context } from '../../context.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { SCAM_TYPES } from '../../domain/scam.ts';
import { LimitError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { countScams, getScam, listScams, lookUpScam, searchScams } from '../../questions/scamdb/find-entries.ts';
import { listOwnReports, reportScam } from '../../questions/scamdb/report-scam.ts';
import { pageLimit, pageOffset, success } from '../fields.ts';
import { shortText, uuid } from '../schemas.ts';
import {
  OwnReportsSchema,
  ScamEntrySchema,
  ScamLookupSchema,
  ScamPageSchema,
  ScamReportBody,
  ScamSearchSchema,
  ScamStatsSchema,
  severity,
} from './scamdb-schemas.ts';

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
