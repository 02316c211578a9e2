import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Bytes of all records of an account; `stored-bytes.ts` counts them. */
export async function addStoredBytes(db: AnyStore): Promise<void> {
  await sql`alter table accounts add column stored_bytes bigint default 0 not null`.execute(db);
}
