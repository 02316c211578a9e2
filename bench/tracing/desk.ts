import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import type { Chain } from '../../src/domain/chain.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Direction } from '../../src/domain/tracing/flow-portion.ts';
import { PLANS } from '../../src/plans.ts';
import { savePrices } from '../../src/prices/price-store.ts';
import { getTrace, getTraceResults, startTrace } from '../../src/questions/jobs/start-trace.ts';
import { scanAddress } from '../../src/questions/scans/scan-address.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { DailyPrice } from '../../src/records/database/tables/prices.ts';
import { startWorkers } from '../../workers/workers.ts';

const POLL_MS = 20;

/** An analyst with empty stores. */
export interface Desk {
  ctx: Context;
  tenant: { accountId: string; keyId: string; planId: 'enterprise'; plan: (typeof PLANS)['enterprise'] };
}

/** What the benchmarks read of a scan. */
export interface ScanView {
  risk_level: string;
  detections: { detector_id: string; severity: string; details?: unknown }[];
  metadata: {
    coverage: {
      trace: {
        addresses_read: number;
        attributed: { received: number | null; sent: number | null };
        frontier: { address: string }[];
      };
    };
  };
}

export async function openDesk(world: {
  env?: Record<string, string>;
  prices?: DailyPrice[];
  labels?: Label[];
  chainSource?: Context['chainSource'];
}): Promise<Desk> {
  const opened = await openContext(readConfig(world.env ?? {}), { inMemory: true, log: pino({ level: 'silent' }) });
  const ctx = world.chainSource ? { ...opened, chainSource: world.chainSource } : opened;
  await savePrices(ctx.records, world.prices ?? []);
  await ctx.labels.put(world.labels ?? [], { stamp: await ctx.labels.beginLoad(), list: false });
  const account = await createAccount(ctx.records, { name: 'Desk', planId: 'enterprise' }, ctx.now());
  return { ctx, tenant: { accountId: account.id, keyId: '', planId: 'enterprise', plan: PLANS.enterprise } };
}

export async function scan(
  { ctx, tenant }: Desk,
  asked: { chain: Chain; address: string; trace: 'on' | 'off' },
): Promise<ScanView> {
  const answer: unknown = await scanAddress(ctx, tenant, { ...asked, lang: 'en', source: 'sync', fresh: true });
  return answer as ScanView;
}

/** Starts a trace and waits for its end. */
export async function runTrace(
  { ctx, tenant }: Desk,
  asked: { chain: Chain; address: string; direction: Direction; maxAddresses: number },
) {
  const workers = startWorkers(ctx);
  const startedAt = performance.now();
  const { job_id } = await startTrace(ctx, tenant, { ...asked, maxHops: 5, minShare: 0.001, minUsd: 0 });
  let record = await getTrace(ctx, tenant, job_id);
  while (record.status === 'queued' || record.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    record = await getTrace(ctx, tenant, job_id);
  }
  const tookMs = performance.now() - startedAt;
  const results = await getTraceResults(ctx, tenant, job_id);
  await workers.stop();
  return { record, results, tookMs };
}
