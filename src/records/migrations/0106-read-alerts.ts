import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** When an account read an alert of its watched addresses. */
export async function addReadAlerts(db: AnyStore): Promise<void> {
  await sql`alter table events add column read_at bigint`.execute(db);
  await sql`create index events_alerts on events (account_id, created_at)
    where type in ('risk.changed', 'watchlist.alert')`.execute(db);
}
