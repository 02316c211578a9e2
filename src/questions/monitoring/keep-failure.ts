import type { Context } from '../../context.ts';
import { isValidAt, type Label } from '../../domain/label.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { recordEvent } from '../../events/outbox.ts';
import type { WatchlistAlert } from '../../events/payloads.ts';
import { publicUrl } from '../../events/public-url.ts';
import { labelState } from '../../labels/label-state.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction } from '../../records/database/database.ts';
import { touchesOf } from '../../records/monitoring/live.ts';
import { updateItem, type WatchlistRow } from '../../records/monitoring/watchlist.ts';
import { isHighOrAbove, type RiskLevel } from '../../risk/detection.ts';
import { labelFloor } from '../../risk/label-floor.ts';
import { levelOf } from '../../risk/scoring/score.ts';

/** An item whose scan failed is tried again after this, or its interval where that is shorter. */
const FAILED_PAUSE_MS = 10 * MINUTE_MS;
/** The same where something was heard of it that no scan has seen, for the first hour. */
const TOUCHED_PAUSE_MS = MINUTE_MS;

/** Remembers since when an item cannot be scanned, and alerts where a list newly makes it HIGH or above by itself. */
export async function keepScanFailure(ctx: Context, { plan }: Payer, item: WatchlistRow): Promise<void> {
  const now = ctx.now();
  const intervalMs = plan.rescanMinutes * MINUTE_MS;
  const labels = (await ctx.labels.find(item.chain, [item.address])).get(item.address) ?? [];
  const state = labelState([item.address], () => labels, now);
  const level = levelByLabel(labels, now);
  const { chain, address } = item;
  const since = Math.max(item.last_scanned_at ?? 0, item.live_since ?? now);
  const [touch] = item.live === 1 ? await touchesOf(ctx.records, { chain, address, since, limit: 1 }) : [];
  const isFresh = item.failing_since === null || item.failing_since > now - HOUR_MS;
  await inTransaction(ctx.records, async (records) => {
    await updateItem(records, item.id, {
      failing_since: item.failing_since ?? now,
      next_scan_at: now + Math.min(intervalMs, touch && isFresh ? TOUCHED_PAUSE_MS : FAILED_PAUSE_MS),
      label_state: state,
    });
    if (item.label_state === state || level === null || !isHighOrAbove(level.risk_level)) return;
    const data: WatchlistAlert = {
      reason: item.label_state === null ? 'high_risk' : 'label_changed',
      item_id: item.id,
      address: item.address,
      chain: item.chain,
      ...level,
      cause: 'labels',
      detail_url: publicUrl(ctx.config, '/api/v1/watchlist'),
      score_semantics: 'risk_0to100',
    };
    const { account_id: accountId, id: subject } = item;
    await recordEvent(records, { type: 'watchlist.alert', accountId, subject, data, at: now });
  });
}

/** Returns what the labels of an address alone make of it; null where they are not adverse. */
function levelByLabel(labels: readonly Label[], at: number): { risk_level: RiskLevel; risk_score: number } | null {
  const floors = labels.filter((label) => isValidAt(label, at)).map(labelFloor);
  const risk_score = Math.max(0, ...floors);
  return risk_score > 0 ? { risk_level: levelOf(risk_score), risk_score } : null;
}
