import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { openContext } from '../src/context.ts';
import { createTransfer } from '../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../src/graph/ingest/ingest.ts';
import { markRead } from '../src/graph/ingest/mark-read.ts';
import { CASE_LIMITS, PLANS } from '../src/plans.ts';
import type { ScanAnswer } from '../src/questions/scans/record-scan.ts';
import { scanAddress } from '../src/questions/scans/scan-address.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { openRecords, type Records } from '../src/records/database/database.ts';
import { isMet, ms, table } from './table.ts';

const READERS = 9;
const WAIT_MS_MAX = 500;
const JSON_MIB_MAX = 8;
const PROBE_MS = 10;
/** Transfers that the detections of one scan name: scans of busy addresses name so many. */
const EVIDENCE = 500;
const MIB = 2 ** 20;

/** Nine readers at once of the fullest case there may be, over real connections, and how long others wait meanwhile. */
export async function benchFullestCase(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const { key, caseId, otherKey, otherCaseId } = await fill(dataDir);
  const service = await startService(dataDir);
  const rows: string[][] = [];
  try {
    for (const path of ['', '/addresses?limit=200', '/notes?limit=200', '/report.pdf?language=en']) {
      const url = `${service.url}/api/v1/cases/${caseId}${path}`;
      const probes = [
        probe(`${service.url}/health/live`, {}),
        probe(`${service.url}/api/v1/cases/${otherCaseId}`, { 'x-api-key': otherKey }),
      ];
      const answers = await Promise.all(Array.from({ length: READERS }, () => read(url, { 'x-api-key': key })));
      const [live = 0, other = 0] = await Promise.all(probes.map((one) => one.stop()));
      const slowest = Math.max(...answers.map((answer) => answer.ms));
      const largest = Math.max(...answers.map((answer) => answer.bytes));
      const statuses = [...new Set(answers.map(({ status }) => status))].join(', ');
      const fits = path.startsWith('/report') || largest <= JSON_MIB_MAX * MIB;
      const met = fits && live <= WAIT_MS_MAX && other <= WAIT_MS_MAX;
      const size = `${(largest / MIB).toFixed(2)} MiB`;
      rows.push([
        path || '(case)',
        statuses,
        size,
        ms(slowest),
        ms(live),
        ms(other),
        await rss(service.url),
        isMet(met),
      ]);
    }
  } finally {
    service.child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
  const target = `others ≤ ${WAIT_MS_MAX} ms, JSON ≤ ${JSON_MIB_MAX} MiB`;
  table([`${READERS} readers of`, 'status', 'largest', 'slowest', 'health waits', 'other waits', 'rss', target], rows);
}

async function read(url: string, headers: Record<string, string>) {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers });
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { status: answer.status, bytes, ms: performance.now() - startedAt };
}

/** Asks again and again; what `stop` resolves with is the longest wait in ms. */
function probe(url: string, headers: Record<string, string>): { stop: () => Promise<number> } {
  let running = true;
  let longest = 0;
  const done = (async () => {
    while (running) {
      const { ms: waited } = await read(url, headers);
      longest = Math.max(longest, waited);
      await sleep(PROBE_MS);
    }
  })();
  const stop = async () => {
    running = false;
    await done;
    return longest;
  };
  return { stop };
}

async function rss(url: string): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return `${Math.round(Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / MIB)} MiB`;
}

async function fill(dataDir: string) {
  const records = await openRecords({ path: join(dataDir, 'records.sqlite') });
  const now = Date.now();
  const { id: accountId } = await createAccount(records, { name: 'Full', planId: 'enterprise' }, now);
  const { key } = await insertKey(records, { accountId, name: 'bench' }, now);
  const { id: otherId } = await createAccount(records, { name: 'Other', planId: 'enterprise' }, now);
  const { key: otherKey } = await insertKey(records, { accountId: otherId, name: 'bench' }, now);
  const caseId = await insertCase(records, accountId, now);
  const otherCaseId = await insertCase(records, otherId, now);
  const noteBytes = Math.floor((CASE_LIMITS.textMib * MIB) / CASE_LIMITS.notes);
  const template = await scanOnce();
  await records.transaction().execute(async (transaction) => {
    for (let i = 0; i < CASE_LIMITS.notes; i++) {
      // The newest ones are as long as notes may be, so that the first page is the largest there is.
      const left = CASE_LIMITS.notes - i;
      const content = left <= 174 ? '日'.repeat(10_000) : 'x'.repeat(Math.min(8, noteBytes));
      const row = { id: randomUUID(), case_id: caseId, content, note_type: 'comment', author: 'bench' } as const;
      await transaction
        .insertInto('case_notes')
        .values({ ...row, created_at: now + i, event: null })
        .execute();
    }
    for (let i = 0; i < CASE_LIMITS.addresses; i++)
      await insertAddress(transaction, { template, accountId, caseId, i, now });
  });
  await records.destroy();
  return { key, caseId, otherKey, otherCaseId };
}

/** A scan as it is recorded, of an address of two transfers. */
async function scanOnce(): Promise<ScanAnswer> {
  const ctx = await openContext(readConfig({}), { inMemory: true, log: pino({ level: 'silent' }) });
  const [address, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
  const payment = {
    chain: 'ethereum',
    index: 'native',
    asset: 'ETH',
    amount: '1',
    kind: 'native',
    usd: 3_000,
  } as const;
  await ingestTransfers(ctx.graph, [
    createTransfer({ ...payment, txHash: `0x${'a'.repeat(64)}`, at: Date.now(), from: other, to: address }),
    createTransfer({ ...payment, txHash: `0x${'b'.repeat(64)}`, at: Date.now(), from: address, to: other }),
  ]);
  const whole = { complete: true, intervals: [], isContract: null, isHub: false };
  await markRead(ctx.graph, { chain: 'ethereum', address, at: ctx.now(), ...whole });
  const { id: accountId } = await createAccount(ctx.records, { name: 'Bench', planId: 'enterprise' }, ctx.now());
  const { id: keyId } = await insertKey(ctx.records, { accountId, name: 'bench' }, ctx.now());
  const tenant = { accountId, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const answer = await scanAddress(ctx, tenant, {
    chain: 'ethereum',
    address,
    lang: 'en',
    source: 'case',
    trace: 'off',
  });
  await ctx.close();
  return answer;
}

async function insertCase(records: Records, account_id: string, now: number): Promise<string> {
  const id = randomUUID();
  const fields = { title: 'Bench', description: '', status: 'open', priority: 'low', assignee: null } as const;
  await records
    .insertInto('cases')
    .values({ id, account_id, ...fields, created_at: now, updated_at: now, legal_hold: 0 })
    .execute();
  return id;
}

interface Place {
  template: ScanAnswer;
  accountId: string;
  caseId: string;
  i: number;
  now: number;
}

async function insertAddress(records: Records, { template, accountId, caseId, i, now }: Place): Promise<void> {
  const address = `0x${i.toString(16).padStart(40, '0')}`;
  const id = randomUUID();
  const row = { id, case_id: caseId, chain: 'ethereum', address, role: 'other', label: null } as const;
  await records
    .insertInto('case_addresses')
    .values({ ...row, investigator_notes: '', hop_distance: 1, created_at: now + i })
    .execute();
  const evidence = Array.from(
    { length: EVIDENCE },
    (_, nth) => `0x${(i * EVIDENCE + nth).toString(16).padStart(64, '0')}#0`,
  );
  const detection = {
    detector_id: 'mixer_exposure',
    detector_name: 'Mixer',
    severity: 'HIGH',
    description: 'x',
    details: { evidence, labels: [], measured: {}, thresholds: {} },
  };
  const result = { ...template, address, detections: [detection] };
  const scan = {
    id: randomUUID(),
    account_id: accountId,
    chain: 'ethereum',
    address,
    source: 'case',
    lang: 'en',
  } as const;
  const level = {
    risk_level: 'HIGH',
    risk_score: 70,
    detection_count: 1,
    rule_set_version: 'bench',
    touched: 0,
    repeats: 0,
    units: 1,
  } as const;
  await records
    .insertInto('scans')
    .values({ ...scan, ...level, result: JSON.stringify(result), created_at: now })
    .execute();
  const judgement = {
    case_id: caseId,
    address_id: id,
    detector_id: 'mixer_exposure',
    disposition: 'dismissed',
    imported: 0,
  } as const;
  await records
    .insertInto('case_dispositions')
    .values({ ...judgement, reason: 'x', author: 'bench', evidence: JSON.stringify(evidence), created_at: now })
    .execute();
}

async function startService(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/cli.js'), 'serve', '--new-graph'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  while (!output.includes('traceflow is listening')) output += (await once(child.stdout, 'data'))[0];
  child.stdout.resume();
  return { child, url: /"url":"([^"]+)"/.exec(output)?.[1] ?? '' };
}
