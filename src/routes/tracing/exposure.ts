import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ALL_TERMINAL_CATEGORIES, TerminalSchema } from '../../domain/tracing/answers.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { EXPOSURE_HOPS, getExposure } from '../../tracing/answers/get-exposure.ts';
import { getTerminals, TERMINAL_HOPS } from '../../tracing/answers/get-terminals.ts';
import { askGraph } from '../ask-graph.ts';
import { CrossChainSwitch, LikelyMatchesSwitch } from '../bridge-fields.ts';
import { GroupSwitch } from '../entity-fields.ts';
import { givenAddress, pageLimit, pageOffset } from '../fields.ts';
import { chainText, Lang } from '../scans/scan-schemas.ts';
import { wholeNumber } from '../schemas.ts';
import { ExposureSchema, TerminalsSchema } from './exposure-schemas.ts';
import { CypherSwitch, ENDS_BEFORE_START, endsAfterStart, spanQuery } from './tracing-fields.ts';

/** `exchange,bridge` in the query string; absent or empty means all. */
const terminalCategories = z
  .string()
  .default('')
  .meta({ description: `Some of \`${ALL_TERMINAL_CATEGORIES.join()}\`, comma-separated; left out: all` })
  .transform((text) => {
    const names = text.split(',').flatMap((name) => name.trim() || []);
    return names.length > 0 ? [...new Set(names)] : [...ALL_TERMINAL_CATEGORIES];
  })
  .pipe(z.array(TerminalSchema.shape.terminal_category));

/** Largest `limit` without a key. */
const KEYLESS_LIMIT = 200;

export async function exposureRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/exposure/:address',
    {
      config: {
        views: 'address',
        turn: 'waits',
        access: ctx.config.PUBLIC_EXPOSURE ? 'optional-key' : 'key',
        rights: ['read'],
      },
      schema: {
        operationId: 'getExposure',
        tags: ['Investigation'],
        summary: 'Where the money of an address came from and went to',
        params: z.object({ address: givenAddress }),
        querystring: z
          .object({
            chain: chainText.optional(),
            ...spanQuery,
            max_hops: wholeNumber({ min: 1, max: EXPOSURE_HOPS.max, fallback: EXPOSURE_HOPS.usual }).describe(
              'Transfers to go back and forth',
            ),
            patterns: z
              .enum(['on', 'off'])
              .default('on')
              .meta({ description: '`off` leaves out the search for laundering patterns' }),
            cross_chain: CrossChainSwitch.default('on'),
            likely_matches: LikelyMatchesSwitch.default('show'),
            group: GroupSwitch.default('address'),
            cypher: CypherSwitch.default('off'),
            lang: Lang.default('en').meta({ description: 'Of the texts of patterns and of the note' }),
            limit: wholeNumber({ min: 10, max: 1_000, fallback: 200 }).meta({
              description: 'Addresses opened for each hop; without a key 200 at most',
            }),
          })
          .refine(endsAfterStart, ENDS_BEFORE_START),
        response: { 200: ExposureSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { chain, address } = parseAddress(request.params.address, request.query.chain);
      const { max_hops: maxHops, limit, patterns, lang, from, to, group, ...query } = request.query;
      const { cross_chain: crossChain, likely_matches: likelyMatches } = query;
      const withPatterns = patterns === 'on';
      const cypher = query.cypher === 'on';
      if (cypher || group === 'entity') tenantOf(request);
      const asked = {
        chain,
        address,
        from,
        to,
        maxHops,
        group,
        limit: request.tenant ? limit : Math.min(limit, KEYLESS_LIMIT),
      };
      return askGraph(ctx, request, { crossChain, likelyMatches, cypher }, (inquiry) =>
        getExposure(inquiry, { ...asked, withPatterns, lang }),
      );
    },
  );

  api.get(
    '/exposure/:address/terminals',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['read'], feature: 'terminals' },
      schema: {
        operationId: 'getTerminals',
        tags: ['Investigation'],
        summary: 'The services at which the money of an address ended',
        params: z.object({ address: givenAddress }),
        querystring: z
          .object({
            chain: chainText.optional(),
            ...spanQuery,
            max_hops: wholeNumber({ min: 1, max: TERMINAL_HOPS.max, fallback: TERMINAL_HOPS.usual }).describe(
              'Transfers to go forth',
            ),
            categories: terminalCategories,
            cross_chain: CrossChainSwitch.default('on'),
            likely_matches: LikelyMatchesSwitch.default('show'),
            group: GroupSwitch.default('address'),
            cypher: CypherSwitch.default('off'),
            limit: pageLimit({ max: 100, fallback: 20 }),
            offset: pageOffset(100_000),
          })
          .refine(endsAfterStart, ENDS_BEFORE_START),
        response: { 200: TerminalsSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { chain, address } = parseAddress(request.params.address, request.query.chain);
      const { max_hops: maxHops, categories, limit, offset, from, to, group, ...query } = request.query;
      const { cross_chain: crossChain, likely_matches: likelyMatches } = query;
      const asked = { chain, address, from, to, maxHops, categories, limit, offset, group };
      return askGraph(ctx, request, { crossChain, likelyMatches, cypher: query.cypher === 'on' }, (inquiry) =>
        getTerminals(inquiry, asked),
      );
    },
  );
}
