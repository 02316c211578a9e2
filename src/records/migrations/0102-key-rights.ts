import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Keys made before rights existed have all of them, from anywhere and without end. */
export async function addKeyRights(db: AnyStore): Promise<void> {
  await sql`alter table api_keys add column scopes text not null default 'read scan cases monitor admin'`.execute(db);
  await sql`alter table api_keys add column expires_at bigint`.execute(db);
  await sql`alter table api_keys add column allowed_ips text not null default ''`.execute(db);
}
