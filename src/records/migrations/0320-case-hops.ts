import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/**
 * Lets the distance of a case address be unknown. A stored 1 may be the old default, so it becomes unknown too; SQLite has no other
 * way to drop `not null`.
 */
export async function letHopsBeUnknown(db: AnyStore): Promise<void> {
  await sql`alter table case_addresses add column hops integer`.execute(db);
  await sql`update case_addresses set hops = hop_distance where hop_distance <> 1`.execute(db);
  await sql`alter table case_addresses drop column hop_distance`.execute(db);
  await sql`alter table case_addresses rename column hops to hop_distance`.execute(db);
}
