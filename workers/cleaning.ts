import { setImmediate } from 'node:timers/promises';
import type { Context } from '../src/context.ts';
import { AUDIT_KEPT_DAYS } from '../src/domain/account/audit.ts';
import { HOUSE_AUTHORS } from '../src/domain/account/house-authors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/time.ts';
import { bringDeliveriesForward } from '../src/events/delivery-queues.ts';
import { bringEventsForward } from '../src/events/outbox.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { listAccounts } from '../src/records/accounts/accounts.ts';
import { deleteExpiredKeys } from '../src/records/accounts/idempotency-keys.ts';
import { deleteEndedKeys } from '../src/records/accounts/keys.ts';
import { periodOf, releaseExpired } from '../src/records/accounts/quota.ts';
import { type Cursor, deleteExpired, type ExpiringRecords } from '../src/records/accounts/retention.ts';
import { deleteEndedSessions } from '../src/records/accounts/sessions.ts';
import { forgetViews, insertAudit } from '../src/records/audit/audit-log.ts';
import { deleteOldAudit } from '../src/records/audit/keep-audit.ts';
import { bringJobsForward } from '../src/records/jobs/job-leases.ts';
import { bringItemsForward } from '../src/records/monitoring/watch-queue.ts';

const REVOKED_KEPT_DAYS = 90;

/** Releases units that were reserved by processes that died. */
const releaseExpiredUnits: PeriodicWork = {
  name: 'release_reservations',
  everyMs: MINUTE_MS,
  run: (ctx) => releaseExpired(ctx.records, ctx.now()),
};

const deleteOldReads: PeriodicWork = {
  name: 'delete_expired_reads',
  everyMs: 10 * MINUTE_MS,
  run: (ctx) => ctx.reads.deleteExpired(ctx.now()),
};

/** A request that lives may be late to renew its key: keys without an answer wait for an hour too. */
const deleteOldIdempotencyKeys: PeriodicWork = {
  name: 'delete_idempotency_keys',
  everyMs: 10 * MINUTE_MS,
  run: (ctx) => deleteExpiredKeys(ctx.records, ctx.now() - HOUR_MS),
};

/**
 * Deletes ended sessions. Views are of one hour: what a day ago was written is not asked again.
 *
 * @internal Run by a test.
 */
export const deleteOldSessions: PeriodicWork = {
  name: 'delete_ended_sessions',
  everyMs: 10 * MINUTE_MS,
  run: async (ctx) => {
    await deleteEndedSessions(ctx.records, ctx.now());
    await forgetViews(ctx.records, ctx.now() - DAY_MS);
  },
};

/**
 * Deletes, in small steps, what the settings keep no longer, and rescans of a day that say what the one before said. The log of
 * an account says how many.
 *
 * @internal Run by a test.
 */
export const expireRecords: PeriodicWork = {
  name: 'expire_records',
  everyMs: HOUR_MS,
  run: async ({ records, config, now }: Context, signal?: AbortSignal) => {
    const { RETENTION_SCANS_DAYS: scans, RETENTION_JOBS_DAYS: jobs, RETENTION_EVENTS_DAYS: events } = config;
    const keptDays = { repeats: 1, scans, traced: scans, transfers: scans, jobs, alerts: events };
    for (const { id: accountId } of await listAccounts(records)) {
      const counts: string[] = [];
      for (const [kind, days] of Object.entries(keptDays) as [ExpiringRecords, number | undefined][]) {
        if (days === undefined) continue;
        const asked = { accountId, before: now() - days * DAY_MS, now: now() };
        let deleted = 0;
        for (let after: Cursor | null | undefined; after !== null && !signal?.aborted; await setImmediate()) {
          const step = await deleteExpired(records, kind, { ...asked, after: after ?? null });
          deleted += step.deleted;
          after = step.next;
        }
        if (deleted > 0) counts.push(`${kind}: ${deleted}`);
      }
      if (counts.length === 0) continue;
      const service = { accountId, keyId: null, name: HOUSE_AUTHORS.service };
      await insertAudit(records, { ...service, action: 'records_expired', subject: counts.join(', ') }, now());
    }
  },
};

/** @internal Run by a test. */
export const deleteOldKeys: PeriodicWork = {
  name: 'delete_revoked_keys',
  everyMs: HOUR_MS,
  run: (ctx) => deleteEndedKeys(ctx.records, ctx.now() - REVOKED_KEPT_DAYS * DAY_MS),
};

const deleteOldAuditEntries: PeriodicWork = {
  name: 'delete_old_audit',
  everyMs: HOUR_MS,
  // Each time an entry says so: by whole months these stay few.
  run: (ctx) => deleteOldAudit(ctx.records, Date.parse(periodOf(ctx.now() - AUDIT_KEPT_DAYS * DAY_MS)), ctx.now()),
};

/**
 * Brings due times forward: after a clock was ahead nothing waits longer than its own interval.
 *
 * @internal Run by a test.
 */
export const bringDueTimesForward: PeriodicWork = {
  name: 'bring_due_times_forward',
  everyMs: MINUTE_MS,
  run: async ({ records, now, config, log }: Context) => {
    const changed = {
      watched: await bringItemsForward(records, now()),
      deliveries: await bringDeliveriesForward(records, now()),
      events: await bringEventsForward(records, now()),
      jobs: await bringJobsForward(records, now(), config.JOB_LEASE_MS),
    };
    if (Object.values(changed).every((count) => count === 0)) return;
    log.warn(changed, 'due times were further ahead than their interval and were brought forward: a clock was wrong');
  },
};

/** Deletes what has had its time, and brings forward what was set by a wrong clock. */
export const CLEANING: readonly PeriodicWork[] = [
  bringDueTimesForward,
  releaseExpiredUnits,
  deleteOldReads,
  deleteOldIdempotencyKeys,
  deleteOldAuditEntries,
  deleteOldKeys,
  deleteOldSessions,
  expireRecords,
];
