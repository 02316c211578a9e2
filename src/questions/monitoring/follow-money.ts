import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { addressKey, addressOf, chainOf } from '../../domain/address/address-key.ts';
import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Label, SERVICE_CATEGORIES } from '../../domain/label.ts';
import type { TraceCoverage } from '../../domain/tracing/answers.ts';
import type { NewAlert } from '../../events/payloads.ts';
import type { HolderRow } from '../../graph/queries/entities.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction } from '../../records/database/database.ts';
import type { DiscoveryRow, WatchlistRow } from '../../records/database/tables/monitoring.ts';
import { listDiscoveryRows, pruneDiscoveries, saveDiscovery } from '../../records/monitoring/discoveries.ts';
import { followTouchedAt } from '../../records/monitoring/live.ts';
import { updateItem } from '../../records/monitoring/watchlist.ts';
import { isHighOrAbove, type RiskLevel } from '../../risk/detection.ts';
import { DUST_BELOW_USD } from '../../risk/rules.ts';
import { labelFloorTerms, levelOf, scoreOf } from '../../risk/scoring/score.ts';
import { byUsd, type SearchEnd, searchCoverage } from '../../tracing/answers/paths/search-coverage.ts';
import { entityFields, holdersBeside } from '../../tracing/read/by-entity.ts';
import { expandScan } from '../../tracing/read/expansion/expand-scan.ts';
import { countdown, type Inquiry, inquire } from '../../tracing/read/inquiry.ts';
import { findCurrentScan } from '../scans/current-level.ts';
import { alertOfItem } from './alerts.ts';
import { type FollowedAddress, KEPT_MAX, walkOutward } from './walk-outward.ts';

const DIRECTIONS = ['sent', 'received'] as const;

/**
 * Reads what the graph is missing around a watched address, walks outward to the depth of the item, and keeps one
 * discovery for each address that money came from or went to, and where the walk ended at bridges. One alert a walk names
 * the discoveries that became HIGH or above. Throws GraphError, and what `signal` says.
 */
export async function followMoney(ctx: Context, payer: Payer, item: WatchlistRow, signal: AbortSignal): Promise<void> {
  const { chain, address } = item;
  const { accountId, plan } = payer;
  const depth = Math.min(item.follow_depth, plan.followDepth);
  const inquiry = { ...(await inquire(ctx, accountId)), signal, isJob: true };
  if (depth > 1) {
    const timed = { ...inquiry, remainingMs: countdown(ctx.config.SCAN_TRACE_MS) };
    // What was read before something moved there lacks it.
    const readSince = (await followTouchedAt(ctx.records, item.id)) ?? undefined;
    await expandScan(timed, { chain, address, reach: 'follow', depth, readSince });
  }
  const found = new Map<string, FollowedAddress>();
  const ends: SearchEnd[] = [];
  const reasons = new Set<string>();
  for (const direction of DIRECTIONS) {
    const walked = await walkOutward(inquiry, { chain, address, direction, depth });
    for (const one of walked.found) if (!found.has(one.key)) found.set(one.key, one);
    for (const end of walked.ends) reasons.add(end.reason);
    ends.push(...walked.ends);
    if (walked.isCut) reasons.add('hub_not_expanded');
  }
  const rows: DiscoveryRow[] = [];
  for (const [chain, reached] of groupBy([...found.values()], ({ key }) => chainOf(key))) {
    const addresses = reached.map(({ key }) => addressOf(key));
    const labels = await inquiry.ownLabels.over(ctx.labels).find(chain, addresses);
    for (const { key, path, ...one } of reached) {
      const address = addressOf(key);
      const known = labels.get(address) ?? [];
      const label = known.find(({ category }) => category === one.category)?.label ?? null;
      const { level, score } = await riskOf(ctx, payer.accountId, { chain, address, labels: known });
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
        listened: 0,
      });
    }
  }
  const coverage = followCoverage(inquiry, ends, reasons);
  for (const row of worthListening(rows, depth)) row.listened = 1;
  const holders = await holdersBeside(ctx.graph, [item, ...rows].map(keyOf));
  await keep(ctx, payer, item, { rows, depth, coverage, holders });
}

/** Most addresses of a walk that are listened to, and the part of what left the watched one that each holds at least, unless HIGH or above. */
const LISTENED = { most: 50, share: 0.1 };

/** Chooses where the walk goes on when the money does: not at services, nor where its depth ends. The nearest come first. */
function worthListening(rows: readonly DiscoveryRow[], depth: number): DiscoveryRow[] {
  const sent = rows.filter(({ direction }) => direction === 'sent');
  const left = sent.filter(({ hop }) => hop === 1).reduce((sum, { usd }) => sum + usd, 0);
  return sent
    .filter(({ hop, category }) => hop < depth && !SERVICE_CATEGORIES.includes(category))
    .filter(({ risk_level, usd }) => isHighOrAbove(risk_level) || usd > LISTENED.share * left)
    .toSorted((a, b) => a.hop - b.hop || b.usd - a.usd)
    .slice(0, LISTENED.most);
}

/** Fields of `coverage` that an item's discoveries show. */
export type FollowCoverage = Pick<TraceCoverage, 'frontier' | 'frontier_count' | 'reasons'>;

function followCoverage(inquiry: Inquiry, ends: readonly SearchEnd[], reasons: ReadonlySet<string>): FollowCoverage {
  const { frontier, frontier_count, reasons: named } = searchCoverage(inquiry, ends.toSorted(byUsd), reasons);
  return { frontier, frontier_count, reasons: named };
}

/** Returns the risk of an address by its labels, as a scan grades them, else by the account's own last scan of it. */
async function riskOf(
  ctx: Context,
  accountId: string,
  { chain, address, labels }: { chain: Chain; address: string; labels: readonly Label[] },
): Promise<{ level: RiskLevel; score: number }> {
  const floor = scoreOf(labelFloorTerms(labels, ctx.now()));
  if (floor > 0) return { level: levelOf(floor), score: floor };
  const scan = await findCurrentScan(ctx, accountId, { chain, address, from: 0 });
  return scan ? { level: scan.risk_level, score: scan.risk_score } : { level: 'UNKNOWN', score: 0 };
}

function keyOf({ chain, address }: ChainAddress): string {
  return addressKey(chain, address);
}

/** Anyone may send dust: whom it came from is listed, and not announced. */
function isDust({ direction, usd }: DiscoveryRow): boolean {
  return direction === 'received' && usd > 0 && usd < DUST_BELOW_USD;
}

async function keep(
  ctx: Context,
  { accountId }: Payer,
  item: WatchlistRow,
  {
    rows,
    depth,
    coverage,
    holders,
  }: { rows: DiscoveryRow[]; depth: number; coverage: FollowCoverage; holders: ReadonlyMap<string, HolderRow> },
): Promise<void> {
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, accountId);
    // The item may be deleted meanwhile: this says so, and holds it.
    await updateItem(records, item.id, { follow_coverage: JSON.stringify(coverage) });
    const rowsBefore = await listDiscoveryRows(records, item.id);
    const known = new Map(rowsBefore.map((row) => [keyOf(row), row]));
    const graver: NonNullable<NewAlert['discoveries']> = [];
    for (const row of rows) {
      const before = known.get(keyOf(row));
      await saveDiscovery(records, row);
      const isNews = !before || (before.status === 'active' && !isHighOrAbove(before.risk_level));
      if (!isNews || !isHighOrAbove(row.risk_level) || isDust(row)) continue;
      const { chain, address, category, hop, direction, risk_level, usd } = row;
      const named = { chain, address, category, ...entityFields(holders.get(keyOf(row))) };
      graver.push({ id: before?.id ?? row.id, ...named, hop, direction, risk_level, usd });
    }
    await pruneDiscoveries(records, item.id, { hopsMax: depth, keptMax: KEPT_MAX });
    if (graver.length === 0) return;
    await alertOfItem(ctx, records, item, {
      reason: 'discovery',
      holder: holders.get(keyOf(item)),
      discoveries: graver,
      cause: 'trace',
      page: `watchlist/${item.id}/discoveries`,
    });
  });
}
