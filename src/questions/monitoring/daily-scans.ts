import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import type { Plan } from '../../plans.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { Records } from '../../records/database/database.ts';
import { countScansSince } from '../../records/scans/scans.ts';

/** The records of scans, and the clock. */
export interface ScanStores {
  records: Records;
  now: () => number;
}

/** The refusal of one more watched address. */
export function ceilingText({ watchlistItems }: Plan): string {
  return `Watchlist limit reached (${watchlistItems} items)`;
}

/**
 * Returns true where an account had as many scans of watched addresses in this UTC day as its plan gives to all of its items, and
 * `more` of each. Deleted items count: adding and deleting addresses gives no more scans than keeping them.
 */
export async function hasUsedScansOfDay(ctx: ScanStores, { accountId, plan }: Payer, more: number): Promise<boolean> {
  if (plan.watchlistItems === -1) return false;
  const perItem = Math.ceil(DAY_MS / (plan.rescanMinutes * MINUTE_MS)) + more;
  const dayStart = ctx.now() - (ctx.now() % DAY_MS);
  const count = await countScansSince(ctx.records, { accountId, source: 'watchlist', since: dayStart });
  return count >= plan.watchlistItems * perItem;
}
