import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import { addressOf, type Hop, hopOf } from '../../domain/tracing/hop.ts';
import { type FollowedPair, follow, type Reached } from '../../domain/tracing/paths/follow.ts';
import { recordEvent } from '../../events/outbox.ts';
import type { WatchlistAlert } from '../../events/payloads.ts';
import { publicUrl } from '../../events/public-url.ts';
import { addressKey } from '../../graph/address-key.ts';
import { type OpenedPair, openPairs, type PathSide, pairTransfers } from '../../graph/queries/path.ts';
import { inTransaction } from '../../records/database/database.ts';
import {
  type DiscoveryRow,
  listDiscoveryRows,
  pruneDiscoveries,
  saveDiscovery,
} from '../../records/monitoring/discoveries.ts';
import type { WatchlistItem } from '../../records/monitoring/watchlist.ts';
import { findLatestScan } from '../../records/scans/scans.ts';
import type { RiskLevel } from '../../risk/detection.ts';
import { FLOOR } from '../../risk/rules.ts';
import { levelOf } from '../../risk/scoring/score.ts';
import type { Payer } from '../account/payer.ts';
import { expandScan } from '../tracing/expansion/expand-scan.ts';
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
 * discovery for each address that money came from or went to. One alert a walk names the discoveries that became HIGH or
 * above. Throws GraphError, and what `signal` says.
 */
export async function followMoney(ctx: Context, payer: Payer, item: WatchlistItem, signal: AbortSignal): Promise<void> {
  const { chain, address } = item;
  const { accountId, plan } = payer;
  const depth = Math.min(item.follow_depth, plan.followDepth);
  if (depth > 1) {
    await expandScan(ctx, { chain, address, accountId, traceAddresses: plan.scanTraceAddresses, depth, signal });
  }
  const found = new Map<string, Found>();
  for (const direction of DIRECTIONS) {
    for (const one of await walk(ctx, item, direction, depth)) if (!found.has(one.address)) found.set(one.address, one);
  }
  const rows: DiscoveryRow[] = [];
  const labels = await ctx.labels.find(item.chain, [...found.keys()]);
  for (const one of found.values()) {
    const label = labels.get(one.address)?.find(({ category }) => category === one.category)?.label ?? null;
    const { level, score } = await riskOf(ctx, payer.accountId, item.chain, one);
    rows.push({
      id: randomUUID(),
      account_id: payer.accountId,
      item_id: item.id,
      chain: item.chain,
      address: one.address,
      hop: one.hop,
      direction: one.direction,
      category: one.category,
      label,
      risk_level: level,
      risk_score: score,
      usd: one.usd,
      path: JSON.stringify(one.path),
      status: 'active',
      discovered_at: ctx.now(),
    });
  }
  await keep(ctx, payer, item, { rows, depth });
}

interface Found {
  address: string;
  direction: (typeof DIRECTIONS)[number];
  hop: number;
  category: Category;
  usd: number;
  path: Hop[];
}

async function walk(
  ctx: Context,
  { chain, address }: WatchlistItem,
  direction: Found['direction'],
  depth: number,
): Promise<Found[]> {
  const side: PathSide = direction === 'sent' ? 'forward' : 'backward';
  const steps = follow(addressKey(chain, address), { direction, depth, breadth: BREADTH, hubPairs: HUB_PAIRS });
  let step = steps.next();
  while (!step.done) {
    const { pairs } = await openPairs(ctx.graph, step.value, { side, minUsd: 0, timeoutMs: STATEMENT_MS });
    const counted = pairs.filter(({ usd, category }) => usd >= SMALLEST_USD || category !== null);
    step = steps.next(counted.map((pair) => followed(pair, side)));
  }
  const nearest = step.value.toSorted((a, b) => a.hop - b.hop || b.usd - a.usd).slice(0, KEPT_MAX);
  return withPaths(ctx, direction, nearest);
}

function followed({ from, to, ...pair }: OpenedPair, side: PathSide): FollowedPair {
  return side === 'forward' ? { near: from, far: to, ...pair } : { near: to, far: from, ...pair };
}

/** Each hop shows the largest transfer of its pair. */
async function withPaths(ctx: Context, direction: Found['direction'], reached: Reached[]): Promise<Found[]> {
  const ends = (way: string[]) =>
    way.slice(1).map((far, i) => (direction === 'sent' ? { from: way[i]!, to: far } : { from: far, to: way[i]! }));
  const pairs = new Map(reached.flatMap(({ way }) => ends(way)).map((pair) => [`${pair.from} ${pair.to}`, pair]));
  const options = { minUsd: 0, timeoutMs: STATEMENT_MS };
  const transfers = pairs.size > 0 ? await pairTransfers(ctx.graph, [...pairs.values()], options) : null;
  return reached.map(({ address, hop, category, usd, way }) => ({
    address: addressOf(address),
    direction,
    hop,
    category: category ?? 'unknown',
    usd: roundUsd(usd),
    path: ends(way).flatMap((pair) => {
      const [largest] = (transfers?.get(`${pair.from} ${pair.to}`) ?? []).toSorted((a, b) => b.usd - a.usd);
      return largest ? [hopOf(largest, { ...pair, priced: largest.priced })] : [];
    }),
  }));
}

/** By its label, else by the account's own last scan of it. */
async function riskOf(
  ctx: Context,
  accountId: string,
  chain: Chain,
  { address, category }: Found,
): Promise<{ level: RiskLevel; score: number }> {
  const floor = FLOOR[category];
  if (floor !== undefined) return { level: levelOf(floor), score: floor };
  const scan = await findLatestScan(ctx.records, accountId, { chain, address });
  return scan ? { level: scan.risk_level, score: scan.risk_score } : { level: 'UNKNOWN', score: 0 };
}

async function keep(
  ctx: Context,
  { accountId }: Payer,
  item: WatchlistItem,
  { rows, depth }: { rows: DiscoveryRow[]; depth: number },
): Promise<void> {
  await inTransaction(ctx.records, async (records) => {
    const known = new Map((await listDiscoveryRows(records, item.id)).map((row) => [row.address, row]));
    const graver: NonNullable<WatchlistAlert['discoveries']> = [];
    for (const row of rows) {
      const before = known.get(row.address);
      await saveDiscovery(records, row);
      const isNews = !before || (before.status === 'active' && !isHighOrAbove(before.risk_level));
      if (!isNews || !isHighOrAbove(row.risk_level)) continue;
      const { address, category, hop, risk_level, usd } = row;
      graver.push({ id: before?.id ?? row.id, address, category, hop, risk_level, usd });
    }
    await pruneDiscoveries(records, item.id, { hopsMax: depth, keptMax: KEPT_MAX });
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
