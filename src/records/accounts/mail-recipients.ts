import { DAY_MS, dayOf } from '../../domain/time.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { MailRecipientRow } from '../database/tables/events.ts';
import { holdName } from '../dialect.ts';
import { findAccount, lockAccount } from './accounts.ts';

export type RecipientState = MailRecipientRow['state'];

export interface Recipient {
  accountId: string;
  /** In lower case. */
  address: string;
}

/** How long the link of the first mail says yes. */
const CONFIRM_MS = DAY_MS;
const ASKED_AGAIN_MS = 30 * DAY_MS;
/** Recipients that one account may ask a day. */
const ASKED_A_DAY = 5;
/** To one address, from all accounts together. */
const MAILS_A_DAY = 20;

/** Null where the address was never asked. */
export async function recipientState(records: Records, recipient: Recipient): Promise<RecipientState | null> {
  const row = await rowOf(records, recipient);
  return row?.state ?? null;
}

/**
 * Notes that the recipient is asked now; false where no mail may go out: it was asked lately, by this account or another,
 * it has answered, or the account has asked as many as it may in a day.
 */
export async function askRecipient(records: Records, recipient: Recipient, now: number): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    await lockAccount(transaction, recipient.accountId);
    await holdName(transaction, `mail to ${recipient.address}`);
    const row = await rowOf(transaction, recipient);
    if (row && row.state !== 'failed' && (row.state !== 'asked' || row.asked_at > now - ASKED_AGAIN_MS)) return false;
    const lately = transaction
      .selectFrom('mail_recipients')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('asked_at', '>', now - DAY_MS);
    const ofAddress = await lately
      .where('address', '=', recipient.address)
      .where('state', '!=', 'failed')
      .executeTakeFirstOrThrow();
    const ofAccount = await lately
      .where('account_id', '=', recipient.accountId)
      .where('address', '!=', recipient.address)
      .executeTakeFirstOrThrow();
    if (Number(ofAddress.count) > 0 || Number(ofAccount.count) >= ASKED_A_DAY) return false;
    await saveState(transaction, recipient, 'asked', now);
    return true;
  });
}

/** Lets the recipient be asked again: the first mail did not go out. It still counts among those of the day. */
export async function noteFailedAsking(records: Records, recipient: Recipient): Promise<void> {
  await updateOf(records, recipient).set({ state: 'failed' }).where('state', '=', 'asked').execute();
}

/** True where the recipient was asked within a day, and so is confirmed from now on. */
export async function confirmRecipient(records: Records, recipient: Recipient, now: number): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(records, recipient)
    .set({ state: 'confirmed' })
    .where('state', '=', 'asked')
    .where('asked_at', '>', now - CONFIRM_MS)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Confirms in the recipient's name. Throws NotFoundError for an unknown account. */
export async function allowRecipient(records: Records, recipient: Recipient, now: number): Promise<void> {
  await findAccount(records, recipient.accountId);
  await saveState(records, recipient, 'confirmed', now);
}

/** No mail of the account goes there any more, until the operator allows it. */
export async function endRecipient(records: Records, recipient: Recipient): Promise<void> {
  await updateOf(records, recipient).set({ state: 'ended' }).execute();
}

/** Counts a mail to a confirmed recipient; false where none may go out today. */
export async function takeMail(records: Records, recipient: Recipient, now: number): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    await lockAccount(transaction, recipient.accountId);
    await holdName(transaction, `mail to ${recipient.address}`);
    const row = await rowOf(transaction, recipient);
    if (row?.state !== 'confirmed') return false;
    const today = dayOf(now);
    const sent = await transaction
      .selectFrom('mail_recipients')
      .select((e) => e.fn.sum<number | null>('sent_count').as('count'))
      .where('address', '=', recipient.address)
      .where('sent_day', '=', today)
      .executeTakeFirstOrThrow();
    if (Number(sent.count ?? 0) >= MAILS_A_DAY) return false;
    const count = row.sent_day === today ? row.sent_count + 1 : 1;
    await updateOf(transaction, recipient).set({ sent_day: today, sent_count: count }).execute();
    return true;
  });
}

function rowOf(records: Records, { accountId, address }: Recipient): Promise<MailRecipientRow | undefined> {
  return records
    .selectFrom('mail_recipients')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('address', '=', address)
    .executeTakeFirst();
}

function updateOf(records: Records, { accountId, address }: Recipient) {
  return records.updateTable('mail_recipients').where('account_id', '=', accountId).where('address', '=', address);
}

async function saveState(
  records: Records,
  { accountId, address }: Recipient,
  state: RecipientState,
  now: number,
): Promise<void> {
  await records
    .insertInto('mail_recipients')
    .values({ account_id: accountId, address, state, asked_at: now, sent_day: '', sent_count: 0 })
    .onConflict((conflict) => conflict.columns(['account_id', 'address']).doUpdateSet({ state, asked_at: now }))
    .execute();
}
