import { fill } from '../../../words/fill.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import { HOUSE_AUTHORS } from '../../domain/account/house-authors.ts';
import { recipientPage } from '../../events/mail/mail-links.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import * as recipients from '../../records/accounts/mail-recipients.ts';
import { insertAudit, operatorFor } from '../../records/audit/audit-log.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';

/** The state of the mail that a client asked for. */
export const MAIL_STATES = ['sent_on_completion', 'not_configured', 'recipient_not_confirmed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

type Recipient = recipients.Recipient;

export async function mailStateOf(ctx: Context, recipient: Recipient): Promise<MailState> {
  if (!ctx.mail) return 'not_configured';
  const state = await recipients.recipientState(ctx.records, recipient);
  return state === 'confirmed' ? 'sent_on_completion' : 'recipient_not_confirmed';
}

/**
 * Sends the one mail that asks whether mails of the account are wanted, where it may go out. It holds nothing that the
 * client wrote. Never throws: the job goes on without mail.
 */
export async function askForConsent(ctx: Context, recipient: Recipient): Promise<void> {
  const { mail, records } = ctx;
  try {
    if (!mail || !(await recipients.askRecipient(records, recipient, ctx.now()))) return;
    const { name } = await findAccount(records, recipient.accountId);
    const page = recipientPage(ctx.config, ctx.secrets, recipient);
    const text = fill(messages.consent, { name, page });
    await mail.send({ to: recipient.address, subject: messages.consent_subject, text, page });
  } catch (err) {
    ctx.log.warn({ err, account_id: recipient.accountId }, 'a recipient was not asked for consent');
    await recipients.noteFailedAsking(records, recipient).catch(() => {});
  }
}

/** The recipient's own answer. False where a yes comes too late. */
export function answerConsent(ctx: Context, recipient: Recipient, answer: 'confirm' | 'end'): Promise<boolean> {
  const now = ctx.now();
  const actor = { accountId: recipient.accountId, keyId: null, name: HOUSE_AUTHORS.recipient };
  return inTransaction(ctx.records, async (records) => {
    const before = await recipients.recipientState(records, recipient);
    if (answer === 'confirm') {
      if (before === 'confirmed') return true;
      if (!(await recipients.confirmRecipient(records, recipient, now))) return false;
    } else {
      if (before === 'ended') return true;
      await recipients.endRecipient(records, recipient);
    }
    const action = answer === 'confirm' ? 'mail_confirmed' : 'mail_ended';
    await insertAudit(records, { ...actor, action, subject: recipient.address }, now);
    return true;
  });
}

/** Allows mails without asking, as the operator. Throws NotFoundError. */
export function allowMails(records: Records, recipient: Recipient, now: number): Promise<void> {
  return inTransaction(records, async (transaction) => {
    await recipients.allowRecipient(transaction, recipient, now);
    const entry = { action: 'mail_allowed', subject: recipient.address } as const;
    await insertAudit(transaction, { ...operatorFor(recipient.accountId), ...entry }, now);
  });
}
