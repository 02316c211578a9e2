import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** A sealed text that only the right key opens. */
export async function addSecretCanary(db: AnyStore): Promise<void> {
  await sql`create table secret_canary (id integer primary key, sealed text not null)`.execute(db);
}
