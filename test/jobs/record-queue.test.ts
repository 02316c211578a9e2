import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Attempt } from '../../src/jobs/port.ts';
import { openRecordQueue } from '../../src/jobs/record-queue.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { insertJob } from '../../src/records/jobs/jobs.ts';
import { jobQueueContract, LEASE_MS } from '../contract/jobs.ts';
import { onBothStores } from '../records/on-both-stores.ts';

const log = pino({ level: 'silent' });

onBothStores('jobs', (open) => {
  jobQueueContract('in the records', async () => {
    const records = await open();
    return { records, openQueue: (now) => openRecordQueue({ records, now, leaseMs: LEASE_MS, log }, 20) };
  });
});

it('wakes the workers of the kind that was offered, and no others', async () => {
  const records = await openRecords({ path: null });
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'pro' }, 0);
  const job = { accountId, input: {}, total: 1 };
  const batch = await insertJob(records, { ...job, type: 'batch_scan' }, 2);
  const scan = await insertJob(records, { ...job, type: 'async_scan' }, 2);
  let now = 1;
  const queue = openRecordQueue({ records, now: () => now, leaseMs: 60_000, log }, 60_000);
  const done: string[] = [];
  for (const type of ['batch_scan', 'async_scan'] as const) {
    const work = async ({ close }: Attempt) => {
      done.push(type);
      await close({ status: 'completed', errorMessage: null });
    };
    queue.work({ type, lanes: ['any'], slotsPerLane: 1, attemptMs: 60_000, work, onEnd: null });
  }
  // Both have looked, and found neither due.
  now = 2;
  await queue.offer(scan);
  await expect.poll(() => done).toEqual(['async_scan']);
  await queue.offer(batch);
  await expect.poll(() => done).toEqual(['async_scan', 'batch_scan']);
  await queue.close();
  await records.destroy();
});
