import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { expectedFlow } from '../../fixtures/demo/expected.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { PLANS } from '../../src/plans.ts';
import { getJobResults } from '../../src/questions/jobs/get-job-results.ts';
import { getJob } from '../../src/questions/jobs/job-record.ts';
import { startBatch } from '../../src/questions/jobs/scan-jobs.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { readQuota } from '../../src/records/accounts/quota.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { listJobRows } from '../../src/records/jobs/job-rows.ts';
import { leasePostgres, type TestPostgres } from '../records/postgres.ts';
import { makeDataFolder } from '../setup/data-folder.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';
import { startProcess, type TestProcess } from './processes.ts';

const ROWS = 8;
const LEASE_MS = 1_000;
const KILLS = Number(process.env.KILLS ?? 1);
const TAKEN_UP_MS = LEASE_MS + 15_000;

let chains: ChainServers;
let addresses: string[];

beforeAll(async () => {
  const world = demoWorld();
  chains = await startChainServers(world);
  addresses = neighbours(world);
  // A scan of the batch takes a while, so that a signal meets it in the middle.
  for (const server of Object.values(chains.servers)) server.inject({ delayMs: 70 });
});
afterAll(() => chains?.close());

/** Addresses of the world that have a history: a saver's and a mixer user's counterparties, and theirs. */
function neighbours(world: World): string[] {
  const found = new Set([roleOf(world, 'ethereum', 'clean_saver').address]);
  for (const address of found) {
    if (found.size >= ROWS) break;
    for (const other of expectedFlow(world, 'ethereum', address).counterparties) found.add(other);
  }
  return [...found].slice(0, ROWS);
}

/** The fields of the answers that the test looks at. */
interface Answer {
  job_id: string;
  status: string;
  completed: number;
  results: { address: string }[];
  case: { id: string };
}

const newSettings = (): Record<string, string> => ({
  JOB_LEASE_MS: String(LEASE_MS),
  // What a scan reads of other addresses takes long and is not what is lost.
  SCAN_TRACE_MS: '100',
  LOG_LEVEL: 'info',
  ...chains.env,
});
const isCompleted = (status: string) => status === 'completed';

describe('workers of a cluster', () => {
  let redis: LeasedServer;
  let postgres: TestPostgres;
  const missing = () => postgres.missing ?? redis.missing;

  beforeAll(async () => {
    // In the order of the suites that take both.
    postgres = await leasePostgres();
    redis = await leaseServer('redis');
  }, 600_000);
  afterAll(async () => {
    redis?.release();
    await postgres?.release();
  });

  /** The serving process is this one; it works on nothing itself. */
  async function openCluster() {
    const settings = { ...newSettings(), ...redis.settings, DATABASE_URL: await postgres.newStore() };
    const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }), { inMemory: true });
    onTestFinished(() => ctx.close());
    const account = await createAccount(ctx.records, { name: 'Desk', planId: 'pro' }, ctx.now());
    const tenant = { accountId: account.id, keyId: '', planId: account.plan_id, plan: PLANS[account.plan_id] };
    const begin = async () => {
      const rows = addresses.map((address) => ({ chain: 'ethereum' as const, address, refusal: null }));
      const request = { rows, lang: 'en', includeAiAnalysis: false, notifyEmail: null } as const;
      return (await startBatch(ctx, tenant, request)).job_id;
    };
    const read = (jobId: string) => getJob(ctx, tenant, jobId);
    const results = async (jobId: string) =>
      (await getJobResults(ctx, tenant, { jobId, limit: 500, offset: 0 })).results;
    const used = async () => (await readQuota(ctx.records, account.id, ctx.now())).used;
    return {
      ctx,
      begin,
      read,
      results,
      used,
      work: () => startProcess('/test/workers/worker-process.ts', settings),
    };
  }

  const hasClaimed = (worker: TestProcess, jobId: string) =>
    worker.lines.some((line) => line.msg === 'job claimed' && line.job_id === jobId);

  it(`lose nothing and bill nothing twice when one is killed in the middle of a batch, ${KILLS} times`, {
    timeout: 120_000 + KILLS * 20_000,
  }, async ({ skip }) => {
    const reason = missing();
    if (reason) return skip(reason);
    const cluster = await openCluster();
    let workers = [await cluster.work(), await cluster.work()];
    for (let round = 1; round <= KILLS; round++) {
      const jobId = await cluster.begin();
      await expect
        .poll(async () => (await cluster.read(jobId)).completed, { interval: 10 })
        .toBeGreaterThanOrEqual(1 + (round % 4));
      const holder = workers.find((worker) => hasClaimed(worker, jobId))!;
      await holder.end('SIGKILL');
      expect(isCompleted((await cluster.read(jobId)).status)).toBe(false);
      const kept = await cluster.results(jobId);

      const replacement = cluster.work();
      await expect
        .poll(async () => (await cluster.read(jobId)).attempts, { timeout: TAKEN_UP_MS, interval: 50 })
        .toBe(2);
      await expect.poll(async () => (await cluster.read(jobId)).status).toBe('completed');
      expect(await cluster.read(jobId)).toMatchObject({ total: ROWS, completed: ROWS, failed: 0, attempts: 2 });
      const rows = await cluster.results(jobId);
      expect(rows.map((row) => row.address)).toEqual(addresses);
      expect(rows.filter((row) => kept.some((one) => one.address === row.address))).toEqual(kept);
      expect(await cluster.used()).toBe(round * ROWS);
      expect(await openReservations(cluster.ctx)).toEqual([]);
      // A row that repeats a scan of the account would be free.
      await cluster.ctx.records.deleteFrom('scans').execute();
      workers = [...workers.filter((worker) => worker !== holder), await replacement];
    }
  });

  it('give a batch back on SIGTERM, and another one finishes it', async ({ skip }) => {
    const reason = missing();
    if (reason) return skip(reason);
    const cluster = await openCluster();
    const worker = await cluster.work();
    const jobId = await cluster.begin();
    await expect.poll(async () => (await cluster.read(jobId)).completed, { interval: 10 }).toBeGreaterThanOrEqual(1);
    expect(await worker.end('SIGTERM')).toBe(0);
    const left = await cluster.read(jobId);
    expect(left).toMatchObject({ status: 'queued', attempts: 1 });
    expect(left.completed).toBeLessThan(ROWS);
    expect(await cluster.results(jobId)).toHaveLength(left.completed);

    await cluster.work();
    await expect.poll(async () => (await cluster.read(jobId)).status).toBe('completed');
    expect(await cluster.used()).toBe(ROWS);
    expect(await openReservations(cluster.ctx)).toEqual([]);
  });
});

function openReservations(ctx: Context) {
  return ctx.records.selectFrom('quota_reservations').selectAll().where('state', '=', 'reserved').execute();
}

it('the embedded service takes up a bulk scan of a case again after it was killed and started again', async () => {
  const folder = makeDataFolder('kill');
  const records = await openRecords({ path: join(folder, 'records.sqlite') });
  const account = await createAccount(records, { name: 'Desk', planId: 'enterprise' }, Date.now());
  const { key } = await insertKey(records, { accountId: account.id, name: 'test' }, Date.now());
  await records.destroy();

  const settings = { ...newSettings(), DATA_DIR: folder, PORT: '0' };
  const start = async () => {
    const service = await startProcess('/test/workers/service-process.ts', settings);
    const { url } = service.lines.find((line) => line.msg === 'working')!;
    const ask = async (path: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
      return (await fetch(`${url}/api/v1${path}`, init)).json() as Promise<Answer>;
    };
    return { ...service, ask };
  };
  const first = await start();
  const { id: caseId } = (await first.ask('/cases', { title: 'Killed' })).case;
  for (const address of addresses) await first.ask(`/cases/${caseId}/addresses`, { address });
  await first.ask(`/cases/${caseId}/bulk-scan`, {});
  const job = `/cases/${caseId}/bulk-scan/status`;
  await expect.poll(async () => (await first.ask(job)).completed, { interval: 100 }).toBeGreaterThanOrEqual(2);
  await first.end('SIGKILL');

  const second = await start();
  const found = await second.ask(job);
  expect(['stale', 'running']).toContain(found.status);
  expect(found.completed).toBeGreaterThanOrEqual(2);
  await expect.poll(async () => (await second.ask(job)).status, { interval: 1_100 }).toBe('completed');
  expect(await second.ask(job)).toMatchObject({ completed: ROWS, failed: 0, attempts: 2 });
  const { job_id: jobId } = await second.ask(job);
  await second.end('SIGTERM');
  const kept = await openRecords({ path: join(folder, 'records.sqlite') });
  onTestFinished(() => kept.destroy());
  const rows = await listJobRows(kept, jobId, 'completed');
  expect(rows.map((row) => row.address)).toEqual(addresses);
  const { used } = await readQuota(kept, account.id, Date.now());
  expect(used).toBe(ROWS);
});
