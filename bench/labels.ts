import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLabelStore } from '../src/labels/label-store.ts';
import { openRecords } from '../src/records/database/database.ts';
import { openSqliteFile } from '../src/records/database/sqlite-driver.ts';
import { isMet, median, table } from './table.ts';

const LABELS = 100_000;
const LOAD_S_MAX = 10;
const LOOKUPS = 20_000;
const LOOKUP_US_MAX = 50;

/** A whole list through the operator's command, into new stores, beside the same rows in a bare table; and look-ups. */
export async function benchLabels(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  try {
    const bareS = insertBare(join(folder, 'bare.sqlite'));
    const indexS = indexBare(join(folder, 'index.sqlite'));
    const rows = [
      ['bare table', bareS.toFixed(2), '1.0', ''],
      ['bare search index of scams', indexS.toFixed(2), (indexS / bareS).toFixed(1), ''],
    ];
    for (const [name, { source, file, text }] of Object.entries(SHAPES)) {
      const input = join(folder, file);
      writeFileSync(input, text());
      const seconds = load(source, input, join(folder, name));
      rows.push([name, seconds.toFixed(2), (seconds / bareS).toFixed(1), isMet(seconds <= LOAD_S_MAX)]);
    }
    table([`${LABELS} labels`, 'seconds', '× bare', `≤ ${LOAD_S_MAX} s`], rows);
    const us = await lookUp(join(folder, 'services', 'records.sqlite'));
    console.log();
    table(
      ['', 'p50', `≤ ${LOOKUP_US_MAX} µs`],
      [['look-up of an address', `${us.toFixed(1)} µs`, isMet(us <= LOOKUP_US_MAX)]],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const HEAD = 'chain,address,category,label,source,confidence,entity,valid_from,valid_to';

const SHAPES: Record<string, { source: string; file: string; text: () => string }> = {
  services: { source: 'labels', file: 'services.csv', text: () => csv((i) => `exchange,Exchange ${i}`) },
  // Each becomes an entry of the scam database too, with its text in the index.
  scams: { source: 'scamsniffer', file: 'combined.json', text: scamList },
};

function csv(facts: (i: number) => string): string {
  const lines = Array.from({ length: LABELS }, (_, i) => `evm,${address(i)},${facts(i)},bench,80,,,`);
  return [HEAD, ...lines].join('\n');
}

function scamList(): string {
  const sites = Array.from({ length: LABELS / 2 }, (_, i) => [
    `free-tokens-${i}.example`,
    [address(2 * i), address(2 * i + 1)],
  ]);
  return JSON.stringify(Object.fromEntries(sites));
}

/** Spread over all addresses, as real ones are. */
function address(nth: number): string {
  const spread = BigInt(nth + 1) * 0x9e3779b97f4a7c15f39cc0605cedc834n ** 2n;
  return `0x${BigInt.asUintN(160, spread).toString(16).padStart(40, '0')}`;
}

function insertBare(path: string): number {
  return insertInto(
    path,
    'create table labels (chain, address, category, label, source, confidence, primary key (chain, address))',
    (i) => ['evm', address(i), 'exchange', `Exchange ${i}`, 'bench', 80],
  );
}

/** What the words of the scams cost in SQLite's own full-text index, and nothing else. */
function indexBare(path: string): number {
  return insertInto(path, "create virtual table labels using fts5 (words, tokenize = 'trigram')", (i) => [
    [address(i), 'drainer', `drainer of free-tokens-${i >> 1}.example`, 'scamsniffer'].join('\n'),
  ]);
}

function insertInto(path: string, create: string, row: (i: number) => unknown[]): number {
  const db = openSqliteFile(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(create);
  const insert = db.prepare(`insert into labels values (${row(0).map(() => '?')})`);
  const startedAt = performance.now();
  for (let start = 0; start < LABELS; start += 1_000) {
    db.exec('begin');
    for (let i = start; i < start + 1_000; i++) insert.run(row(i));
    db.exec('commit');
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  db.close();
  return seconds;
}

function load(source: string, input: string, dataDir: string): number {
  const cli = join(import.meta.dirname, '../src/cli.js');
  const startedAt = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [cli, 'load', source, input, '--json'], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (JSON.parse(stdout || '{}').loaded !== LABELS) throw new Error(`The load of ${source} failed: ${stdout}${stderr}`);
  return seconds;
}

async function lookUp(path: string): Promise<number> {
  const records = await openRecords({ path });
  const labels = openLabelStore(records, Date.now);
  const times: number[] = [];
  for (let i = 0; i < LOOKUPS; i++) {
    const wanted = [address((i * 7_919) % (2 * LABELS))];
    const startedAt = performance.now();
    await labels.find('ethereum', wanted);
    times.push((performance.now() - startedAt) * 1_000);
  }
  await records.destroy();
  return median(times);
}
