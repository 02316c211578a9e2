import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Accounts that are refused for now, or that are being erased. */
export async function addSuspendedAccounts(db: AnyStore): Promise<void> {
  await sql`alter table accounts add column suspended_at bigint`.execute(db);
  await sql`alter table accounts add column erased_from bigint`.execute(db);
}
