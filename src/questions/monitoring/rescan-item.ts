import type { Context } from '../../context.ts';
import type { EventType } from '../../domain/event.ts';
import { type Label, NEUTRAL_CATEGORIES } from '../../domain/label.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { NotFoundError } from '../../errors.ts';
import { recordEvent } from '../../events/outbox.ts';
import {
  type ChangeCause,
  eventDetections,
  type NewAlert,
  type RiskChanged,
  watchlistAlert,
} from '../../events/payloads.ts';
import { openLevelLabels } from '../../labels/own-labels.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';
import { countLiveScan, putOffScan } from '../../records/monitoring/live.ts';
import { countOtherRuleSet, findItem, takeRuleSetChanges, updateItem } from '../../records/monitoring/watchlist.ts';
import { keepRepeat } from '../../records/scans/scans.ts';
import { isBelow, isHighOrAbove, type RiskLevel } from '../../risk/detection.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import { tenantOverrides } from '../account/risk-settings.ts';
import { levelOfKnownAt } from '../scans/current-level.ts';
import type { ScanAnswer } from '../scans/record-scan.ts';
import { withOverrides } from '../scans/risk-settings-applied.ts';
import { scanAddress } from '../scans/scan-address.ts';
import { alertOfItem } from './alerts.ts';
import { labelsOfItems } from './label-changes.ts';
import { type FoundMovements, findMovements, keepMovements } from './movements.ts';

/** Rescans are spread: each comes up to a tenth of the interval early. */
const SPREAD = 0.1;

/**
 * Scans a watched address, keeps its level and records what changed, together. Costs nothing. The level of an address
 * without any history or label is UNKNOWN. Throws what made the scan fail; the item then keeps its level.
 */
export async function rescanItem(
  ctx: Context,
  payer: Payer,
  item: WatchlistRow,
  signal: AbortSignal,
): Promise<WatchlistRow> {
  const { chain, address } = item;
  const intervalMs = payer.plan.rescanMinutes * MINUTE_MS;
  // Before the labels are read: what changes from here on is found again.
  const startedAt = ctx.now();
  const { labels, state } = (await labelsOfItems(ctx, [item])).get(item.id)!;
  const relabelled = item.label_state !== null && item.label_state !== state;
  const nextScanAt = startedAt + Math.round(intervalMs * (1 - SPREAD * Math.random()));
  const seen = { startedAt, state, nextScanAt };
  const overrides = await tenantOverrides(ctx, payer.accountId);
  const scanned = await scanAddress(ctx, payer, {
    chain,
    address,
    lang: 'en',
    source: 'watchlist',
    payment: async () => {},
    // A changed label needs no new read of the chain.
    fresh: !relabelled,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  const owner = scanned?.metadata.owner ?? address;
  const found = await findMovements(ctx, payer, item, { owner, signal });
  // Writes that are counted lock the account before the item.
  const withAccount = <T>(keep: (records: Records) => Promise<T>) =>
    inTransaction(ctx.records, async (records) => {
      await lockAccount(records, payer.accountId);
      return keep(records);
    });
  if (!scanned) {
    return withAccount((records) => keepUnknown(ctx, records, item, payer, { ...seen, found }));
  }
  const answer = withOverrides(scanned, chain, overrides);
  const isNewRuleSet = item.last_risk_level !== null && item.last_rule_set !== answer.rule_set_version;
  const byRules = isNewRuleSet ? await levelByRules(ctx, item, { answer, relabelled }, signal) : null;
  const cause = await causeOf(ctx, item, answer, { byRules, relabelled, labels });
  const scan = { answer, cause, relabelled, byRules, found, ...seen };
  return withAccount((records) => keepScan(ctx, records, item, payer, scan));
}

/** The level that a new rule set alone gives to an item, from what was known at the scan before. */
async function levelByRules(
  ctx: Context,
  { account_id: accountId, chain, address, last_risk_level, last_scanned_at }: WatchlistRow,
  { answer: { risk_level }, relabelled }: Pick<ScannedItem, 'answer' | 'relabelled'>,
  signal: AbortSignal,
): Promise<RiskLevel> {
  // The account knows this level already.
  if (last_scanned_at === null || risk_level === last_risk_level) return risk_level;
  const known = await levelOfKnownAt(ctx, accountId, { chain, address, at: last_scanned_at, relabelled }, signal);
  return known ?? risk_level;
}

async function keepUnknown(
  ctx: Context,
  records: Records,
  item: WatchlistRow,
  payer: Payer,
  { startedAt, state, nextScanAt, found }: Seen & { found: FoundMovements },
): Promise<WatchlistRow> {
  await keepLive(ctx, records, item, found, {
    risk_level: item.last_risk_level ?? 'UNKNOWN',
    risk_score: item.last_risk_score ?? 0,
    scanId: null,
  });
  const kept = await updateItem(records, item.id, {
    last_risk_level: item.last_risk_level ?? 'UNKNOWN',
    last_risk_score: item.last_risk_score ?? 0,
    last_scanned_at: startedAt,
    last_rule_set: RULE_SET_VERSION,
    label_state: state,
    failing_since: null,
  });
  await alertOfRuleSet(ctx, records, payer);
  return putOffScan(records, kept.id, { startedAt, nextScanAt, isLate: found.isLate });
}

/** Alerts what moved, and counts the scan where a touch caused it. */
async function keepLive(
  ctx: Context,
  records: Records,
  item: WatchlistRow,
  found: FoundMovements,
  { scanId, ...seen }: Pick<NewAlert, 'holder' | 'risk_level' | 'risk_score'> & { scanId: string | null },
): Promise<void> {
  // A first scan counts as such: touches give no more of these.
  if (found.wasTouched) await countLiveScan(records, item.chain, item.last_scanned_at === null ? null : scanId);
  await keepMovements(ctx, records, item, found, seen);
}

interface Seen {
  /** Epoch ms; labels and chain were read after it. */
  startedAt: number;
  /** Digest of the address's labels at that moment. */
  state: string;
  nextScanAt: number;
}

interface ScannedItem extends Seen {
  answer: ScanAnswer;
  cause: ChangeCause;
  /** The address's own labels changed since the scan before. */
  relabelled: boolean;
  /** The level that a new rule set alone gives to the item; null under the rules of the scan before. */
  byRules: RiskLevel | null;
  found: FoundMovements;
}

async function keepScan(
  ctx: Context,
  records: Records,
  { id, account_id: accountId }: WatchlistRow,
  payer: Payer,
  { answer, cause, relabelled, byRules, found: movements, startedAt, state, nextScanAt }: ScannedItem,
): Promise<WatchlistRow> {
  const item = await findItem(records, accountId, id);
  const now = ctx.now();
  const isFirst = item.last_risk_level === null;
  const found = answer.risk_level;
  const known = { last: byRules ?? item.last_risk_level, unconfirmed: item.unconfirmed_level };
  // A new rule set changes levels silently, falls too: they do not come from a source that flickers.
  const change =
    byRules !== null && !isBelow(byRules, found)
      ? { level: found, unconfirmed: null, events: [] }
      : levelChange(known, found);

  // A fall that the next scan has to confirm leaves level and score as they are.
  const score = change.level === answer.risk_level ? answer.risk_score : (item.last_risk_score ?? answer.risk_score);
  const seen = { risk_level: change.level, risk_score: score };
  const about = { ...seen, detections: eventDetections(answer.detections), cause };
  const page = `public/scans/${answer.scan_id}`;
  for (const type of change.events) {
    const data: RiskChanged = {
      ...{ address: item.address, chain: item.chain },
      ...about,
      detail_url: `${ctx.config.publicUrl}/api/v1/${page}`,
      score_semantics: 'risk_0to100',
      previous_risk_level: known.last!,
    };
    await recordEvent(records, { type, accountId, subject: id, data, at: now });
  }
  const holder = answer.metadata.entity;
  const alert = (own: Pick<NewAlert, 'reason' | 'counterparties'>) =>
    alertOfItem(ctx, records, item, { ...own, ...about, holder, page });
  const sanctioned = sanctionedCounterparties(answer);
  const before = new Set(JSON.parse(item.sanctioned) as string[]);
  const counterparties = sanctioned.filter((address) => !before.has(address));
  if (isFirst && isHighOrAbove(change.level)) await alert({ reason: 'high_risk' });
  if (!isFirst && relabelled) await alert({ reason: 'label_changed' });
  const isNewCounterparty = !isFirst && counterparties.length > 0;
  if (isNewCounterparty) await alert({ reason: 'sanctioned_counterparty', counterparties });
  if (change.events.length > 0 || relabelled || isNewCounterparty) await keepRepeat(records, answer.scan_id);
  await keepLive(ctx, records, item, movements, { holder, ...seen, scanId: answer.scan_id });

  const changedByRules = byRules !== null && byRules !== item.last_risk_level;
  const kept = await updateItem(records, id, {
    last_risk_level: change.level,
    last_risk_score: score,
    last_scanned_at: startedAt,
    label_state: state,
    last_rule_set: answer.rule_set_version,
    unconfirmed_level: change.unconfirmed,
    ...(changedByRules ? { level_before_rule_set: item.level_before_rule_set ?? item.last_risk_level } : {}),
    sanctioned: JSON.stringify([...new Set([...before, ...sanctioned])]),
    failing_since: null,
  });
  await alertOfRuleSet(ctx, records, payer);
  return putOffScan(records, kept.id, { startedAt, nextScanAt, isLate: movements.isLate });
}

/** One alert an account, once all its items that are scanned were scanned under the new rule set. */
async function alertOfRuleSet(ctx: Context, records: Records, { accountId, plan }: Payer): Promise<void> {
  if ((await countOtherRuleSet(records, accountId, RULE_SET_VERSION, plan.watchlistItems)) > 0) return;
  const changed = await takeRuleSetChanges(records, accountId);
  if (changed.length === 0) return;
  const data = watchlistAlert(ctx.config.publicUrl, {
    reason: 'rule_set',
    rule_set_version: RULE_SET_VERSION,
    changes: changed.map((item) => ({
      address: item.address,
      chain: item.chain,
      previous_risk_level: item.level_before_rule_set!,
      risk_level: item.last_risk_level!,
    })),
    cause: 'rule_set',
    page: 'watchlist',
  });
  await recordEvent(records, { type: 'watchlist.alert', accountId, subject: accountId, data, at: ctx.now() });
}

async function causeOf(
  ctx: Context,
  item: WatchlistRow,
  answer: ScanAnswer,
  { byRules, relabelled, labels }: Pick<ScannedItem, 'byRules' | 'relabelled'> & { labels: readonly Label[] },
): Promise<ChangeCause> {
  if (byRules === answer.risk_level) return 'rule_set';
  // A label that says nothing of what the address is moves no level.
  if (relabelled && labels.some(({ category }) => !NEUTRAL_CATEGORIES.includes(category))) return 'labels';
  const involved = new Set([
    ...(relabelled ? [] : [item.address]),
    ...answer.top_counterparties.map((one) => one.address),
    ...answer.detections.flatMap((detection) => detection.details.labels.map((label) => label.address)),
  ]);
  return (await isRelabelled(ctx, item, [...involved])) ? 'labels' : 'transfers';
}

async function isRelabelled(ctx: Context, item: WatchlistRow, addresses: string[]): Promise<boolean> {
  if (item.last_scanned_at === null) return false;
  const labels = (await openLevelLabels(ctx, item.account_id)).overStore(ctx.labels);
  return (await labels.changedSince(item.chain, item.last_scanned_at + 1, addresses)).size > 0;
}

function sanctionedCounterparties(answer: ScanAnswer): string[] {
  const found = answer.top_counterparties.filter((one) => one.category === 'sanctioned').map((one) => one.address);
  for (const { details } of answer.detections) {
    for (const { address, category } of details.labels) if (category === 'sanctioned') found.push(address);
  }
  return [...new Set(found)].filter((address) => address !== answer.address);
}

interface KnownLevel {
  /** Null before the first scan. */
  last: RiskLevel | null;
  /** A lower level that the scan before found. */
  unconfirmed: RiskLevel | null;
}

interface LevelChange {
  /** The level to report from now on. */
  level: RiskLevel;
  unconfirmed: RiskLevel | null;
  /** The `risk.*` events to fire; none at the first scan. */
  events: EventType[];
}

/**
 * Returns what a new scan changes. A rise counts at once and fires the event of the level it reaches, not of those it skips; a
 * fall counts once two scans in a row agree, so that a source that flickers fires nothing.
 *
 * @internal Run by a test.
 */
export function levelChange({ last, unconfirmed }: KnownLevel, found: RiskLevel): LevelChange {
  // The first transfers of an address that had none fire nothing while they are LOW.
  const isNews = found !== last && !(last === 'UNKNOWN' && found === 'LOW');
  if (last === null || !isNews) return { level: found, unconfirmed: null, events: [] };
  if (isBelow(found, last)) {
    if (unconfirmed !== found) return { level: last, unconfirmed: found, events: [] };
    return { level: found, unconfirmed: null, events: ['risk.changed'] };
  }
  const events: EventType[] = ['risk.changed'];
  if (found === 'HIGH') events.push('risk.high_detected');
  if (found === 'CRITICAL') events.push('risk.critical_detected');
  return { level: found, unconfirmed: null, events };
}
