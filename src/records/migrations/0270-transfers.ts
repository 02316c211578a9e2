import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  `create table screened_transfers (
    id text primary key, account_id text not null references accounts (id) on delete cascade, chain text not null,
    tx_hash text not null, direction text not null, asset text, amount text, address text, customer_ref text,
    reference text not null, lang text not null, state text not null, reason text, seen integer default 0 not null,
    wait_until bigint not null, result text, risk_level text, risk_score integer, category text, usd double precision,
    created_at bigint not null, ended_at bigint)`,
  'create index screened_transfers_account on screened_transfers (account_id, created_at)',
  'create index screened_transfers_customer on screened_transfers (account_id, customer_ref, created_at)',
  'create index screened_transfers_hash on screened_transfers (account_id, tx_hash)',
  `create table transfer_parties (
    transfer_id text not null references screened_transfers (id) on delete cascade, chain text not null,
    address text not null, adverse text not null, watched_until bigint not null,
    constraint transfer_parties_key primary key (transfer_id, address))`,
  'create index transfer_parties_watched on transfer_parties (watched_until)',
];

/** Deposits and withdrawals that are screened by their transaction, and the counterparties that are watched for them. */
export async function addTransfers(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
