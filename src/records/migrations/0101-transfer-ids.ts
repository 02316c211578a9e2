import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Cached scans name transfers by ids that are no more; decisions on likely matches name the transaction instead. */
export async function nameReceiptsByTransaction(db: AnyStore): Promise<void> {
  await sql`delete from scan_cache`.execute(db);
  await sql`update match_decisions set receipt_id = chain_in || ':' || tx_in`.execute(db);
}
