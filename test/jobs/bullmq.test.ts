import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { openBullQueue } from '../../src/jobs/bullmq.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { jobQueueContract, LEASE_MS } from '../contract/jobs.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';

const log = pino({ level: 'silent' });
/** Of one Redis: each test has its own. */
const DATABASES = 16;
let opened = 0;
let server: LeasedServer;

beforeAll(async () => {
  server = await leaseServer('redis');
}, 600_000);
afterAll(() => server?.release());

jobQueueContract('in Redis', async () => {
  if (server.missing) return { missing: server.missing };
  const url = `${server.settings.REDIS_URL}/${opened++ % DATABASES}`;
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
  const records = await openRecords({ path: null });
  return { records, openQueue: (now) => openBullQueue(url, { records, now, leaseMs: LEASE_MS, log }, 50) };
});
