import { fill } from '../../../words/fill.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import type { ScanJobInput } from '../../questions/jobs/queue-scan-job.ts';
import { recipientState, takeMail } from '../../records/accounts/mail-recipients.ts';
import { findJob } from '../../records/jobs/jobs.ts';
import type { Subscriber } from '../deliverer.ts';
import type { BatchCompleted } from '../payloads.ts';
import { recipientPage } from './mail-links.ts';

/** Mails that a batch has ended to the address that its client named, where mail is set up and the recipient wants it. */
export function batchMail(ctx: Context): Subscriber {
  const { mail } = ctx;
  return {
    name: 'mail',
    recipients: async (records, event) => {
      if (!mail || event.type !== 'batch.completed') return [];
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
      const { job_id, status, total, completed, failed, detail_url } = JSON.parse(event.payload) as BatchCompleted;
      const values = { job_id, status, total, completed, failed, detail_url };
      await mail.send({
        to: delivery.recipient,
        subject: fill(messages.batch_subject, values),
        text: fill(messages.batch, values),
        page: recipientPage(ctx.config, ctx.secrets, recipient),
      });
      return { outcome: 'delivered' };
    },
  };
}
