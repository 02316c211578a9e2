import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOB_LANES } from '../src/domain/job.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { openRecords, type Records } from '../src/records/database/database.ts';
import { claimJob } from '../src/records/jobs/claim-job.ts';
import { endJob, renewLease } from '../src/records/jobs/job-leases.ts';
import { insertJob } from '../src/records/jobs/jobs.ts';
import { median, ms, table } from './table.ts';

const CLAIMS = 100;
const LEASE_MS = 30_000;
/** Accounts and the jobs that they have queued together. */
const QUEUES = [
  [1, 200],
  [1, 10_000],
  [1, 100_000],
  [1_000, 100_000],
] as const;

/**
 * A claim beside the renewal of a lease, which is one write by primary key, with ever more jobs queued; on SQLite, or on
 * the new, empty PostgreSQL database of BENCH_DATABASE_URL.
 */
export async function benchJobs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'traceflow-bench-'));
  const rows: string[][] = [];
  for (const [accounts, jobs] of QUEUES) {
    const databaseUrl = process.env.BENCH_DATABASE_URL;
    const records = await openRecords({ databaseUrl, path: join(folder, `${accounts}-${jobs}.db`) });
    await fill(records, accounts, jobs);
    const { claims, renewals } = await measure(records);
    rows.push([String(accounts), String(jobs), ms(renewals), ms(claims), (claims / renewals).toFixed(1)]);
    await records.deleteFrom('accounts').execute();
    await records.destroy();
  }
  await rm(folder, { recursive: true });
  table(['accounts', 'queued jobs', 'renewal', 'claim', 'ratio'], rows);
}

async function fill(records: Records, accounts: number, jobs: number): Promise<void> {
  const now = Date.now() - jobs;
  await records.transaction().execute(async (transaction) => {
    const ids: string[] = [];
    for (let n = 0; n < accounts; n++) {
      ids.push((await createAccount(transaction, { name: `Desk ${n}`, planId: 'pro' }, now)).id);
    }
    for (let n = 0; n < jobs; n++) {
      const job = { accountId: ids[n % accounts]!, type: 'async_scan', lane: 'evm', input: {}, total: 1 } as const;
      await insertJob(transaction, job, now + n);
    }
  });
}

/** Medians, in milliseconds. */
async function measure(records: Records): Promise<{ claims: number; renewals: number }> {
  const claims: number[] = [];
  const renewals: number[] = [];
  for (let n = 0; n < CLAIMS; n++) {
    const now = Date.now();
    const startedAt = performance.now();
    const job = (await claimJob(records, { type: 'async_scan', lanes: JOB_LANES }, now, LEASE_MS))!;
    const claimedAt = performance.now();
    await renewLease(records, job, now + LEASE_MS);
    renewals.push(performance.now() - claimedAt);
    claims.push(claimedAt - startedAt);
    await endJob(records, job, { status: 'completed', errorMessage: null, at: now }, async () => {});
  }
  return { claims: median(claims), renewals: median(renewals) };
}
