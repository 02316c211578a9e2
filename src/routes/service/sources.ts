import { z } from 'zod';
import { termsOf } from '../../../graph-loaders/sources.ts';
import type { Context } from '../../context.ts';
import { CHAINS, type Chain } from '../../domain/chain.ts';
import { timestamp } from '../../domain/fields.ts';
import { LIST_GAPS } from '../../domain/label.ts';
import { DAY_MS, iso, MINUTE_MS } from '../../domain/time.ts';
import { labelledShare } from '../../domain/transfers/flow.ts';
import { tenantOf } from '../../http/auth.ts';
import { publicHost } from '../../http/public-host.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { LabelListSchema } from '../../labels/label-lists.ts';
import { isUrl } from '../../outbound/places.ts';
import { OUTBOUND_PROBLEMS } from '../../outbound/use.ts';
import {
  type CheckedSource,
  checkSources,
  configuredSources,
  describeKeptLists,
  describePrices,
  type ShownList,
} from '../../questions/check-sources.ts';
import { readerOf } from '../../records/database/database.ts';
import { sumMoved } from '../../records/scans/scans.ts';

const ProblemSchema = z.enum(OUTBOUND_PROBLEMS).meta({
  id: 'SourceProblem',
  description:
    '`no_answer`: no connection, or no answer in time; `server_error`: HTTP 5xx; `other_network`: it serves another chain; ' +
    '`unusable_answer`: it answers something else than its kind of source does. The log of the service says more.',
});

const publicHostText = z.string().nullable().describe("Host of a public service; null for one of the operator's own");
const configured = {
  chain: z.enum(CHAINS),
  setting: z.string().describe('The setting that names it'),
  host: publicHostText,
  requests_per_second: z.number().nullable().describe('As set, else as published; null where neither is known'),
};
const UsedSourceSchema = z
  .object({
    ...configured,
    last_success_at: timestamp.nullable().describe('When a source of its chain last answered this process'),
    last_failure_at: timestamp.nullable().describe('When one last failed'),
    last_problem: ProblemSchema.nullable().describe('What was wrong then'),
  })
  .meta({ id: 'ConfiguredSource', description: 'A configured source of a chain' });
const CheckedSourceSchema = z
  .object({
    ...configured,
    state: z.enum(['ok', 'behind', 'failed']).describe('`behind`: its newest block is older than three hours'),
    problem: ProblemSchema.nullable().describe('What failed; null otherwise'),
    height: z.int().nullable().describe('Of its newest block'),
    height_at: timestamp.nullable().describe('Time of that block'),
    chain_id: z.int().nullable().describe('Of EVM chains, where the source states it'),
    lacks: z
      .array(z.enum(['traces', 'archive', 'batches', 'internal_lists', 'nft_lists', 'account_lists']))
      .describe('What others of its kind offer'),
    took_ms: z.int().describe('Time of the whole check'),
    stated_limit: z.string().nullable().describe('Limit that its headers state'),
    refused_at: timestamp.nullable().describe('When it last refused a request for its rate'),
  })
  .meta({ id: 'CheckedSource', description: 'A source after it was asked for its newest block' });

const KeptListSchema = z
  .object({
    source: z.string().describe('As in `traceflow load`'),
    place: publicHostText,
    every_hours: z.number().describe('Time between two fetches'),
    state: z
      .enum(['new', 'current', 'waiting', 'failed'])
      .describe('`waiting`: the newer list lost more than a tenth, and the operator decides'),
    checked_at: timestamp.nullable().describe('When it was last asked for, also in vain'),
    loaded_at: timestamp.nullable().describe('When it last gave rows, or was found unchanged'),
    next_at: timestamp.describe('When it is fetched next'),
    licence: z.string().nullable().describe('Licence of its publisher; null for lists of your own'),
  })
  .meta({ id: 'KeptList', description: 'A list that the service fetches by itself' });
const LoadedListSchema = LabelListSchema.extend({
  licence: z.string().nullable().describe('Licence of its publisher; null for lists of your own'),
}).meta({ id: 'LoadedList' });
const PricesSchema = z
  .object({
    api: z
      .object({
        style: z.enum(['coingecko', 'defillama']).describe('Kind of API'),
        host: publicHostText,
        last_success_at: timestamp.nullable().describe('When it last answered this process'),
        last_failure_at: timestamp.nullable().describe('When it last failed'),
        last_problem: ProblemSchema.nullable().describe('What was wrong then'),
      })
      .nullable()
      .describe('Null where prices are loaded only'),
    held: z
      .array(
        z.object({
          source: z.string().describe('`file`, or the kind of API'),
          days: z.int().describe('Prices, one for an asset and day'),
          newest: z.iso.date().describe('Newest day'),
        }),
      )
      .describe('By where they came from; `file`: loaded'),
    refused: z
      .array(
        z.object({
          date: z.iso.date().describe('Day'),
          asset: z.string().describe('What it was a price of'),
          usd: z.number().describe('The refused price'),
        }),
      )
      .describe('Prices of the API that jumped a thousandfold'),
  })
  .meta({ id: 'PriceSources', description: 'Where daily prices come from' });
export const SourcesSchema = z
  .object({
    sources: z.array(UsedSourceSchema).describe('In the order of chains'),
    lists: z.array(KeptListSchema).describe('Lists that the service fetches by itself'),
    loaded_lists: z.array(LoadedListSchema).describe('Every list that labels come from'),
    list_gap: z
      .enum(LIST_GAPS)
      .nullable()
      .describe('Why scans cannot be LOW: no list of sanctions is loaded, or one is older than twice its interval'),
    labels_by_chain: z
      .array(
        z.object({
          chain: z.enum(CHAINS),
          labels: z.int().describe('Labels in force that hold on it'),
          labelled_share: z
            .number()
            .nullable()
            .describe(
              'Of what your scans of the last 30 days saw move there, in US dollars, the part whose counterparties bore a label; null before any',
            ),
        }),
      )
      .describe('How many labels know each chain; those of all EVM chains count on each of them'),
    prices: PricesSchema,
  })
  .meta({ id: 'Sources' });
export const SourceCheckSchema = z
  .object({
    checked_at: timestamp.describe('When the sources were asked'),
    sources: z.array(CheckedSourceSchema).describe('In the order of chains'),
  })
  .meta({ id: 'SourceCheck' });

/** Scans that the share of labelled counterparties is of. */
const SHARE_DAYS = 30;
/** A check asks every source some questions: it is shared for so long. */
const SHARED_MS = MINUTE_MS;

/** The sources of data: what is configured, and if it answers. */
export async function sourceRoutes(api: App, ctx: Context): Promise<void> {
  let last: { at: number; sources: Promise<CheckedSource[]> } | null = null;

  api.get(
    '/sources',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'getSources',
        tags: ['Service'],
        summary: 'The configured sources of data, and the lists',
        description:
          'Asks none of them. Hosts of public services are named; the operator finds more in `traceflow sources` and the log.',
        response: { 200: SourcesSchema, ...refusals(500) },
      },
    },
    async (request) => {
      const since = ctx.now() - SHARE_DAYS * DAY_MS;
      const [sources, lists, loaded, list_gap, labels, prices, moved] = await Promise.all([
        configuredSources(ctx),
        describeKeptLists(ctx.records),
        ctx.labels.lists(),
        ctx.labels.gap(),
        ctx.labels.countByChain(),
        describePrices(ctx),
        sumMoved(readerOf(ctx.records), tenantOf(request).accountId, since),
      ]);
      const shareOn = (chain: Chain) => labelledShare(moved.get(chain) ?? { usd: 0, labelledUsd: 0 });
      const shown = lists.map((list) => withLicence(listForTenants(list)));
      return {
        sources: sources.map(sourceForTenants),
        lists: shown,
        loaded_lists: loaded.map(withLicence),
        list_gap,
        labels_by_chain: CHAINS.map((chain) => ({ chain, labels: labels[chain], labelled_share: shareOn(chain) })),
        prices: { ...prices, api: prices.api && sourceForTenants(prices.api) },
      };
    },
  );

  api.post(
    '/sources/check',
    {
      config: { turn: 'waits', access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'checkSources',
        tags: ['Service'],
        summary: 'Ask each configured source of a chain for its newest block',
        description: 'Says what it lacks and what is wrong. Answers within a minute share one check.',
        response: { 200: SourceCheckSchema, ...refusals(500) },
      },
    },
    async () => {
      if (last === null || Math.abs(ctx.now() - last.at) >= SHARED_MS) {
        last = { at: ctx.now(), sources: checkAndLog(ctx) };
      }
      const { at, sources } = last;
      return {
        checked_at: iso(at),
        sources: (await sources).map(({ reason: _reason, ...source }) => sourceForTenants(source)),
      };
    },
  );
}

async function checkAndLog(ctx: Context): Promise<CheckedSource[]> {
  const checked = await checkSources(ctx);
  for (const { setting, state, reason } of checked) {
    if (state === 'failed') ctx.log.warn({ setting, reason }, 'a source failed its check');
  }
  return checked;
}

function withLicence<List extends { source: string }>(list: List): List & { licence: string | null } {
  return { ...list, licence: termsOf(list.source)?.licence ?? null };
}

/** A source as tenants see it: by the host of a public service alone. */
function sourceForTenants<Source extends { host: string }>(
  source: Source,
): Omit<Source, 'host'> & { host: string | null } {
  return { ...source, host: publicHost(source.host) };
}

/** The same of a list, whose failures are shown without their texts. */
function listForTenants({ place, problem, ...list }: ShownList) {
  return { ...list, place: isUrl(place) ? publicHost(new URL(place).host) : null };
}
