import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { CrossingPolicy } from '../../domain/bridges/crossing.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { isNobody } from '../../domain/tracing/asset-id.ts';
import { addressOf, chainOf, type Hop, hopOf } from '../../domain/tracing/hop.ts';
import { type FollowedPair, follow, type Reached } from '../../domain/tracing/paths/follow.ts';
import { recordEvent } from '../../events/outbox.ts';
import type { WatchlistAlert } from '../../events/payloads.ts';
import { publicUrl } from '../../events/public-url.ts';
import { addressKey, pairName } from '../../graph/address-key.ts';
import { farOf, type PathSide, pairTransfers } from '../../graph/queries/path.ts';
import { PairWalk, startsOf } from '../../graph/queries/walk.ts';
import { inTransaction } from '../../records/database/database.ts';
import {
  type DiscoveryRow,
  listDiscoveryRows,
  pruneDiscoveries,
  saveDiscovery,
} from '../../records/monitoring/discoveries.ts';
import { updateItem, type WatchlistRow } from '../../records/monitoring/watchlist.ts';
import { findLatestScan } from '../../records/scans/scans.ts';
import type { RiskLevel } from '../../risk/detection.ts';
import { FLOOR } from '../../risk/rules.ts';
import { levelOf } from '../../risk/scoring/score.ts';
import type { Payer } from '../account/payer.ts';
import { accountPolicy } from '../tracing/bridge-matches/account-policy.ts';
import { expandScan } from '../tracing/expansion/expand-scan.ts';
import { type CrossedPair, PathCrossings } from '../tracing/paths/path-crossings.ts';
import { byUsd, type SearchEnd, searchCoverage } from '../tracing/paths/search-coverage.ts';
import type { TraceCoverage } from '../tracing/trace-coverage.ts';
import { isHighOrAbove } from './level-change.ts';

const DIRECTIONS = ['sent', 'received'] as const;
const BREADTH = 50;
const HUB_PAIRS = 200;
/** A pair that moved less, or nothing with a price, counts where its far end has a label. */
const SMALLEST_USD = 1;
/** Discoveries kept of one direction: the nearest, of those the largest. */
const KEPT_MAX = 50;
const STATEMENT_MS = 10_000;

/**
 * Reads what the graph is missing around a watched address, walks outward to the depth of the item, and keeps one
 * discovery for each address that money came from or went to, and where the walk ended at bridges. One alert a walk names the discoveries that became HIGH or
 * above. Throws GraphError, and what `signal` says.
 */
export async function followMoney(ctx: Context, payer: Payer, item: WatchlistRow, signal: AbortSignal): Promise<void> {
  const { chain, address } = item;
  const { accountId, plan } = payer;
  const depth = Math.min(item.follow_depth, plan.followDepth);
  const policy = await accountPolicy(ctx, accountId);
  if (depth > 1) {
    await expandScan(ctx, { chain, address, accountId, reach: 'follow', policy, depth, signal });
  }
  const found = new Map<string, FollowedAddress>();
  const ends: SearchEnd[] = [];
  const reasons = new Set<string>();
  for (const direction of DIRECTIONS) {
    const walked = await walk(ctx, item, { direction, depth, policy });
    for (const one of walked.found) if (!found.has(one.key)) found.set(one.key, one);
    for (const end of walked.ends) reasons.add(end.reason);
    ends.push(...walked.ends);
    if (walked.isCut) reasons.add('hub_not_expanded');
  }
  const rows: DiscoveryRow[] = [];
  for (const [chain, reached] of groupBy([...found.values()], ({ key }) => chainOf(key))) {
    const addresses = reached.map(({ key }) => addressOf(key));
    const labels = await ctx.labels.find(chain, addresses);
    for (const { key, path, ...one } of reached) {
      const address = addressOf(key);
      const label = labels.get(address)?.find(({ category }) => category === one.category)?.label ?? null;
      const { level, score } = await riskOf(ctx, payer.accountId, { chain, address, category: one.category });
      rows.push({
        ...one,
        id: randomUUID(),
        account_id: payer.accountId,
        item_id: item.id,
        chain,
        address,
        label,
        risk_level: level,
        risk_score: score,
        path: JSON.stringify(path),
        status: 'active',
        discovered_at: ctx.now(),
      });
    }
  }
  const coverage = followCoverage(ends, reasons);
  await keep(ctx, payer, item, { rows, depth, coverage });
}

interface FollowedAddress {
  /** Graph key: bridges lead to other chains. */
  key: string;
  direction: (typeof DIRECTIONS)[number];
  hop: number;
  category: Category;
  usd: number;
  path: Hop[];
}

interface Walked {
  found: FollowedAddress[];
  /** Crossings of bridges that are not followed. */
  ends: SearchEnd[];
  /** An address had more counterparties, or more crossings, than are read. */
  isCut: boolean;
}

/** What `coverage` of an item's discoveries shows. */
export type FollowCoverage = Pick<TraceCoverage, 'frontier' | 'frontier_count' | 'reasons'>;

function followCoverage(ends: readonly SearchEnd[], reasons: ReadonlySet<string>): FollowCoverage {
  const { frontier, frontier_count, reasons: named } = searchCoverage(ends.toSorted(byUsd), reasons);
  return { frontier, frontier_count, reasons: named };
}

async function walk(
  ctx: Context,
  { chain, address }: WatchlistRow,
  { direction, depth, policy }: { direction: FollowedAddress['direction']; depth: number; policy: CrossingPolicy },
): Promise<Walked> {
  const side: PathSide = direction === 'sent' ? 'forward' : 'backward';
  const subject = addressKey(chain, address);
  const starts = { forward: [], backward: [], [side]: [subject] };
  const rules = { starts, minUsd: 0, timeOrdered: false, throughServices: false };
  const pairWalk = new PairWalk(ctx.graph, rules);
  const bridges = new PathCrossings(ctx.graph, { policy, minUsd: 0 });
  const bridged = new Set([subject]);
  const ends = new Map<string, SearchEnd>();
  let isCut = false;
  const options = { direction, depth, breadth: BREADTH, hubPairs: HUB_PAIRS };
  const reached = await follow(subject, options, async (keys, hop) => {
    const near = keys.filter((key) => bridged.has(key));
    await bridges.read(near, STATEMENT_MS);
    const front = startsOf(side, keys);
    const reach = { hops: depth + 1 - hop, beyond: 0, timeoutMs: STATEMENT_MS };
    await pairWalk.walk(side, front, reach);
    const opened = pairWalk.pairsOf(side, front);
    const pairs = await bridges.unexplained(opened.pairs, STATEMENT_MS);
    const leading = bridges.leading(near, side);
    for (const end of leading.ends) {
      ends.set(end.bridge.crossing.id, { ...end, direction, hop: hop - 1, reason: end.bridge.end });
    }
    isCut ||= opened.cut || bridges.cut;
    const crossed = leading.pairs.map((pair) => ({ ...pair, hasBridges: true }));
    const counted = [...pairs, ...crossed].filter(
      (pair) => (pair.usd >= SMALLEST_USD || pair.category !== null) && !isNobody(farOf(pair, side)),
    );
    for (const { hasBridges, ...pair } of counted) if (hasBridges) bridged.add(farOf(pair, side));
    return counted.map((pair) => followed(pair, side));
  });
  const nearest = reached.toSorted((a, b) => a.hop - b.hop || b.usd - a.usd).slice(0, KEPT_MAX);
  await bridges.read(
    [...new Set(nearest.flatMap(({ way }) => way))].filter((key) => bridged.has(key)),
    STATEMENT_MS,
  );
  const found = await withPaths(ctx, { direction, reached: nearest, bridges });
  return { found, ends: [...ends.values()], isCut };
}

function followed({ from, to, ...pair }: CrossedPair, side: PathSide): FollowedPair {
  return side === 'forward' ? { near: from, far: to, ...pair } : { near: to, far: from, ...pair };
}

/**
 * Each hop shows the largest transfer of its pair, or the largest crossing. An address is left out where a pair on the way
 * moved no more than a known crossing explains: its money belongs to the other end of the crossing.
 */
async function withPaths(
  ctx: Context,
  {
    direction,
    reached,
    bridges,
  }: { direction: FollowedAddress['direction']; reached: Reached[]; bridges: PathCrossings },
): Promise<FollowedAddress[]> {
  const ends = (way: string[]) =>
    way.slice(1).map((far, i) => (direction === 'sent' ? { from: way[i]!, to: far } : { from: far, to: way[i]! }));
  const pairs = new Map(reached.flatMap(({ way }) => ends(way)).map((pair) => [pairName(pair), pair]));
  if (pairs.size === 0) return [];
  const moved = await pairTransfers(ctx.graph, [...pairs.values()], { minUsd: 0, timeoutMs: STATEMENT_MS });
  const crossed = bridges.transfers([...new Set(reached.flatMap(({ way }) => way))]);
  const largestOf = (name: string) => {
    const own = (moved.get(name) ?? []).filter((transfer) => !bridges.replaces(transfer));
    return [...own, ...(crossed.get(name) ?? [])].toSorted((a, b) => b.usd - a.usd)[0];
  };
  return reached.flatMap(({ address: key, hop, category, usd, way }) => {
    const largest = ends(way).map((pair) => largestOf(pairName(pair)));
    const path = largest.flatMap((transfer) => (transfer ? [hopOf(transfer, transfer)] : []));
    if (path.length < largest.length) return [];
    return [{ key, direction, hop, category: category ?? 'unknown', usd: roundUsd(usd), path }];
  });
}

/** By its label, else by the account's own last scan of it. */
async function riskOf(
  ctx: Context,
  accountId: string,
  { chain, address, category }: Pick<DiscoveryRow, 'chain' | 'address' | 'category'>,
): Promise<{ level: RiskLevel; score: number }> {
  const floor = FLOOR[category];
  if (floor !== undefined) return { level: levelOf(floor), score: floor };
  const scan = await findLatestScan(ctx.records, accountId, { chain, address });
  return scan ? { level: scan.risk_level, score: scan.risk_score } : { level: 'UNKNOWN', score: 0 };
}

async function keep(
  ctx: Context,
  { accountId }: Payer,
  item: WatchlistRow,
  { rows, depth, coverage }: { rows: DiscoveryRow[]; depth: number; coverage: FollowCoverage },
): Promise<void> {
  await inTransaction(ctx.records, async (records) => {
    const rowsBefore = await listDiscoveryRows(records, item.id);
    const known = new Map(rowsBefore.map((row) => [addressKey(row.chain, row.address), row]));
    const graver: NonNullable<WatchlistAlert['discoveries']> = [];
    for (const row of rows) {
      const before = known.get(addressKey(row.chain, row.address));
      await saveDiscovery(records, row);
      const isNews = !before || (before.status === 'active' && !isHighOrAbove(before.risk_level));
      if (!isNews || !isHighOrAbove(row.risk_level)) continue;
      const { chain, address, category, hop, risk_level, usd } = row;
      graver.push({ id: before?.id ?? row.id, chain, address, category, hop, risk_level, usd });
    }
    await pruneDiscoveries(records, item.id, { hopsMax: depth, keptMax: KEPT_MAX });
    await updateItem(records, item.id, { follow_coverage: JSON.stringify(coverage) });
    if (graver.length === 0) return;
    const data: WatchlistAlert = {
      reason: 'discovery',
      item_id: item.id,
      address: item.address,
      chain: item.chain,
      ...(item.last_risk_level === null ? {} : { risk_level: item.last_risk_level }),
      ...(item.last_risk_score === null ? {} : { risk_score: item.last_risk_score }),
      discoveries: graver,
      cause: 'trace',
      detail_url: publicUrl(ctx.config, `/api/v1/watchlist/${item.id}/discoveries`),
      score_semantics: 'risk_0to100',
    };
    await recordEvent(records, { type: 'watchlist.alert', accountId, subject: item.id, data, at: ctx.now() });
  });
}
