import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Consent of recipients to the mails of an account. None was asked before: each is at the next mail to it. */
export async function addMailRecipients(db: AnyStore): Promise<void> {
  await sql`create table mail_recipients (
    account_id text not null references accounts (id) on delete cascade, address text not null, state text not null,
    asked_at bigint not null, sent_day text not null, sent_count bigint not null,
    constraint mail_recipients_key primary key (account_id, address))`.execute(db);
  await sql`create index mail_recipients_address on mail_recipients (address)`.execute(db);
}
