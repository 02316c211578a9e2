import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Recipients of mails about alerts. */
export async function addAlertMails(db: AnyStore): Promise<void> {
  await sql`create table alert_mails (
    account_id text not null references accounts (id) on delete cascade, address text not null,
    rhythm text not null, missed integer not null, digest_at bigint not null,
    constraint alert_mails_key primary key (account_id, address))`.execute(db);
}
