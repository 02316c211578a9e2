import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Lets addresses that were opened long ago go; from here on they count to the stored bytes of their account. */
export async function indexTracedAddresses(db: AnyStore): Promise<void> {
  await sql`create index traced_addresses_age on traced_addresses (account_id, at, address)`.execute(db);
}
