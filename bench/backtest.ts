import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { readConfig } from '../src/config.ts';
import { type Context, openContext } from '../src/context.ts';
import { RECORDS_FILE } from '../src/data-folder/data-dir.ts';
import { AppError } from '../src/errors.ts';
import { PLANS } from '../src/plans.ts';
import { runBacktest, startBacktest } from '../src/questions/rules/backtest.ts';
import { createRule } from '../src/questions/rules/manage-rules.ts';
import { scanAddress } from '../src/questions/scans/scan-address.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { inTransaction } from '../src/records/database/database.ts';
import { claimJob } from '../src/records/jobs/claim-job.ts';
import { endJob } from '../src/records/jobs/job-leases.ts';
import { watchEventLoop } from './event-loop.ts';
import { isMet, ms, table } from './table.ts';

/** A million by `BENCH_SCANS=1000000`. */
const SCANS = Number(process.env.BENCH_SCANS ?? 100_000);
const AT_ONCE = 1_000;
const TEMPLATES_MAX = 60;
const WHOLE_MS_MAX = 60_000;
const HOLD_MS_MAX = 250;
const MINUTE_MS = 60_000;

/**
 * A rule runs over 100,000 recorded scans, which are scans of the demo world over and over; says how long it took, how long
 * others waited, and the disk that the records of 10,000 scans take: in SQLite, or in the empty PostgreSQL of DATABASE_URL.
 */
export async function benchBacktest(): Promise<void> {
  const templates = await scanWorld();
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const log = pino({ level: 'silent' });
  const { DATABASE_URL } = process.env;
  const ctx = await openContext(readConfig({ DATA_DIR: dataDir, DATABASE_URL }), { log });
  try {
    const tenant = await openDesk(ctx);
    const fileMib = async () => {
      if (DATABASE_URL) {
        await sql`vacuum`.execute(ctx.records);
        const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(
          ctx.records,
        );
        return Number(rows[0]!.bytes) / 2 ** 20;
      }
      await sql`pragma wal_checkpoint(truncate)`.execute(ctx.records);
      return statSync(join(dataDir, RECORDS_FILE)).size / 2 ** 20;
    };
    const before = await fileMib();
    await fill(ctx, tenant.accountId, templates);
    const per10k = ((await fileMib()) - before) / (SCANS / 10_000);
    const when = { all: [{ fact: 'score', operator: 'greaterThanInclusive', value: 50 }] };
    const { rule } = await createRule(ctx, tenant, { name: 'Bench', when, severity: 'high', mode: 'off' });
    const span = { from: 0, to: ctx.now() + SCANS };
    await startBacktest(ctx, tenant, rule.id, span);
    const job = (await claimJob(ctx.records, { type: 'backtest', lanes: ['any'] }, ctx.now(), 10 * MINUTE_MS))!;
    const stop = watchEventLoop();
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    await runBacktest(ctx, {
      job,
      signal: AbortSignal.timeout(30 * MINUTE_MS),
      stopping: () => false,
      wait: async () => {},
      close: (end) => endJob(ctx.records, job, { ...end, at: ctx.now() }, async () => {}),
    });
    const took = performance.now() - startedAt;
    const wholeMs = WHOLE_MS_MAX * (SCANS / 100_000);
    const { user, system } = process.cpuUsage(cpu);
    const { longest, p99 } = stop();
    const bytes = templates.reduce((sum, { scan }) => sum + scan.result.length, 0) / templates.length;
    table(
      [`backtest of ${SCANS.toLocaleString('en')} scans`, 'figure', 'target', ''],
      [
        ['whole', ms(took), ms(wholeMs), isMet(took <= wholeMs)],
        ['CPU of it', ms((user + system) / 1_000), '', ''],
        ['longest hold', ms(longest), ms(HOLD_MS_MAX), isMet(longest <= HOLD_MS_MAX)],
        ['hold, p99', ms(p99), '', ''],
        ['a recorded result', `${(bytes / 1_024).toFixed(1)} KiB`, '', ''],
        [`records of 10,000 scans (${DATABASE_URL ? 'PostgreSQL' : 'SQLite'})`, `${per10k.toFixed(0)} MiB`, '', ''],
      ],
    );
  } finally {
    await ctx.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function openDesk({ records, now }: Context) {
  const { id: accountId } = await createAccount(records, { name: 'Bench', planId: 'enterprise' }, now());
  const { id: keyId } = await insertKey(records, { accountId, name: 'bench' }, now());
  return { accountId, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
}

type Template = Awaited<ReturnType<typeof scanWorld>>[number];

/** Scans addresses of the demo world, as many of each chain, and returns what was recorded of each. */
async function scanWorld() {
  const world = makeWorld();
  const chains = await startChainServers(world);
  const ctx = await openContext(readConfig(chains.env), { inMemory: true, log: pino({ level: 'silent' }) });
  const tenant = await openDesk(ctx);
  const step = Math.ceil(world.roles.length / TEMPLATES_MAX);
  for (const { chain, address } of world.roles.filter((_, i) => i % step === 0)) {
    await scanAddress(ctx, tenant, { chain, address, lang: 'en', source: 'sync' }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }
  const scans = await ctx.records.selectFrom('scans').selectAll().execute();
  const counterparties = await ctx.records.selectFrom('scan_counterparties').selectAll().execute();
  await ctx.close();
  await chains.close();
  return scans.map((scan) => ({ scan, counterparties: counterparties.find(({ scan_id }) => scan_id === scan.id)! }));
}

async function fill({ records, now }: Context, account_id: string, templates: readonly Template[]): Promise<void> {
  const newest = now();
  for (let start = 0; start < SCANS; start += AT_ONCE) {
    await inTransaction(records, async (transaction) => {
      for (let i = start; i < start + AT_ONCE; i++) {
        const { scan, counterparties } = templates[i % templates.length]!;
        const id = randomUUID();
        const row = { ...scan, id, account_id, created_at: newest - (SCANS - i) * MINUTE_MS };
        await transaction.insertInto('scans').values(row).execute();
        await transaction
          .insertInto('scan_counterparties')
          .values({ ...counterparties, scan_id: id })
          .execute();
      }
    });
  }
}
