import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { load } from '../../graph-loaders/load.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { openPrices } from '../../src/prices/price-store.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { table } from '../table.ts';
import { startTiming } from '../timing.ts';
import { bareCreate } from './bare.ts';
import { type GraphWorld, graphWorld } from './world.ts';

const ROWS = Number(process.env.LOAD_ROWS ?? 1_000_000);
const PART = ROWS / 5;
const TARGET = 50_000;
const MIB = 2 ** 20;

/**
 * `load transfers` of a million rows (LOAD_ROWS) into an empty embedded graph: rows a second as it fills and memory
 * beside it, against the bare creation of the first fifth, with the same properties, on the same engine.
 */
export async function benchGraphLoad(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const world = graphWorld(ROWS);
  const bare = await bareCreate(world, PART, folder);
  const [whole, part] = [join(folder, 'transfers.csv'), join(folder, 'part.csv')];
  await pipeline(Readable.from(csvLines(world, ROWS)), createWriteStream(whole));
  await pipeline(Readable.from(csvLines(world, PART)), createWriteStream(part));

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
  const speeds: number[] = [];
  const before = process.memoryUsage().rss;
  let heapMax = 0;
  let [last, timing] = [0, startTiming()];
  const onProgress = (read: number) => {
    heapMax = Math.max(heapMax, process.memoryUsage().heapUsed);
    if (read - last < PART) return;
    const { perSecond, cpuMicros } = timing(read - last);
    speeds.push(perSecond);
    const memory = process.memoryUsage();
    rows.push([count(read), count(perSecond), cpuMicros.toFixed(0), mib(memory.rss), mib(memory.heapUsed)]);
    [last, timing] = [read, startTiming()];
  };
  const whileLoading = startTiming();
  await load({ source: 'transfers', input: whole }, stores, { onProgress });
  const { perSecond, cpuMicros } = whileLoading(ROWS);
  table(['rows', 'rows/s', 'CPU µs a row', 'memory', 'heap of the loader'], rows);
  console.log(
    `bare UNWIND … CREATE of the same rows: ${count(bare.transfers.perSecond)}/s (${bare.transfers.cpuMicros.toFixed(0)} ` +
      `µs of CPU each), with their roll-ups ${count(bare.both.perSecond)}/s (${bare.both.cpuMicros.toFixed(0)} µs)`,
  );
  console.log(
    `whole load: ${count(perSecond)} rows/s, target ${count(TARGET)} ${perSecond >= TARGET ? 'met' : 'NOT met'}; ` +
      `${(bare.both.perSecond / perSecond).toFixed(2)} × the time and ${(cpuMicros / bare.both.cpuMicros).toFixed(2)} × ` +
      `the CPU of bare creation; ` +
      `last fifth at ${((speeds.at(-1)! / speeds[0]!) * 100).toFixed(0)} % of the first`,
  );
  const grown = Math.round((process.memoryUsage().rss - before) / ROWS);

  const reload = startTiming();
  await load({ source: 'transfers', input: part }, stores);
  console.log(`the first fifth again: ${count(reload(PART).perSecond)} rows/s`);
  await graph.close();
  await records.destroy();
  const { bytes, seconds } = restart(path);
  console.log(
    `a transfer with its roll-up: ${grown} bytes of memory while it was loaded (heap of the loader at most ` +
      `${mib(heapMax)}), ${Math.round(bytes / ROWS)} after a restart, which takes ${seconds.toFixed(1)} s; ` +
      `${Math.round(statSync(path).size / ROWS)} on disk`,
  );
  rmSync(folder, { recursive: true });
}

/** Returns what it takes a new process to open the graph and count it: more memory, and time. */
function restart(path: string): { bytes: number; seconds: number } {
  const text = `
    import { openGrafeo } from ${JSON.stringify(new URL('../../src/graph/grafeo/grafeo.js', import.meta.url).href)};
    import { graphStats } from ${JSON.stringify(new URL('../../src/graph/queries/stats.js', import.meta.url).href)};
    const [before, at] = [process.memoryUsage().rss, performance.now()];
    const graph = await openGrafeo({ path: ${JSON.stringify(path)} });
    const seconds = (performance.now() - at) / 1_000;
    await graphStats(graph);
    console.log(JSON.stringify({ bytes: process.memoryUsage().rss - before, seconds }));
    await graph.close();`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' }));
}

/** A table of transfers of the world, in pieces. */
export function* csvLines(world: GraphWorld, rows: number): Generator<string> {
  let text = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd\n';
  let written = 0;
  for (const t of world.transfers()) {
    if (written++ === rows) break;
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
