import { randomUUID } from 'node:crypto';
import type { Records } from '../../src/records/database/database.ts';
import type { WatchlistRow } from '../../src/records/database/tables/monitoring.ts';
import { insertItem } from '../../src/records/monitoring/watchlist.ts';

/** Inserts a watched address of Ethereum that was never scanned. Returns the id of its item. */
export async function watchItem(records: Records, accountId: string, more: Partial<WatchlistRow>): Promise<string> {
  const id = randomUUID();
  await insertItem(records, {
    id,
    account_id: accountId,
    chain: 'ethereum',
    address: id,
    label: '',
    monitor_type: 'address',
    follow_mode_enabled: 0,
    follow_depth: 1,
    last_risk_level: null,
    last_risk_score: null,
    last_scanned_at: null,
    last_rule_set: null,
    label_state: null,
    unconfirmed_level: null,
    level_before_rule_set: null,
    sanctioned: '[]',
    failing_since: null,
    next_scan_at: 0,
    walk_due: 0,
    busy_until: 0,
    lost: 0,
    taken_at: null,
    follow_coverage: null,
    manual_day: null,
    manual_rescans: 0,
    live: 0,
    live_since: null,
    listened_since: null,
    too_busy_since: null,
    live_said: null,
    live_said_at: null,
    movements: '"out"',
    created_at: 0,
    ...more,
  });
  return id;
}
