import { FORMS, grouped, paragraph, trimmed } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import { addressKey, addressOf, chainOf } from '../../domain/address/address-key.ts';
import { roundUsd, shareOfMoney } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { CATEGORIES, type Category } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import type { ExposureBucket, TraceCoverage } from '../../domain/tracing/answers.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import { hopsOf } from '../../domain/tracing/hop.ts';
import { frozenFields } from '../../labels/issuer-freezes.ts';
import { assetsOf, evidencePath, upperUsd } from '../engine/walk/evidence.ts';
import { type Trace, type TracedParty, unattributedUsd } from '../engine/walk/findings.ts';
import { entityFields, type Group, holdersOfEnds, joinedByEntity, partyOf } from '../read/by-entity.ts';
import { isUnread } from '../read/frontier.ts';
import type { OpenedSubject } from '../read/graph-reader.ts';
import { type MoneyTraces, type TraceContext, type TraceRequest, traceMoney } from '../read/trace-money.ts';
import { hopLimitNote, traceCoverage } from './coverage.ts';
import { exposurePatterns } from './exposure-patterns.ts';
import { type FollowedSpan, followsOnly } from './follows-only.ts';

/** Hops of an exposure: unless more or fewer are asked for, and at most. */
export const EXPOSURE_HOPS = { usual: 3, max: 5 };

const TOP_ADDRESSES = 10;
const DIRECTIONS: readonly Direction[] = ['received', 'sent'];

export interface ExposureRequest extends FollowedSpan {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  limit: number;
  /** Left out: the address alone. */
  group?: Group;
  /** False leaves out the search for patterns; default: true. */
  withPatterns?: boolean;
  /** Language of the texts; default `en`. */
  lang?: Language;
}

/** Returns where an address's money came from and where it went, by haircut over the graph (tracing/engine). */
export async function getExposure(ctx: TraceContext, request: ExposureRequest) {
  const { chain, address, maxHops, limit } = request;
  const search = { directions: DIRECTIONS, maxHops, limit, follows: followsOnly(request) };
  const exposure =
    request.group === 'entity'
      ? await groupedExposure(ctx, request, search)
      : await exposureOf(ctx, request, await traceMoney(ctx, [addressKey(chain, address)], search));
  const labels = (await ctx.labels.find(chain, [address])).get(address) ?? [];
  return { ...exposure, ...frozenFields(labels, ctx.now()) };
}

/** The exposure of the holder of the address as one party, to holders. */
async function groupedExposure(ctx: TraceContext, request: ExposureRequest, search: TraceRequest) {
  const party = await partyOf(ctx.graph, addressKey(request.chain, request.address));
  const traces = await traceMoney(ctx, party.keys, { ...search, own: party.own, byEntity: true });
  const holders = await holdersOfEnds(ctx.graph, traces);
  const exposure = await exposureOf(ctx, request, joinedByEntity(traces, holders), party.keys);
  const named = (buckets: readonly ExposureBucket[]) =>
    buckets.map((bucket) => ({
      ...bucket,
      top: bucket.top.map((one) => ({ ...one, ...entityFields(holders.get(addressKey(one.chain, one.address))) })),
    }));
  return { ...exposure, direct: named(exposure.direct), indirect: named(exposure.indirect), entity: party.entity };
}

/**
 * Returns the exposure that traces in both directions show. Patterns are searched until the deadline, around the address alone.
 * `keys` are the subjects where the address is one of several that are taken as one party.
 */
export async function exposureOf(
  ctx: TraceContext,
  request: ExposureRequest,
  traces: MoneyTraces,
  keys: readonly string[] = [addressKey(request.chain, request.address)],
) {
  const { chain, address, maxHops, limit, withPatterns = true, lang = 'en' } = request;
  const keyless = ctx.accountId === null;
  const key = addressKey(chain, address);
  const { patterns, reason } = withPatterns
    ? await exposurePatterns(ctx, key, { traces, lang })
    : { patterns: [], reason: null };
  const { received, sent } = traces;
  const subjects = keys.flatMap((one) => traces.subjects.get(one) ?? []);
  const buckets = DIRECTIONS.flatMap((direction) => bucketsOf(direction, traces[direction]));
  const receivedUsd = roundUsd(received.totalUsd);
  const sentUsd = roundUsd(sent.totalUsd);
  const totalUsd = roundUsd(receivedUsd + sentUsd);
  const endlessReceivedUsd = unattributedUsd(received);
  const endlessSentUsd = unattributedUsd(sent);
  const endlessUsd = roundUsd(endlessReceivedUsd + endlessSentUsd);
  const coverage = traceCoverage(keys, {
    traces,
    directions: DIRECTIONS,
    unattributedUsd: endlessUsd,
    listGap: ctx.listGap,
  });
  return {
    address,
    chain,
    max_hops: maxHops,
    limit,
    method: 'haircut' as const,
    direct: buckets.filter(({ tier }) => tier === 'direct').map(({ bucket }) => bucket),
    indirect: buckets.filter(({ tier }) => tier === 'indirect').map(({ bucket }) => bucket),
    patterns,
    total_classified_usd: roundUsd(totalUsd - endlessUsd),
    received_usd: receivedUsd,
    sent_usd: sentUsd,
    unattributed_usd: endlessUsd,
    unattributed_received_usd: endlessReceivedUsd,
    unattributed_sent_usd: endlessSentUsd,
    coverage: shownCoverage(coverage, { subjects, keyless, reason }),
    note: noteFor(subjects, traces, { keyless, lang, maxHops, beyondUsd: coverage.unattributed.max_hops ?? 0 }),
  };
}

export type ExposureAnswer = Awaited<ReturnType<typeof exposureOf>>;

type ShownCoverage = Pick<TraceCoverage, 'attributed' | 'complete' | 'reasons'> &
  Partial<TraceCoverage> & { scanned_at?: string | null; transfers?: number };

/** Leaves out, for callers without a key, all that depends on who has scanned what. */
function shownCoverage(
  coverage: TraceCoverage,
  { subjects, keyless, reason }: { subjects: readonly OpenedSubject[]; keyless: boolean; reason: string | null },
): ShownCoverage {
  const reasons = reason === null ? coverage.reasons : [...new Set([...coverage.reasons, reason])].sort();
  const complete = coverage.complete && reason === null;
  if (keyless) return { attributed: coverage.attributed, complete, reasons };
  const read = subjects.map(({ isReadKnown, scannedAt }) => (isReadKnown ? scannedAt : null));
  const scannedAt = read.reduce(
    (least, at) => (least === null || at === null ? null : Math.min(least, at)),
    read[0] ?? null,
  );
  return {
    scanned_at: scannedAt === null ? null : iso(scannedAt),
    transfers: subjects.reduce((sum, { totals }) => sum + totals.received.count + totals.sent.count, 0),
    ...coverage,
    complete,
    reasons,
  };
}

function noteFor(
  subjects: readonly OpenedSubject[],
  { received, sent }: MoneyTraces,
  { keyless, lang, maxHops, beyondUsd }: { keyless: boolean; lang: Language; maxHops: number; beyondUsd: number },
): string | null {
  const notes = WORDS[lang].exposure;
  const inDollars = (usd: number) => FORMS[lang].number(trimmed(usd, 2));
  if (subjects.length === 0) return received.unattributed.has('time_budget') ? notes.out_of_time : notes.no_transfers;
  const unread = subjects.filter(isUnread).length;
  const notScanned =
    unread < subjects.length
      ? fill(notes.not_scanned_of, { unread: grouped(unread, lang), all: grouped(subjects.length, lang) })
      : notes.not_scanned;
  const likelyUsd = roundUsd(received.likelyUsd + sent.likelyUsd);
  const openUsd = roundUsd(received.openUsd + sent.openUsd);
  const sentences = [
    ...(unread === 0 || keyless ? [] : [notScanned]),
    ...(beyondUsd > 0 ? [hopLimitNote(beyondUsd, maxHops, lang)] : []),
    ...(openUsd > 0 ? [notes.open.replace('{usd}', inDollars(openUsd))] : []),
    ...(likelyUsd > 0 ? [notes.likely.replace('{usd}', inDollars(likelyUsd))] : []),
  ];
  return paragraph(sentences, lang);
}

function bucketsOf(direction: Direction, traced: Trace) {
  return (['direct', 'indirect'] as const).flatMap((tier) =>
    CATEGORIES.flatMap((category) => {
      const parties = traced.parties.filter((party) => party.tier === tier && party.category === category);
      return parties.length > 0 ? [{ tier, bucket: bucketOf(direction, category, parties, traced) }] : [];
    }),
  );
}

function bucketOf(direction: Direction, category: Category, parties: TracedParty[], traced: Trace): ExposureBucket {
  const usd = parties.reduce((sum, party) => sum + party.usd, 0);
  return {
    direction,
    category,
    usd: roundUsd(usd),
    share: shareOfMoney(usd, traced.totalUsd),
    usd_upper: roundUsd(Math.min(upperUsd(traced, parties), traced.totalUsd)),
    address_count: parties.length,
    min_hops: Math.min(...parties.map((party) => party.hops)),
    top: parties.slice(0, TOP_ADDRESSES).map((party) => ({
      address: addressOf(party.address),
      chain: chainOf(party.address),
      label: party.label,
      usd: roundUsd(party.usd),
      hops: party.hops,
      assets: assetsOf(party, direction),
      path: hopsOf(direction, evidencePath(party, direction)),
    })),
  };
}
