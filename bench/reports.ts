import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openRenderer } from '../reports/render.ts';
import { readConfig } from '../src/config.ts';
import { type Context, openContext } from '../src/context.ts';
import { createTransfer, type Transfer } from '../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../src/graph/ingest/ingest.ts';
import { markRead } from '../src/graph/ingest/mark-read.ts';
import { PLANS } from '../src/plans.ts';
import { addCaseAddress } from '../src/questions/cases/case-addresses.ts';
import { createCase } from '../src/questions/cases/manage-cases.ts';
import { gatherCaseReport } from '../src/questions/cases/report/gather-case-report.ts';
import { startPackage } from '../src/questions/cases/report-package/start-package.ts';
import { scanAddress } from '../src/questions/scans/scan-address.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { findJob } from '../src/records/jobs/jobs.ts';
import { startWorkers } from '../workers/workers.ts';
import { watchEventLoop } from './event-loop.ts';
import { isMet, ms, table } from './table.ts';

const TRANSFERS = 2_000;
const PDF_MS_MAX = 3_000;
const PACKAGE_MS_MAX = 8_000;
const DELAY_MS_MAX = 50;
const POLL_MS = 25;
const START = Date.parse('2026-01-01T00:00:00Z');

/** The report and the report package of a case of one and of 20 addresses, and how long other work waits meanwhile. */
export async function benchReports(): Promise<void> {
  const rows: string[][] = [];
  for (const count of [1, 20]) {
    const ctx = await openContext(readConfig({}), { inMemory: true, log: pino({ level: 'silent' }) });
    const { tenant, caseId } = await fillCase(ctx, count);
    const renderer = openRenderer();
    const endWatch = watchEventLoop();

    const pdfAt = performance.now();
    renderer.prepare();
    const { input } = await gatherCaseReport(ctx, tenant, { caseId, language: 'ja' });
    const gatherMs = performance.now() - pdfAt;
    await renderer.render({ report: 'case', input }, tenant);
    const pdfMs = performance.now() - pdfAt;

    const workers = startWorkers(ctx);
    const packageAt = performance.now();
    const { generation_id: id } = await startPackage(ctx, tenant, caseId, { language: 'ja', from: null, to: null });
    let status = 'queued';
    while (status !== 'completed' && status !== 'failed') {
      await sleep(POLL_MS);
      status = (await findJob(ctx.records, tenant.accountId, id))!.status;
    }
    const packageMs = performance.now() - packageAt;
    const { p99: delay } = endWatch();
    await workers.stop();
    await renderer.close();
    await ctx.close();
    const met = pdfMs <= PDF_MS_MAX && packageMs <= PACKAGE_MS_MAX && delay <= DELAY_MS_MAX && status === 'completed';
    const figures = [ms(pdfMs), ms(gatherMs), ms(packageMs), ms(delay)];
    rows.push([String(count), ...figures, count === 1 ? '' : isMet(met)]);
  }
  const target = `${PDF_MS_MAX} ms, ${PACKAGE_MS_MAX} ms, ${DELAY_MS_MAX} ms`;
  table(['addresses', 'PDF', 'of it gathering', 'package', 'delay p99', target], rows);
}

async function fillCase(ctx: Context, count: number) {
  const account = await createAccount(ctx.records, { name: 'Bench', planId: 'enterprise' }, ctx.now());
  const { id: keyId } = await insertKey(ctx.records, { accountId: account.id, name: 'bench' }, ctx.now());
  const tenant = { accountId: account.id, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id: caseId } = await createCase(ctx, tenant, { title: 'Bench' });
  for (let number = 1; number <= count; number++) {
    const address = hex(number, 40);
    await ingestTransfers(ctx.graph, transfersOf(address, number));
    const whole = { complete: true, intervals: [], isContract: null, isHub: false };
    await markRead(ctx.graph, { chain: 'ethereum', address, at: ctx.now(), ...whole });
    const request = { chain: 'ethereum', address, lang: 'en', source: 'case', trace: 'off' } as const;
    await scanAddress(ctx, tenant, request);
    await addCaseAddress(ctx, tenant, caseId, { address });
  }
  return { tenant, caseId };
}

/** Received from and paid to 200 others in turn. */
function transfersOf(address: string, number: number): Transfer[] {
  return Array.from({ length: TRANSFERS }, (_, i) => {
    const other = hex(1_000 * (number + 1) + (i % 200), 40);
    return createTransfer({
      chain: 'ethereum',
      txHash: hex(number * 100_000 + i, 64),
      index: 'native',
      at: START + i * 600_000,
      from: i % 2 === 0 ? other : address,
      to: i % 2 === 0 ? address : other,
      asset: 'ETH',
      amount: '0.5',
      kind: 'native',
      usd: 1_000 + i,
    });
  });
}

function hex(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
