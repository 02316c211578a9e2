import type { Context } from '../../context.ts';
import { findJob, type Job } from '../../records/jobs/jobs.ts';
import { jobRecord } from './job-record.ts';
import type { ScanJobInput } from './queue-scan-job.ts';

/** Mails that a batch has ended, where its client asked for it and mail is set up. A failed mail is only logged. */
export async function notifyOfBatch(ctx: Context, { id, account_id }: Job): Promise<void> {
  const job = await findJob(ctx.records, account_id, id);
  if (!job || !ctx.mail) return;
  const { notifyEmail } = JSON.parse(job.input) as ScanJobInput;
  if (!notifyEmail) return;
  const { status, total, completed, failed, results_url } = jobRecord(job, ctx.now());
  const { BASE_URL, HOST, PORT } = ctx.config;
  const base = (BASE_URL ?? `http://${HOST}:${PORT}`).replace(/\/(?:api\/v1\/?)?$/, '');
  await ctx.mail
    .send({
      to: notifyEmail,
      subject: `Batch scan ${status}: ${completed} of ${total} addresses`,
      text: [
        `Your batch scan ${id} has ended (${status}).`,
        `Addresses: ${total}, scanned: ${completed}, failed: ${failed}.`,
        `Results (with your API key): ${base}${results_url}`,
      ].join('\n'),
    })
    .catch((err) => ctx.log.warn({ err, job_id: id }, 'mail about a batch was not sent'));
}
