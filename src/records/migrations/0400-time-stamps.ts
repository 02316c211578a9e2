import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Keeps whether an authority stamped the manifest of a report package. */
export async function addTimeStamps(db: AnyStore): Promise<void> {
  await sql`alter table report_packages add column stamp text`.execute(db);
  await sql`create index report_packages_pending on report_packages (created_at) where stamp = 'pending'`.execute(db);
}
