import type { Context } from '../context.ts';
import type { Subscriber } from '../events/deliverer.ts';
import type { BatchCompleted } from '../events/payloads.ts';
import type { ScanJobInput } from '../questions/jobs/queue-scan-job.ts';
import { findJob } from '../records/jobs/jobs.ts';

/** Mails that a batch has ended to the address that its client named, where mail is set up. */
export function batchMail(ctx: Context): Subscriber {
  const { mail } = ctx;
  return {
    name: 'mail',
    recipients: async (records, event) => {
      if (!mail || event.type !== 'batch.completed') return [];
      const job = await findJob(records, event.account_id, event.subject);
      const { notifyEmail } = JSON.parse(job?.input ?? '{}') as Partial<ScanJobInput>;
      return notifyEmail ? [notifyEmail] : [];
    },
    deliver: async ({ delivery, event }) => {
      if (!mail) return { outcome: 'refused', error: 'SMTP_URL is not set' };
      const { job_id, status, total, completed, failed, detail_url } = JSON.parse(event.payload) as BatchCompleted;
      await mail.send({
        to: delivery.recipient,
        subject: `Batch scan ${status}: ${completed} of ${total} addresses`,
        text: [
          `Your batch scan ${job_id} has ended (${status}).`,
          `Addresses: ${total}, scanned: ${completed}, failed: ${failed}.`,
          `Results (with your API key): ${detail_url}`,
        ].join('\n'),
      });
      return { outcome: 'delivered' };
    },
  };
}
