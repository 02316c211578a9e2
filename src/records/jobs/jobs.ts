import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { JobLane, JobType } from '../../domain/job.ts';
import type { Records } from '../database/database.ts';
import type { StoredJob } from '../database/tables/jobs.ts';
import type { Tables } from '../database/tables/tables.ts';

/** The first try and three more. */
export const TRIES = 4;
/** A job whose worker was lost so often is set aside: it may be what ends the process. */
export const LOSSES_MAX = 2;

export interface NewJob {
  /** Id of the object that the job works on, where they share one; default: a new one. */
  id?: string;
  accountId: string;
  type: JobType;
  caseId?: string;
  lane?: JobLane;
  input: unknown;
  /** Things to do; `failed` of them cannot be done from the beginning. */
  total: number;
  failed?: number;
  reservationId?: string;
}

export async function insertJob(records: Records, job: NewJob, now: number): Promise<StoredJob> {
  return records
    .insertInto('jobs')
    .values({
      id: job.id ?? randomUUID(),
      account_id: job.accountId,
      type: job.type,
      case_id: job.caseId ?? null,
      lane: job.lane ?? 'any',
      status: 'queued',
      input: JSON.stringify(job.input),
      total: job.total,
      completed: 0,
      failed: job.failed ?? 0,
      attempts: 0,
      tries_left: TRIES,
      lost: 0,
      run_at: now,
      reservation_id: job.reservationId ?? null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findJob(records: Records, accountId: string, id: string): Promise<StoredJob | undefined> {
  return records
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** The account's job of a type with this input that waits or runs; undefined where there is none. */
export function findLiveJob(
  records: Records,
  { accountId, type, input, now }: { accountId: string; type: JobType; input: unknown; now: number },
): Promise<StoredJob | undefined> {
  return records
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .where('input', '=', JSON.stringify(input))
    .where((e) => isLiveRow(e, now))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}

/** The newest jobs of an account that have not ended. */
export function listLiveJobs(records: Records, accountId: string, limit: number): Promise<StoredJob[]> {
  return records
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** As `isLive` says it of a job that was read. */
function isLiveRow(e: ExpressionBuilder<Tables, 'jobs'>, now: number) {
  return e.or([
    e('status', '=', 'queued'),
    e.and([
      e('status', '=', 'running'),
      e.or([e('lease_until', '>', now), e.and([e('tries_left', '>', 0), e('lost', '<', LOSSES_MAX - 1)])]),
    ]),
  ]);
}

/** Counts the jobs of a type of an account that wait, run, or will be taken over. */
export async function countLiveJobs(
  records: Records,
  { accountId, type, now }: { accountId: string; type: JobType; now: number },
): Promise<number> {
  const { count } = await records
    .selectFrom('jobs')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .where((e) => isLiveRow(e, now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The jobs of a case, newest first; of one type, or of all. */
export function listCaseJobs(records: Records, caseId: string, type?: JobType): Promise<StoredJob[]> {
  return records
    .selectFrom('jobs')
    .selectAll()
    .where('case_id', '=', caseId)
    .$if(type !== undefined, (jobs) => jobs.where('type', '=', type!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** True while the job waits, runs, or will be taken over from a lost worker. */
export function isLive({ status, lease_until, tries_left, lost }: StoredJob, now: number): boolean {
  const mayBeTakenOver = tries_left > 0 && lost < LOSSES_MAX - 1;
  return status === 'queued' || (status === 'running' && (lease_until! > now || mayBeTakenOver));
}

/** How many jobs of each type and status there are, and when the oldest of them was made (epoch ms). */
export async function countJobs(records: Records) {
  const rows = await records
    .selectFrom('jobs')
    .select((e) => ['type', 'status', e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('oldestAt')])
    .groupBy(['type', 'status'])
    .execute();
  return rows.map(({ count, oldestAt, ...row }) => ({ ...row, count: Number(count), oldestAt: Number(oldestAt) }));
}

/** Queues an ended or stale job again; undefined when it is neither, or a late worker has ended it since `job` was read. */
export function requeueJob(
  records: Records,
  job: StoredJob,
  next: { input: unknown; pending: number; reservationId: string | null; now: number },
): Promise<StoredJob | undefined> {
  return records
    .updateTable('jobs')
    .set((e) => ({
      status: 'queued',
      input: JSON.stringify(next.input),
      tries_left: TRIES,
      lost: 0,
      run_at: next.now,
      lease_until: null,
      error_message: null,
      completed_at: null,
      failed: e(e('total', '-', e.ref('completed')), '-', next.pending),
      reservation_id: next.reservationId,
    }))
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('status', '=', job.status)
    .where((e) =>
      e.or([
        e('status', 'in', ['completed', 'failed', 'stale']),
        e.and([e('status', '=', 'running'), e('lease_until', '<=', next.now)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Ends a job that waits or runs; its worker finds that it lost it. */
export async function cancelJob(records: Records, id: string, now: number): Promise<void> {
  await records
    .updateTable('jobs')
    .set({ status: 'failed', error_message: 'Cancelled', completed_at: now, lease_until: null })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}
