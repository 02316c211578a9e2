import { pino } from 'pino';
import { openRecordQueue } from '../../src/jobs/record-queue.ts';
import { jobQueueContract, LEASE_MS } from '../contract/jobs.ts';
import { onBothStores } from '../records/on-both-stores.ts';

const log = pino({ level: 'silent' });

onBothStores('jobs', (open) => {
  jobQueueContract('in the records', async () => {
    const records = await open();
    return { records, openQueue: (now) => openRecordQueue({ records, now, leaseMs: LEASE_MS, log }, 20) };
  });
});
