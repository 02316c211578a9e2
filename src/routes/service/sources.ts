import { PUBLISHED_LISTS, termsOf } from '../../../graph-loaders/sources.ts';
import { PUBLIC_SOURCES } from '../../chains/public-sources.ts';
import type { Context } from '../../context.ts';
import { CHAINS, type Chain } from '../../domain/chain.ts';
import { DAY_MS, iso, MINUTE_MS } from '../../domain/time.ts';
import { labelledShare } from '../../domain/transfers/flow.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { isUrl } from '../../outbound/places.ts';
import {
  type CheckedSource,
  checkSources,
  configuredSources,
  describePrices,
} from '../../questions/sources/check-sources.ts';
import { describeKeptLists, type ShownList } from '../../questions/sources/kept-lists.ts';
import { readerOf } from '../../records/database/database.ts';
import { sumMoved } from '../../records/scans/scans.ts';
import { SourceCheckSchema, SourcesSchema } from './source-schemas.ts';

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

const PRICE_APIS = ['https://coins.llama.fi', 'https://api.coingecko.com', 'https://pro-api.coingecko.com'];
const LISTS = PUBLISHED_LISTS.map(({ url }) => url);
const PUBLIC_HOSTS = new Set(
  [...PUBLIC_SOURCES.map(({ url }) => url), ...LISTS, ...PRICE_APIS].map((url) => new URL(url).host),
);

/**
 * A host as tenants see it: null unless it is one of the public services known here. The operator's machines, and accounts at
 * providers, are the operator's to know.
 */
function publicHost(host: string): string | null {
  return PUBLIC_HOSTS.has(host) ? host : null;
}
