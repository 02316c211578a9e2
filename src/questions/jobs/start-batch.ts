import { counted } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { askForConsent, mailStateOf } from '../account/mail-recipients.ts';
import { type NewRow, queueScanJob, type ScanJobInput } from './queue-scan-job.ts';

/**
 * Queues the scan of many addresses, each once; a row that was refused is kept as a failed one.
 * Throws InvalidInputError (no valid address, more than the plan allows) or QuotaError.
 */
export async function startBatch(ctx: Context, tenant: Tenant, request: ScanJobInput & { rows: NewRow[] }) {
  const { batchSize } = tenant.plan;
  const { rows: given, ...input } = request;
  const rows = distinctRows(given);
  if (rows.length > batchSize) throw new InvalidInputError(`Batch exceeds plan limit (${batchSize} addresses)`);
  if (rows.every((row) => row.refusal !== null)) throw new InvalidInputError('No valid addresses');
  const recipient = input.notifyEmail === null ? null : { accountId: tenant.accountId, address: input.notifyEmail };
  const email = recipient && (await mailStateOf(ctx, recipient));
  const answer = await queueScanJob(ctx, tenant, 'batch_scan', input, rows, (job) => ({
    success: true as const,
    job_id: job.id,
    total_addresses: job.total,
    message: fill(messages.batch_queued, { addresses: counted(job.total, 'address', 'addresses') }),
    ...(email && { email }),
  }));
  // Beside the request: a mail server may take its time.
  if (recipient && email === 'recipient_not_confirmed') void askForConsent(ctx, recipient);
  return answer;
}

function distinctRows(rows: readonly NewRow[]): NewRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify([row.chain, row.address]), row])).values()];
}
