import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { JOB_LANES } from '../../src/domain/job.ts';
import { PLANS } from '../../src/plans.ts';
import { releaseUnits } from '../../src/questions/jobs/job-units.ts';
import { finishScannedRow } from '../../src/questions/jobs/scan-jobs.ts';
import { createAccount, lockAccount } from '../../src/records/accounts/accounts.ts';
import { billScans, readQuota, releaseExpired, releaseScans, reserveScans } from '../../src/records/accounts/quota.ts';
import type { Records } from '../../src/records/database/database.ts';
import type { StoredJob } from '../../src/records/database/tables/jobs.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { endJob, giveUpLostJobs, type OnJobEnd, releaseJob, renewLease } from '../../src/records/jobs/job-leases.ts';
import { finishRow, insertJobRows, listJobRows, type RowOutcome } from '../../src/records/jobs/job-rows.ts';
import { findJob, insertJob, requeueJob } from '../../src/records/jobs/jobs.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const LEASE_MS = 30_000;
const DONE: RowOutcome = { status: 'completed', result: { risk_level: 'LOW' } };
const SCANNED = { result: { risk_level: 'LOW' }, units: 1 };

/** A queued batch of three addresses with three units reserved. */
async function newBatch(records: Records) {
  const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
  const request = { accountId: account.id, plan: PLANS.pro, units: 3, now: NOW, leaseMs: 3_600_000 };
  const { id } = await reserveScans(records, request);
  const batch = { accountId: account.id, type: 'batch_scan', input: {}, total: 3, reservationId: id } as const;
  const job = await insertJob(records, batch, NOW);
  const row = { chain: 'ethereum', valid: 1, status: 'pending', error_message: null, completed_at: null } as const;
  await insertJobRows(
    records,
    job.id,
    ['0xa', '0xb', '0xc'].map((address) => ({ ...row, address })),
  );
  const quota = async () => (await readQuota(records, account.id, NOW)).used;
  return { job, accountId: account.id, reservationId: id, quota };
}

const claim = (records: Records, now: number) =>
  claimJob(records, { type: 'batch_scan', lanes: JOB_LANES }, now, LEASE_MS);
const fails = (work: Promise<unknown>) =>
  work.then(
    () => false,
    () => true,
  );

onBothStores('the records of jobs', (open) => {
  it('give one attempt to one of many workers that claim at once', async () => {
    const records = await open();
    for (let round = 0; round < 10; round++) {
      await newBatch(records);
      const claims = await Promise.all(Array.from({ length: 10 }, () => claim(records, NOW)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      const later = NOW + LEASE_MS + 1_000;
      const again = await Promise.all(Array.from({ length: 10 }, () => claim(records, later)));
      expect(again.filter(Boolean).map((one) => one!.attempts)).toEqual([2]);
    }
  });

  it('give the jobs of each account in turn, and as many claims at once as many jobs', async () => {
    const records = await open();
    const queue = async (jobs: number, at: number) => {
      const { id } = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
      for (let n = 0; n < jobs; n++) {
        await insertJob(records, { accountId: id, type: 'batch_scan', input: {}, total: 1 }, at + n);
      }
      return id;
    };
    const [many, some, one] = [await queue(8, NOW - 300), await queue(3, NOW - 200), await queue(1, NOW - 100)];
    await queue(1, NOW + 1);
    const jobs = [];
    for (let n = 0; n < 7; n++) jobs.push((await claim(records, NOW))!);
    expect(jobs.map((job) => job.account_id)).toEqual([many, some, one, many, some, many, some]);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(records, NOW)));
    jobs.push(...claims.flatMap((job) => job ?? []));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(12);
  });

  it('count what an account runs by lane: those stuck in one delay none of another', async () => {
    const records = await open();
    const openDesk = (name: string) => createAccount(records, { name, planId: 'pro' }, NOW);
    const [stuck, busy] = [await openDesk('Stuck'), await openDesk('Busy')];
    const add = (accountId: string, lane: 'evm' | 'tron', at: number) =>
      insertJob(records, { accountId, type: 'batch_scan', lane, input: {}, total: 1 }, at);
    const claimIn = async (lane: 'evm' | 'tron') =>
      (await claimJob(records, { type: 'batch_scan', lanes: [lane] }, NOW, LEASE_MS))?.account_id;
    for (let n = 0; n < 3; n++) await add(stuck.id, 'tron', NOW - 300 + n);
    for (let n = 0; n < 3; n++) expect(await claimIn('tron')).toBe(stuck.id);
    for (let n = 0; n < 4; n++) await add(busy.id, 'evm', NOW - 200 + n);
    expect(await claimIn('evm')).toBe(busy.id);
    await add(stuck.id, 'evm', NOW - 100);
    expect(await claimIn('evm')).toBe(stuck.id);
    expect(await claimIn('evm')).toBe(busy.id);
  });

  it('leave an abandoned job alone that its late holder ends, or holds again, during the claim', async () => {
    const records = await open();
    for (const write of [
      (transaction: Records, job: StoredJob) =>
        endJob(transaction, job, { status: 'completed', errorMessage: null, at: NOW }),
      (transaction: Records, job: StoredJob) => renewLease(transaction, job, NOW + 10 * LEASE_MS),
    ]) {
      const { job, accountId } = await newBatch(records);
      const holder = (await claim(records, NOW))!;
      const { written, claimed } = await records.transaction().execute(async (transaction) => {
        await write(transaction, holder);
        const claimed = claim(records, NOW + LEASE_MS + 1_000);
        await sleep(100);
        return { written: await findJob(transaction, accountId, job.id), claimed: () => claimed };
      });
      expect(await claimed()).toBeUndefined();
      expect(await findJob(records, accountId, job.id)).toEqual(written);
    }
  });

  it('let a zombie write nothing while its successor works', async () => {
    const records = await open();
    const { job, accountId, quota } = await newBatch(records);
    const zombie = (await claim(records, NOW))!;
    const later = NOW + LEASE_MS + 1_000;
    const heir = (await claim(records, later))!;
    const [row] = await listJobRows(records, job.id, 'pending');
    expect(await renewLease(records, zombie, later + LEASE_MS)).toBe(false);
    expect(await releaseJob(records, zombie, later)).toBe(false);
    expect(await fails(finishRow(records, zombie, row!, DONE, later))).toBe(true);
    const end = { status: 'completed', errorMessage: null, at: later } as const;
    expect(await fails(endJob(records, zombie, end, releaseUnits))).toBe(true);
    expect(await findJob(records, accountId, job.id)).toEqual(heir);
    expect(await listJobRows(records, job.id, 'pending')).toHaveLength(3);

    await finishScannedRow(records, heir, row!, SCANNED, later);
    await endJob(records, heir, end, releaseUnits);
    expect(await findJob(records, accountId, job.id)).toMatchObject({ status: 'completed', completed: 1 });
    expect(await quota()).toBe(1);
  });

  it('are given up once by all who see that they are lost, and by nobody once their late worker holds them again', async () => {
    const records = await open();
    const give = async (renews: boolean) => {
      const { job, accountId, quota } = await newBatch(records);
      for (const n of [0, 1]) await claim(records, NOW + 2 * n * LEASE_MS);
      const holder = (await findJob(records, accountId, job.id))!;
      const now = NOW + 4 * LEASE_MS;
      const given: string[] = [];
      const onEnd: OnJobEnd = async (transaction, { id, reservation_id }) => {
        given.push(id);
        await releaseScans(transaction, reservation_id!);
      };
      const giveUp = () => giveUpLostJobs(records, 'batch_scan', now, onEnd);
      // Each has seen that the job is lost before the account, which it waits for, is free again.
      const giving = await records.transaction().execute(async (transaction) => {
        await lockAccount(transaction, accountId);
        if (renews) await renewLease(transaction, holder, now + LEASE_MS);
        const started = [giveUp(), giveUp()];
        await sleep(100);
        return () => Promise.all(started);
      });
      await giving();
      return { given: given.length, used: await quota(), status: (await findJob(records, accountId, job.id))!.status };
    };
    expect(await give(false)).toEqual({ given: 1, used: 0, status: 'stale' });
    expect(await give(true)).toEqual({ given: 0, used: 3, status: 'running' });
  });

  it('are not queued again by whoever saw them lost before their late worker ended them', async () => {
    const records = await open();
    const { job, accountId } = await newBatch(records);
    const holder = (await claim(records, NOW))!;
    const now = NOW + LEASE_MS + 1;
    const next = { input: {}, pending: 3, reservationId: null, now };
    await endJob(records, holder, { status: 'completed', errorMessage: null, at: now });
    expect(await requeueJob(records, holder, next)).toBeUndefined();
    const ended = (await findJob(records, accountId, job.id))!;
    expect(ended.status).toBe('completed');
    expect(await requeueJob(records, ended, next)).toMatchObject({ id: job.id, status: 'queued' });
  });

  it('keep, count and bill a row once, however often it is finished', async () => {
    const records = await open();
    const { job, accountId, reservationId, quota } = await newBatch(records);
    const holder = (await claim(records, NOW))!;
    const [row] = await listJobRows(records, job.id);
    const finished = await Promise.all(
      Array.from({ length: 5 }, () => fails(finishScannedRow(records, holder, row!, SCANNED, NOW))),
    );
    expect(finished.filter((failed) => !failed)).toHaveLength(1);
    expect(await findJob(records, accountId, job.id)).toMatchObject({ completed: 1, failed: 0 });
    await releaseScans(records, reservationId);
    expect(await quota()).toBe(1);
  });

  it('keep neither the row nor its count where it cannot be billed', async () => {
    const records = await open();
    const { job, accountId, reservationId, quota } = await newBatch(records);
    const holder = (await claim(records, NOW))!;
    const [row] = await listJobRows(records, job.id);
    await releaseScans(records, reservationId);
    await expect(finishScannedRow(records, holder, row!, SCANNED, NOW)).rejects.toThrow('Scan reservation is closed');
    expect(await findJob(records, accountId, job.id)).toMatchObject({ completed: 0 });
    expect(await listJobRows(records, job.id, 'pending')).toHaveLength(3);
    expect(await quota()).toBe(0);
  });

  it('bill no more than was reserved, and keep what was billed when the rest is given back', async () => {
    const records = await open();
    const { reservationId, quota } = await newBatch(records);
    await billScans(records, reservationId, 2);
    await expect(billScans(records, reservationId, 2)).rejects.toThrow('Scan reservation is closed');
    expect(await quota()).toBe(3);
    expect(await releaseExpired(records, NOW + 3_600_000)).toBe(1);
    expect(await quota()).toBe(2);
    await expect(billScans(records, reservationId, 1)).rejects.toThrow('Scan reservation is closed');
  });
});
