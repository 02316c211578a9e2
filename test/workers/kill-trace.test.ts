import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { PLANS } from '../../src/plans.ts';
import { savePrices } from '../../src/prices/price-store.ts';
import { getTrace, getTraceResults, startTrace } from '../../src/questions/jobs/start-trace.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { readQuota } from '../../src/records/accounts/quota.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { findJob } from '../../src/records/jobs/jobs.ts';
import { makeDataFolder } from '../setup/data-folder.ts';
import { startProcess } from './processes.ts';

const LEASE_MS = 1_000;
/** The wallets that the money passed, from the last one back. */
const LAYERS = ['layer_4', 'layer_3', 'layer_2', 'layer_1'] as const;
const CHAIN = 'ethereum';

let chains: ChainServers;
let world: World;
let wallets: string[];
beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
  wallets = LAYERS.map((name) => roleOf(world, CHAIN, 'laundering', name).address);
  // An address takes a while, so that the signal meets the trace in the middle.
  for (const server of Object.values(chains.servers)) server.inject({ delayMs: 250 });
});
afterAll(() => chains?.close());

async function openDesk(settings: Record<string, string>) {
  const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  // A trace follows what is worth most, so it needs prices.
  await savePrices(ctx.records, world.prices);
  const account = await createAccount(ctx.records, { name: 'Desk', planId: 'pro' }, ctx.now());
  return { ctx, tenant: { accountId: account.id, keyId: '', planId: 'pro' as const, plan: PLANS.pro } };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

function startOne({ ctx, tenant }: Desk) {
  const input = { chain: CHAIN, address: wallets[0]!, direction: 'received', minShare: 0.01, minUsd: 0 } as const;
  return startTrace(ctx, tenant, { ...input, maxHops: 5, maxAddresses: LAYERS.length });
}

async function checkFinished({ ctx, tenant }: Desk, jobId: string): Promise<void> {
  expect(await getTrace(ctx, tenant, jobId)).toMatchObject({
    total: LAYERS.length,
    completed: LAYERS.length,
    addresses_read: LAYERS.length,
    attempts: 2,
  });
  const { addresses } = await getTraceResults(ctx, tenant, jobId);
  expect(addresses.map(({ address }) => address)).toEqual(wallets);
  expect((await readQuota(ctx.records, tenant.accountId, ctx.now())).used).toBe(LAYERS.length);
  expect(await openReservations(ctx)).toEqual([]);
}

function openReservations({ records }: Context) {
  return records.selectFrom('quota_reservations').selectAll().where('state', '=', 'reserved').execute();
}

const isEnded = (status: string) => status === 'completed' || status === 'failed';

it('a trace whose worker is killed goes on where it was, and each address is billed once', {
  timeout: 120_000,
}, async () => {
  const folder = makeDataFolder('kill-trace');
  const settings = { ...chains.env, DATA_DIR: folder, PORT: '0', JOB_LEASE_MS: String(LEASE_MS), LOG_LEVEL: 'info' };
  const desk = await openDesk(settings);
  const { job_id: jobId } = await startOne(desk);
  await desk.ctx.close();
  // The graph is the service's alone; the records can be read beside it.
  const first = await startProcess('/test/workers/service-process.ts', settings);
  const records = await openRecords({ path: join(folder, 'records.sqlite') });
  onTestFinished(() => records.destroy());
  const read = async () => (await findJob(records, desk.tenant.accountId, jobId))!;
  await expect.poll(async () => (await read()).completed, { interval: 20 }).toBeGreaterThan(0);
  await first.end('SIGKILL');
  expect(isEnded((await read()).status)).toBe(false);

  const second = await startProcess('/test/workers/service-process.ts', settings);
  await expect.poll(async () => (await read()).status, { interval: 100 }).toBe('completed');
  await second.end('SIGTERM');
  const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  onTestFinished(() => ctx.close());
  await checkFinished({ ...desk, ctx }, jobId);
});
