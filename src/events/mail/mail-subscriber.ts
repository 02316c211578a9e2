import { fill } from '../../../words/fill.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import { DAY_MS, iso } from '../../domain/time.ts';
import type { ScanJobInput } from '../../questions/jobs/scan-jobs.ts';
import { type Recipient, recipientState, takeMail } from '../../records/accounts/mail-recipients.ts';
import type { Records } from '../../records/database/database.ts';
import type { AlertMailRow } from '../../records/database/tables/alerts.ts';
import type { RecordedEvent } from '../../records/database/tables/events.ts';
import { findJob } from '../../records/jobs/jobs.ts';
import { listAlertMails } from '../../records/monitoring/alert-mails.ts';
import { ALERT_TYPES } from '../alerts.ts';
import type { Subscriber } from '../deliverer.ts';
import { eventTitle } from '../event-title.ts';
import type { BatchCompleted } from '../payloads.ts';
import { recipientPage } from './mail-links.ts';

/**
 * Mails that a batch has ended to the address that its client named, and alerts to who hears of them at once, where mail is set
 * up and the recipient wants it.
 */
export function mailSubscriber(ctx: Context): Subscriber {
  const { mail } = ctx;
  return {
    name: 'mail',
    recipients: async (records, event) => {
      if (!mail) return [];
      if ((ALERT_TYPES as readonly string[]).includes(event.type)) return alertRecipients(ctx, records, event);
      if (event.type !== 'batch.completed') return [];
      const job = await findJob(records, event.account_id, event.subject);
      const { notifyEmail } = JSON.parse(job?.input ?? '{}') as Partial<ScanJobInput>;
      if (!notifyEmail) return [];
      const recipient = { accountId: event.account_id, address: notifyEmail };
      return (await takeMail(records, recipient, ctx.now())) ? [notifyEmail] : [];
    },
    deliver: async ({ delivery, event }) => {
      if (!mail) return { outcome: 'refused', error: 'SMTP_URL is not set' };
      const recipient = { accountId: event.account_id, address: delivery.recipient };
      if ((await recipientState(ctx.records, recipient)) !== 'confirmed') {
        return { outcome: 'refused', error: 'The recipient ended these mails' };
      }
      const isAlert = event.type !== 'batch.completed';
      if (isAlert && !(await hearsOfAlerts(ctx.records, recipient))) {
        return { outcome: 'refused', error: 'The account took the recipient off' };
      }
      const message = isAlert ? alertMail(ctx, event) : batchMail(event);
      const page = recipientPage(ctx.config, ctx.secrets, recipient);
      await mail.send({ to: delivery.recipient, ...message, page });
      return { outcome: 'delivered' };
    },
  };
}

function batchMail({ payload }: RecordedEvent) {
  const { job_id, status, total, completed, failed, detail_url } = JSON.parse(payload) as BatchCompleted;
  const values = { job_id, status, total, completed, failed, detail_url };
  return { subject: fill(messages.batch_subject, values), text: fill(messages.batch, values) };
}

/** Alerts that a digest names; the others are counted. */
const NAMED_MAX = 50;

/** Finds who hears of an alert at once. One that may get no more mails today has it in the next digest. */
async function alertRecipients(ctx: Context, records: Records, event: RecordedEvent): Promise<string[]> {
  const { account_id: accountId } = event;
  const found: string[] = [];
  for (const { address } of await listAlertMails(records, accountId, 'at_once')) {
    const recipient = { accountId, address };
    if (await takeMail(records, recipient, ctx.now())) found.push(address);
    else if ((await recipientState(records, recipient)) === 'confirmed') await noteMissed(records, accountId, address);
  }
  return found;
}

/** Says whether the account still has the recipient, who may have been removed while a mail waited. */
async function hearsOfAlerts(records: Records, { accountId, address }: Recipient): Promise<boolean> {
  return (await listAlertMails(records, accountId)).some((one) => one.address === address);
}

/** Writes subject and text of the mail about one alert. */
function alertMail({ config }: Context, { type, payload, created_at }: RecordedEvent) {
  const data = JSON.parse(payload) as { risk_level?: string };
  const title = eventTitle(type, data) ?? type;
  const values = { title, level: data.risk_level ?? '-', at: iso(created_at), page: alertsPage(config) };
  return { subject: fill(messages.alert_subject, values), text: fill(messages.alert, values) };
}

const alertsPage = ({ publicUrl }: Context['config']) => `${publicUrl}/#/alerts`;

/** Mails each recipient whose day is over the alerts since the last digest, where there are any. */
export async function mailDigests(ctx: Context, signal?: AbortSignal): Promise<void> {
  if (!ctx.mail) return;
  for (const row of await dueDigests(ctx.records, ctx.now() - DAY_MS)) {
    if (signal?.aborted) return;
    await mailDigest(ctx, row).catch((err: unknown) =>
      ctx.log.warn({ err, account_id: row.account_id }, 'a digest of alerts was not mailed: it is tried again'),
    );
  }
}

async function mailDigest(ctx: Context, row: AlertMailRow): Promise<void> {
  const now = ctx.now();
  const { account_id: accountId, address, digest_at } = row;
  const recipient = { accountId, address };
  const { alerts, total } = await alertsSince(ctx.records, accountId, digest_at, NAMED_MAX);
  if (total > 0) {
    if (!(await takeMail(ctx.records, recipient, now))) return;
    const lines = alerts.map(({ title, severity, last_raised_at }) => `${iso(last_raised_at)} ${severity}: ${title}`);
    const values = { total, since: iso(digest_at), lines: lines.join('\n'), page: alertsPage(ctx.config) };
    await ctx.mail!.send({
      to: address,
      subject: fill(messages.digest_subject, values),
      text: fill(messages.digest, values),
      page: recipientPage(ctx.config, ctx.secrets, recipient),
    });
  }
  await noteDigest(ctx.records, row, now);
}

/** Notes that an alert went to no mail at once: the next digest has it. */
async function noteMissed(records: Records, accountId: string, address: string): Promise<void> {
  await updateOf(records, accountId, address).set({ missed: 1 }).execute();
}

async function noteDigest(records: Records, { account_id, address }: AlertMailRow, at: number): Promise<void> {
  await updateOf(records, account_id, address).set({ missed: 0, digest_at: at }).execute();
}

/** Recipients whose last digest is from before a moment: the daily ones, and those that missed an alert. */
function dueDigests(records: Records, before: number): Promise<AlertMailRow[]> {
  return records
    .selectFrom('alert_mails')
    .selectAll()
    .where('digest_at', '<=', before)
    .where((e) => e.or([e('rhythm', '=', 'daily'), e('missed', '=', 1)]))
    .orderBy('account_id')
    .orderBy('address')
    .execute();
}

/** Alerts that were raised since a moment, newest first, and how many there are; those of tried rules ring nowhere. */
async function alertsSince(records: Records, accountId: string, since: number, limit: number) {
  const raised = records
    .selectFrom('alerts')
    .where('account_id', '=', accountId)
    .where('last_raised_at', '>', since)
    .where('is_test', '=', 0);
  const { total } = await raised.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const alerts = await raised
    .select(['title', 'severity', 'last_raised_at'])
    .orderBy('rank', 'desc')
    .orderBy('last_raised_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return { alerts, total: Number(total) };
}

function updateOf(records: Records, accountId: string, address: string) {
  return records.updateTable('alert_mails').where('account_id', '=', accountId).where('address', '=', address);
}
