import type { Context } from '../../context.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { Records } from '../../records/database/database.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';

/** Writes as `answerWithin` does, then offers the jobs that were inserted to the workers. */
export async function queueWithin<Answer extends object>(
  { records, jobs }: Context,
  tenant: Payer,
  write: (transaction: Records, offer: (job: StoredJob) => void) => Promise<Answer>,
): Promise<Answer> {
  const inserted: StoredJob[] = [];
  const answer = await answerWithin(records, tenant, (transaction) => write(transaction, (job) => inserted.push(job)));
  for (const job of inserted) await jobs.offer(job);
  return answer;
}
