import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GraphError, GraphTimeoutError } from '../../src/errors.ts';
import { logBytesMax, openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { childModule } from '../setup/child-module.ts';
import { expectedContents } from './expected-contents.ts';
import { killBatch } from './ingest/kill-batch.ts';
import { withTimeOver } from './time-over.ts';
import { contents, transfer } from './world.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traceflow-graph-'));
  path = join(folder, 'graph.grafeo');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('what was written is there after closing and opening again', async () => {
  const transfers = [transfer({ from: 'a', to: 'b' }, 0), transfer({ from: 'b', to: 'c' }, 1)];
  const first = await openGrafeo({ path });
  await ingestTransfers(first, transfers);
  await first.close();
  const second = await openGrafeo({ path });
  expect(await contents(second)).toEqual(expectedContents(transfers));
  await second.close();
});

it('the log that a start after a crash reads again is half the graph, from 64 to 256 MiB', () => {
  const MIB = 1024 * 1024;
  expect([0, 128, 200, 512, 4_096].map((size) => logBytesMax(size * MIB) / MIB)).toEqual([64, 64, 100, 256, 256]);
});

it('a process killed while writing leaves every acknowledged batch whole and no batch in part', {
  timeout: 120_000,
}, async () => {
  for (const delayMs of [0, 7, 23, 61, 140]) {
    const file = join(folder, `killed-after-${delayMs}.grafeo`);
    const child = await childModule('/test/graph/ingest/ingest-process.ts', [file]);
    let said = '';
    let complaints = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    const exit = once(child, 'exit');
    while (!said.includes('\n') && child.exitCode === null) await sleep(5);
    await sleep(delayMs);
    child.kill('SIGKILL');
    await exit;
    expect(complaints).toBe('');

    const acknowledged = said.split('\n').length - 1;
    expect(acknowledged).toBeGreaterThan(0);
    const graph = await openGrafeo({ path: file });
    const found = await contents(graph);
    await graph.close();
    const batches = found.transfers.length / killBatch(0).length;
    expect(batches).toBeGreaterThanOrEqual(acknowledged);
    const whole = Array.from({ length: Math.ceil(batches) }, (_, batch) => killBatch(batch)).flat();
    expect(found).toEqual(expectedContents(whole));
  }
});

it('a file that another process holds is refused with the reason', async () => {
  const child = await childModule('/test/graph/ingest/ingest-process.ts', [path]);
  await once(child.stdout, 'data');
  await expect(openGrafeo({ path })).rejects.toThrow(`${path} is in use by another process`);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

it('a file that holds no graph is refused with its name and what to do', async () => {
  writeFileSync(path, 'no graph at all '.repeat(1_000));
  await expect(openGrafeo({ path })).rejects.toThrow(`${path} cannot be opened: `);
  await expect(openGrafeo({ path })).rejects.toThrow(/traceflow restore DIR/);
});

it('a query beyond its time ends with a timeout, and the graph goes on', async () => {
  const graph = await openGrafeo({ path: null });
  const many = Array.from({ length: 1_000 }, (_, i) => transfer({ from: 'hub', to: `r${i}` }, i));
  await ingestTransfers(graph, many);
  const pairs = many.map(({ from, to }) => [`ethereum:${from}`, `ethereum:${to}`]);
  const slow = withTimeOver(graph).read('ingest/read-facts', { pairs }, { timeoutMs: 1 });
  await expect(slow).rejects.toThrow(GraphTimeoutError);
  expect(await graph.read('stats/ping', {}, { timeoutMs: 10_000 })).toEqual([{ alive: true }]);
  await graph.close();
});

it('a write that fails in the middle leaves nothing behind, and the next one goes through', async () => {
  const graph = await openGrafeo({ path: null });
  const mark = (key: string) => ({
    statement: 'ingest/mark-scanned',
    params: { key, chain: 'ethereum', address: key, at: 1, complete: true },
  });
  const broken = { statement: 'ingest/create-addresses', params: { key: ['x'] } };
  await expect(graph.write([mark('a'), broken])).rejects.toThrow(GraphError);
  await graph.write([mark('b')]);
  expect((await contents(graph)).addresses.map(({ key }) => key)).toEqual(['b']);
  await graph.close();
});

it('a commit lets other work go on, and nothing is written by its transaction afterwards', async () => {
  const graph = await openGrafeo({ path });
  const done: string[] = [];
  let late: () => Promise<unknown> = async () => {};
  await graph.transact(async (tx) => {
    late = () => tx.run('stats/ping', {});
    await tx.run('stats/ping', {});
    setImmediate(() => done.push('other work'));
  });
  done.push('committed');
  expect(done).toEqual(['other work', 'committed']);
  await expect(late()).rejects.toThrow(GraphError);
  await graph.close();
});

it('reads go on beside a write and see nothing of it before its end', async () => {
  const graph = await openGrafeo({ path: null });
  let during = -1;
  await graph.transact(async (tx) => {
    await tx.run('ingest/mark-scanned', { key: 'a', chain: 'ethereum', address: 'a', at: 1, complete: true });
    during = (await contents(graph)).addresses.length;
  });
  expect(during).toBe(0);
  expect((await contents(graph)).addresses.length).toBe(1);
  await graph.close();
});

it('whole numbers above 2^53 come as numbers, and a closed graph says so', async () => {
  const graph = await openGrafeo({ path: null });
  await graph.write([
    {
      statement: 'ingest/mark-scanned',
      params: { key: 'a', chain: 'ethereum', address: 'a', at: 2 ** 60, complete: true },
    },
  ]);
  expect((await contents(graph)).addresses[0]?.scanned_at).toBe(2 ** 60);
  await graph.ping();
  await graph.close();
  await graph.close();
  await expect(graph.ping()).rejects.toThrow(GraphError);
});

it('says in one line which format a file of a newer version has', async () => {
  await (await openGrafeo({ path })).close();
  const file = readFileSync(path);
  // The header holds the format at byte 4 and its own checksum at byte 72.
  const format = file.readUInt32LE(4);
  file.writeUInt32LE(format + 1, 4);
  file.writeUInt32LE(crc32(file.subarray(0, 72)), 72);
  writeFileSync(path, file);
  rmSync(`${path}.wal`, { recursive: true, force: true });
  await expect(openGrafeo({ path })).rejects.toMatchObject({
    name: 'InvalidInputError',
    message: expect.stringContaining(
      `has format ${format + 1} of a newer version; this one reads format ${format}: start`,
    ),
  });
});
