import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Finds the work of an account that has not ended without its other jobs. */
export async function indexLiveJobs(db: AnyStore): Promise<void> {
  await sql
    .raw(`create index jobs_live on jobs (account_id, created_at) where status in ('queued', 'running')`)
    .execute(db);
}
