import { sql } from 'kysely';
import type { JobLane, JobType } from '../../domain/job.ts';
import { isServed } from '../accounts/accounts.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { StoredJob } from '../database/tables/jobs.ts';
import { holdName } from '../dialect.ts';
import { PAUSES_MS } from './job-leases.ts';
import { LOSSES_MAX, TRIES } from './jobs.ts';

/**
 * Waiting, or abandoned by its worker once `run_at` has passed, which may not happen too often. In the words of the index
 * `jobs_waiting`.
 */
const isWaiting = sql<boolean>`status in ('queued', 'running') and tries_left > 0
  and (status = 'queued' or lost < ${sql.lit(LOSSES_MAX - 1)})`;

function isDue(now: number) {
  return sql<boolean>`${isWaiting} and run_at <= ${now}`;
}

/**
 * Takes a due job in these lanes; undefined if there is none. The account with the fewest running jobs of a lane comes
 * first, then the one that was served longest ago; of an account, the job that is longest due. Claims of a type go one
 * after another, so nobody else gets the same attempt. A claim whose connection is lost is rolled back and costs no try.
 */
export function claimJob(
  records: Records,
  { type, lanes }: { type: JobType; lanes: readonly JobLane[] },
  now: number,
  leaseMs: number,
): Promise<StoredJob | undefined> {
  const leaseUntil = now + leaseMs;
  const pause = sql`case tries_left when ${sql.lit(TRIES)} then ${sql.lit(PAUSES_MS[0])}
    when ${sql.lit(TRIES - 1)} then ${sql.lit(PAUSES_MS[1])} else ${sql.lit(PAUSES_MS[2])} end`;
  return inTransaction(records, async (transaction) => {
    await holdName(transaction, `claim ${type}`);
    return (
      transaction
        .updateTable('jobs')
        .set((e) => ({
          status: 'running',
          attempts: e('attempts', '+', 1),
          tries_left: e('tries_left', '-', 1),
          lost: sql<number>`lost + case status when 'running' then 1 else 0 end`,
          lease_until: leaseUntil,
          run_at: sql<number>`cast(${leaseUntil} as bigint) + ${pause}`,
          started_at: e.fn.coalesce('started_at', sql<number>`cast(${now} as bigint)`),
        }))
        .where('id', '=', nextJob(type, lanes, now))
        // PostgreSQL checks this once more where the job's last holder wrote to it meanwhile.
        .where(isDue(now))
        .returningAll()
        .executeTakeFirst()
    );
  });
}

/** Steps through an index from account to account: the cost grows with the accounts that wait, not with their jobs. */
function nextJob(type: JobType, lanes: readonly JobLane[], now: number) {
  const free = sql.join(lanes.map((lane) => sql`(${sql.lit(lane)})`));
  const waitingIn = (turn: 'free' | 'waiting' | 'next') =>
    sql`from jobs where ${isWaiting} and type = ${sql.lit(type)} and lane = ${sql.ref(`${turn}.lane`)}`;
  // In the order of the index `jobs_waiting`, which no other index has: `min` would take any of account ids.
  const firstAccount = (turn: 'free' | 'waiting', beyond = sql``) =>
    sql`select account_id ${waitingIn(turn)} ${beyond} order by account_id, run_at limit 1`;
  return sql<string>`(
    with recursive free (lane) as (values ${free}),
    waiting (lane, account_id) as (
      select lane, (${firstAccount('free')}) from free
      union all
      select lane, (${firstAccount('waiting', sql`and account_id > waiting.account_id`)}) from waiting
      where account_id is not null
    ),
    running as (
      select lane, account_id, count(*) as jobs from jobs
      where status = 'running' and type = ${sql.lit(type)} and lease_until > ${now}
      group by lane, account_id
    ),
    turns as materialized (
      select waiting.lane, waiting.account_id, coalesce(running.jobs, 0) as running,
        (select max(started_at) from jobs
          where type = ${sql.lit(type)} and lane = waiting.lane and account_id = waiting.account_id
            and started_at is not null and started_at <= ${now}) as served_at,
        (select min(run_at) ${waitingIn('waiting')} and account_id = waiting.account_id) as due_at
      from waiting left join running on running.lane = waiting.lane and running.account_id = waiting.account_id
      where waiting.account_id is not null and ${isServed('waiting.account_id')}
    ),
    next as (
      select lane, account_id, due_at from turns where due_at <= ${now}
      order by running, coalesce(served_at, 0), due_at limit 1
    )
    select (select id ${waitingIn('next')} and account_id = next.account_id and run_at = next.due_at limit 1) from next)`;
}

/** Counts the jobs of a type that a worker could claim now, by lane; lanes without any are missing. */
export async function countDueJobs(records: Records, type: JobType, now: number): Promise<Map<JobLane, number>> {
  const rows = await records
    .selectFrom('jobs')
    .select((e) => ['lane', e.fn.countAll<number>().as('jobs')])
    .where('type', '=', type)
    .where(isDue(now))
    .where(isServed('account_id'))
    .groupBy('lane')
    .execute();
  return new Map(rows.map(({ lane, jobs }) => [lane, Number(jobs)]));
}
