import { DAY_MS } from '../../domain/time.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import {
  billScans,
  type ReserveRequest,
  releaseScans,
  renewReservation,
  reserveScans,
} from '../../records/accounts/quota.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import { takenOver, writeAsHolder } from '../../records/jobs/job-leases.ts';

// Scan units of the kinds of jobs that cost any: reserved when the job is queued, held by each attempt, billed as the
// work is kept, and released when the job ends.

/** A job holds its units this long; each attempt renews them. */
const HELD_MS = DAY_MS;

/** Units to reserve; `list` as in ReserveRequest. */
export type UnitsRequest = Pick<ReserveRequest, 'units' | 'list' | 'now'>;

/** Reserves all units or none, for a job that is about to be queued; the reservation's id. Throws QuotaError. */
export async function reserveUnits(records: Records, { accountId, plan, hold }: Payer, request: UnitsRequest) {
  const { id } = await reserveScans(records, { ...request, accountId, plan, hold, leaseMs: HELD_MS });
  return id;
}

/** The job with the units it still needs: those it holds, or new ones if it lost them while it waited. Throws QuotaError. */
export async function holdUnits(
  records: Records,
  payer: Payer,
  job: StoredJob,
  request: UnitsRequest,
): Promise<StoredJob> {
  return inTransaction(records, async (transaction) => {
    if (job.reservation_id && (await renewReservation(transaction, job.reservation_id, request.now + HELD_MS))) {
      return job;
    }
    const reservation_id = await reserveUnits(transaction, payer, request);
    if (!(await writeAsHolder(transaction, job, { reservation_id }))) throw takenOver();
    return { ...job, reservation_id };
  });
}

/**
 * Bills units that the job holds; call it in the transaction that keeps the work, which then holds the lock of the
 * account. Throws PipelineError.
 */
export async function billUnits(transaction: Records, job: StoredJob, units: number): Promise<void> {
  await lockAccount(transaction, job.account_id);
  if (units > 0) await billScans(transaction, job.reservation_id ?? '', units);
}

/** Gives back the units that were not billed. */
export async function releaseUnits(transaction: Records, job: StoredJob): Promise<void> {
  if (job.reservation_id) await releaseScans(transaction, job.reservation_id);
}
