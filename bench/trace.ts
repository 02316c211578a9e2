import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld, roleOf } from '../fixtures/demo/world.ts';
import { readConfig } from '../src/config.ts';
import { type Context, openContext } from '../src/context.ts';
import type { Chain } from '../src/domain/chain.ts';
import { PLANS } from '../src/plans.ts';
import { savePrices } from '../src/prices/price-store.ts';
import { scanAddress } from '../src/questions/scans/scan-address.ts';
import { getTrace, getTraceResults } from '../src/questions/tracing/trace-job/get-trace.ts';
import { startTrace } from '../src/questions/tracing/trace-job/start-trace.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { startWorkers } from '../workers/workers.ts';
import { ms, table } from './table.ts';

const CHAINS = ['bitcoin', 'ethereum', 'polygon', 'solana', 'tron', 'xrp'] as const;
const SCANS_MAX = 10;
const POLL_MS = 20;

interface ScanView {
  detections: { details?: unknown }[];
  metadata: { coverage: { trace: { addresses_read: number; frontier: { address: string }[] } } };
}

/**
 * Who finds the theft behind four fresh wallets from the last one: scans by hand that follow the frontier, one scan,
 * one trace; what each reads, and how long others wait meanwhile.
 */
export async function benchTrace(): Promise<void> {
  const world = makeWorld();
  const chains = await startChainServers(world);
  const rows: string[][] = [];
  for (const chain of CHAINS) {
    const [thief, last] = (['thief', 'layer_4'] as const).map(
      (name) => roleOf(world, chain, 'laundering', name).address,
    );
    const fresh = () => openDesk(chains.env, world);
    const byHand = await fresh().then((desk) => scansByHand(desk, chain, last!, thief!));
    const scan = await fresh().then((desk) => oneScan(desk, chain, last!, thief!));
    const trace = await fresh().then((desk) => oneTrace(desk, chain, last!, thief!));
    rows.push([chain, byHand, ...scan, ...trace]);
  }
  await chains.close();
  table(
    [
      'theft behind four wallets',
      'scans by hand',
      'one scan',
      'read',
      'time',
      'one trace',
      'read',
      'attributed',
      'time',
      'delay p99',
    ],
    rows,
  );
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

async function openDesk(env: Record<string, string>, world: ReturnType<typeof makeWorld>) {
  const log = pino({ level: 'silent' });
  const ctx = await openContext(readConfig(env), { inMemory: true, log });
  await savePrices(ctx.records, world.prices);
  await ctx.labels.put(world.labels, { stamp: await ctx.labels.beginLoad(), list: false });
  const account = await createAccount(ctx.records, { name: 'Desk', planId: 'business' }, ctx.now());
  const plan = PLANS.business;
  return { ctx, tenant: { accountId: account.id, keyId: '', planId: 'business' as const, plan } };
}

function scan({ ctx, tenant }: Desk, chain: Chain, address: string, trace: 'on' | 'off'): Promise<ScanView> {
  const request = { chain, address, lang: 'en', source: 'sync', trace, fresh: true } as const;
  return scanAddress(ctx, tenant, request) as Promise<unknown> as Promise<ScanView>;
}

const names = (found: ScanView, address: string) => JSON.stringify(found.detections).includes(address);

/** As an analyst would: scan the address, then what its frontier names first, and look again. */
async function scansByHand(desk: Desk, chain: Chain, subject: string, end: string): Promise<string> {
  const seen = new Set<string>();
  let count = 0;
  for (let address: string | undefined = subject; address && count < SCANS_MAX; count++) {
    const found = await scan(desk, chain, address, 'off');
    seen.add(address);
    const again: ScanView = address === subject ? found : await scan(desk, chain, subject, 'off');
    if (names(again, end)) return close(desk.ctx, String(count + (address === subject ? 1 : 2)));
    address = again.metadata.coverage.trace.frontier.find((entry) => !seen.has(entry.address))?.address;
  }
  return close(desk.ctx, 'not found');
}

async function oneScan(desk: Desk, chain: Chain, subject: string, end: string): Promise<string[]> {
  const startedAt = performance.now();
  const found = await scan(desk, chain, subject, 'on');
  const took = performance.now() - startedAt;
  const read = String(found.metadata.coverage.trace.addresses_read);
  return close(desk.ctx, [names(found, end) ? 'found' : 'not found', read, ms(took)]);
}

async function oneTrace({ ctx, tenant }: Desk, chain: Chain, subject: string, end: string): Promise<string[]> {
  const workers = startWorkers(ctx);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const input = {
    chain,
    address: subject,
    direction: 'received',
    maxHops: 5,
    maxAddresses: 25,
    minShare: 0.01,
    minUsd: 0,
  } as const;
  const { job_id } = await startTrace(ctx, tenant, input);
  let record = await getTrace(ctx, tenant, job_id);
  while (record.status === 'queued' || record.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    record = await getTrace(ctx, tenant, job_id);
  }
  const took = performance.now() - startedAt;
  delay.disable();
  const results = await getTraceResults(ctx, tenant, job_id);
  await workers.stop();
  const share = record.attributed.received;
  const cells = [
    JSON.stringify(results.exposure).includes(end) ? 'found' : 'not found',
    String(record.addresses_read),
    share === null ? '-' : share.toFixed(2),
    ms(took),
    ms(delay.percentile(99) / 1e6),
  ];
  return close(ctx, cells);
}

async function close<T>(ctx: Context, result: T): Promise<T> {
  await ctx.close();
  return result;
}
