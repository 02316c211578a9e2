import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Token transfers of loaded files that moved nothing, under each of their two ends. */
export async function addWorthlessTransfers(db: AnyStore): Promise<void> {
  await sql`create table worthless_transfers (
    chain text not null, address text not null, id text not null, at bigint not null, transfer text not null,
    constraint worthless_transfers_key primary key (chain, address, id))`.execute(db);
}
