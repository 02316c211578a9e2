import type { ChainAddress } from '../../domain/chain.ts';
import { ConflictError } from '../../errors.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { lockCase } from '../../records/cases/cases.ts';
import type { Records } from '../../records/database/database.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import { isLive, listCaseJobs } from '../../records/jobs/jobs.ts';
import { type ExpandedAddress, isOpened } from '../../tracing/read/expansion/expand.ts';
import type { ScanJobInput } from './scan-jobs.ts';

/** Options of a bulk scan; kept as the input of its job. */
export interface BulkScanInput extends ScanJobInput {
  /** Addresses whose money is traced after the scans. */
  subjects: ChainAddress[];
  /** Addresses that these traces may open, over all subjects. */
  traceAddresses: number;
}

/** Addresses that the traces have expanded so far, by address key of the subject; kept as the output of the job. */
export type BulkScanOutput = Record<string, ExpandedAddress[]>;

export function bulkScanOutput({ output }: StoredJob): BulkScanOutput {
  return output === null ? {} : JSON.parse(output);
}

/** The same scan, whose traces may still open `max` addresses at most. */
export function withTracesLeft(input: BulkScanInput, output: BulkScanOutput, max: number): BulkScanInput {
  const beyond = Math.max(0, tracesLeft(input, output) - max);
  return { ...input, traceAddresses: input.traceAddresses - beyond };
}

/** Addresses that the traces of a bulk scan may still open; each costs a scan. */
export function tracesLeft(input: BulkScanInput, output: BulkScanOutput): number {
  return input.traceAddresses - Object.values(output).flat().filter(isOpened).length;
}

/** Locks the account and its case. Throws NotFoundError, or ConflictError while a bulk scan of the case other than `jobId` runs. */
export async function lockForBulkScan(
  transaction: Records,
  { accountId, caseId, jobId, now }: { accountId: string; caseId: string; jobId?: string; now: number },
): Promise<void> {
  await lockAccount(transaction, accountId);
  await lockCase(transaction, accountId, caseId, now);
  const jobs = await listCaseJobs(transaction, caseId, 'bulk_scan');
  if (jobs.some((job) => job.id !== jobId && isLive(job, now)))
    throw new ConflictError('A bulk scan is already running for this case');
}
