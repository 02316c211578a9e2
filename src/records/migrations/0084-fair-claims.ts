import { type Kysely, type SqlBool, sql } from 'kysely';

/** For claim-job.ts: which accounts wait in a lane, the oldest due job of each, and when it was last served. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('jobs_waiting')
    .on('jobs')
    .columns(['type', 'lane', 'account_id', 'run_at'])
    .where(sql<SqlBool>`status in ('queued', 'running') and tries_left > 0`)
    .execute();
  await db.schema
    .createIndex('jobs_started')
    .on('jobs')
    .columns(['type', 'lane', 'account_id', 'started_at'])
    .where('started_at', 'is not', null)
    .execute();
}
