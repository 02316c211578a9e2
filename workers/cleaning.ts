import { MINUTE_MS } from '../src/domain/time.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { releaseExpired } from '../src/records/accounts/quota.ts';
import { deleteExpiredReads } from '../src/records/scans/read-cache.ts';

/** Releases units that were reserved by processes that died. */
export const releaseExpiredUnits: PeriodicWork = {
  name: 'release_reservations',
  everyMs: MINUTE_MS,
  run: (ctx) => releaseExpired(ctx.records, ctx.now()),
};

export const deleteOldReads: PeriodicWork = {
  name: 'delete_expired_reads',
  everyMs: 10 * MINUTE_MS,
  run: (ctx) => deleteExpiredReads(ctx.records, ctx.now()),
};
