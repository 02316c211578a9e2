import { fill } from '../../../words/fill.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import type { ScanJobInput } from '../../questions/jobs/queue-scan-job.ts';
import { recipientState, takeMail } from '../../records/accounts/mail-recipients.ts';
import { findJob } from '../../records/jobs/jobs.ts';
import { ALERT_TYPES } from '../alerts.ts';
import type { Subscriber } from '../deliverer.ts';
import type { RecordedEvent } from '../outbox.ts';
import type { BatchCompleted } from '../payloads.ts';
import { alertMail, alertRecipients } from './alert-mail.ts';
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
      return (await takeMail(ctx.records, recipient, ctx.now())) ? [notifyEmail] : [];
    },
    deliver: async ({ delivery, event }) => {
      if (!mail) return { outcome: 'refused', error: 'SMTP_URL is not set' };
      const recipient = { accountId: event.account_id, address: delivery.recipient };
      if ((await recipientState(ctx.records, recipient)) !== 'confirmed') {
        return { outcome: 'refused', error: 'The recipient ended these mails' };
      }
      const message = event.type === 'batch.completed' ? batchMail(event) : alertMail(ctx, event);
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
