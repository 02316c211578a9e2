import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { load } from '../graph-loaders/load.ts';
import { openGrafeo } from '../src/graph/grafeo.ts';
import { openLabelStore } from '../src/labels/label-store.ts';
import { openPrices } from '../src/prices/price-store.ts';
import { openRecords } from '../src/records/database.ts';
import { type GraphWorld, graphWorld } from './graph-world.ts';
import { table } from './table.ts';

const ROWS = 1_000_000;
const MIB = 2 ** 20;

/** `load transfers` of a million rows into an empty embedded graph: rows a second as it fills, and memory beside it. */
export async function benchGraphLoad(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const input = join(folder, 'transfers.csv');
  await writeTransfersCsv(graphWorld(ROWS), input);
  const path = join(folder, 'graph.grafeo');
  const [records, graph] = [await openRecords({ path: null }), await openGrafeo({ path })];
  const stores = {
    records,
    graph,
    labels: openLabelStore(records, Date.now),
    prices: openPrices(records),
    now: Date.now,
  };
  const rows: string[][] = [];
  const before = process.memoryUsage().rss;
  let heapMax = 0;
  const startedAt = performance.now();
  let last = { rows: 0, at: startedAt };
  const onProgress = (read: number) => {
    heapMax = Math.max(heapMax, process.memoryUsage().heapUsed);
    if (read - last.rows < ROWS / 5) return;
    const now = performance.now();
    const perSecond = ((read - last.rows) * 1_000) / (now - last.at);
    rows.push([count(read), count(perSecond), mib(process.memoryUsage().rss), mib(process.memoryUsage().heapUsed)]);
    last = { rows: read, at: now };
  };
  await load({ source: 'transfers', input, replace: false }, stores, { onProgress });
  const seconds = (performance.now() - startedAt) / 1_000;
  table(['rows', 'rows/s', 'memory', 'heap of the loader'], rows);
  const perEdge = (process.memoryUsage().rss - before) / ROWS;
  console.log(
    `whole: ${count(ROWS / seconds)} rows/s (target 50,000); ${Math.round(perEdge)} bytes of memory a transfer with its ` +
      `roll-up; heap at most ${mib(heapMax)}; file ${mib(statSync(path).size)}`,
  );
  const againAt = performance.now();
  await load({ source: 'transfers', input, replace: false }, stores);
  console.log(`the same again: ${count((ROWS * 1_000) / (performance.now() - againAt))} rows/s`);
  await graph.close();
  await records.destroy();
  rmSync(folder, { recursive: true });
}

async function writeTransfersCsv(world: GraphWorld, path: string): Promise<void> {
  await pipeline(Readable.from(lines(world)), createWriteStream(path));
}

function* lines(world: GraphWorld): Generator<string> {
  let text = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd\n';
  for (const t of world.transfers()) {
    text += `${t.chain},${t.txHash},${t.index},${t.block},${t.at / 1_000},${t.from},${t.to},${t.asset},${t.amount},${t.usd}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
