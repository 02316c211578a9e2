import { type ExpressionBuilder, sql } from 'kysely';
import type { JobType } from '../../domain/job.ts';
import { UnavailableError } from '../../errors.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { type ChangeOf, inTransaction, type Records } from '../database/database.ts';
import type { StoredJob } from '../database/tables/jobs.ts';
import type { Tables } from '../database/tables/tables.ts';
import { LOSSES_MAX, TRIES } from './jobs.ts';

/** Pauses before the second, third and fourth try. */
export const PAUSES_MS = [1_000, 4_000, 10_000] as const;
/** The longest that a job may ask to wait at once. */
export const WAIT_MS_MAX = 60_000;

/** Renews the lease; the job as it is now, or undefined when the attempt is no longer the newest or the job is done. */
export function resumeJob(records: Records, job: StoredJob, leaseUntil: number): Promise<StoredJob | undefined> {
  return updateAsHolder(records, job)
    .set({ lease_until: leaseUntil, run_at: leaseUntil + pauseMs(job) })
    .returningAll()
    .executeTakeFirst();
}

/** False when the attempt is no longer the newest, or the job is done. */
export async function renewLease(records: Records, job: StoredJob, leaseUntil: number): Promise<boolean> {
  return writeAsHolder(records, job, { lease_until: leaseUntil, run_at: leaseUntil + pauseMs(job) });
}

/** Gives a job that is still running back to the queue, due at a moment (epoch ms); the try does not count. */
export async function releaseJob(records: Records, job: StoredJob, dueAt: number): Promise<boolean> {
  return writeAsHolder(records, job, {
    status: 'queued',
    run_at: dueAt,
    lease_until: null,
    tries_left: job.tries_left + 1,
  });
}

/** Queues a job again after a failed attempt, for when the pause of that attempt is over. */
export async function postponeJob(records: Records, job: StoredJob, now: number): Promise<void> {
  await writeAsHolder(records, job, { status: 'queued', run_at: now + pauseMs(job), lease_until: null });
}

export interface JobEnd {
  status: 'completed' | 'failed' | 'stale';
  errorMessage: string | null;
  /** Epoch ms. */
  at: number;
}

/** Writes for a kind of job in the transaction that ends a job; `job` is as it was before. */
export type OnJobEnd = (transaction: Records, job: StoredJob, end: JobEnd) => Promise<void>;

/** Ends a job as its holder, together with `onEnd`. Throws UnavailableError when another worker has it. */
export async function endJob(
  records: Records,
  job: StoredJob,
  end: JobEnd,
  onEnd: OnJobEnd | null = null,
): Promise<void> {
  await inTransaction(records, async (transaction) => {
    const jobs = transaction.selectFrom('jobs').selectAll().where('id', '=', job.id);
    // Before the job's own row: whatever changes an account locks the account first.
    await onEnd?.(transaction, await jobs.executeTakeFirstOrThrow(), end);
    const closed = await writeAsHolder(transaction, job, {
      status: end.status,
      error_message: end.errorMessage,
      completed_at: end.at,
      lease_until: null,
    });
    if (!closed) throw takenOver();
  });
}

/** Makes jobs due after one lease and pause at most, whatever a clock that was ahead wrote; how many it changed. */
export async function bringJobsForward(records: Records, now: number, leaseMs: number): Promise<number> {
  const pauseMaxMs = Math.max(...PAUSES_MS);
  const dueMax = sql<number>`cast(${now} as bigint) + case type when 'transfer_scan' then ${sql.lit(WAIT_MS_MAX)} else ${sql.lit(pauseMaxMs)} end`;
  const queued = await records
    .updateTable('jobs')
    .set({ run_at: dueMax })
    .where('status', '=', 'queued')
    .where('run_at', '>', dueMax)
    .executeTakeFirst();
  const running = await records
    .updateTable('jobs')
    .set({ run_at: now + leaseMs + pauseMaxMs, lease_until: now + leaseMs })
    .where('status', '=', 'running')
    .where('run_at', '>', now + leaseMs + pauseMaxMs)
    .executeTakeFirst();
  return Number(queued.numUpdatedRows + running.numUpdatedRows);
}

const LOST = 'The worker was lost';
const SET_ASIDE = 'The process ended twice while this job ran: it is not tried again by itself';

/**
 * Marks the jobs of a type whose last worker was lost, or the second one, as stale, each together with `onEnd`: once, and not
 * where a late worker holds or ends it meanwhile.
 */
export async function giveUpLostJobs(
  records: Records,
  type: JobType,
  now: number,
  onEnd: OnJobEnd | null,
): Promise<void> {
  const isLost = (e: ExpressionBuilder<Tables, 'jobs'>) =>
    e.and([
      e('status', '=', 'running'),
      e.or([e('tries_left', '=', 0), e('lost', '>=', LOSSES_MAX - 1)]),
      e('lease_until', '<=', now),
    ]);
  const lost = await records.selectFrom('jobs').selectAll().where('type', '=', type).where(isLost).execute();
  for (const job of lost) {
    const end = { status: 'stale', errorMessage: job.lost < LOSSES_MAX - 1 ? LOST : SET_ASIDE, at: now } as const;
    await inTransaction(records, async (transaction) => {
      // First, as everywhere: no two transactions wait for each other.
      await lockAccount(transaction, job.account_id);
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set({ status: end.status, error_message: end.errorMessage })
        .where('id', '=', job.id)
        .where('attempts', '=', job.attempts)
        .where(isLost)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) await onEnd?.(transaction, job, end);
    });
  }
}

/** Writes to a running job as the holder of its newest attempt; false when the caller is not that. */
export async function writeAsHolder(
  records: Records,
  job: StoredJob,
  values: ChangeOf<StoredJob> | { add: 'completed' | 'failed' },
): Promise<boolean> {
  const update = updateAsHolder(records, job);
  const { numUpdatedRows } = await ('add' in values
    ? update.set((e) => ({ [values.add]: e(values.add, '+', 1) }))
    : update.set(values)
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function updateAsHolder(records: Records, job: StoredJob) {
  return records
    .updateTable('jobs')
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('status', '=', 'running');
}

/** Thrown by what a worker writes after it lost its job to another one. */
export function takenOver(): UnavailableError {
  return new UnavailableError('The job was taken over by another worker', 1);
}

/** The pause after an attempt, by the tries that it left. */
function pauseMs(job: StoredJob): number {
  return PAUSES_MS[Math.max(0, Math.min(TRIES - 1 - job.tries_left, PAUSES_MS.length - 1))]!;
}
