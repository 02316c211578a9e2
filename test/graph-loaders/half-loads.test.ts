import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { finishLoads } from '../../graph-loaders/kept/finish-loads.ts';
import { load } from '../../graph-loaders/load.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import type { Row } from '../../src/graph/port.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { noteUnfinished, readUnfinished, withdrawUnfinished } from '../../src/records/lists/unfinished-loads.ts';
import { transfer } from '../graph/world.ts';
import { countStored, fileOf, folderOf, type Loading, openLoading, START } from './loading.ts';

const ROWS = 12_000;
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const lines = (header: string, row: (n: number) => string) =>
  [header, ...Array.from({ length: ROWS }, (_, n) => row(n + 1_000_000))].join('\n');

/** Files of more rows than are written at once. */
const FILES: [source: string, name: string, text: string][] = [
  [
    'labels',
    'labels.csv',
    lines(
      'chain,address,category,label,source,confidence,entity,valid_from,valid_to',
      (n) => `ethereum,${address(n)},scam,Name ${n},desk,80,,,`,
    ),
  ],
  [
    'transfers',
    'transfers.csv',
    lines(
      'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd',
      (n) => `ethereum,${hash(n)},native,${n},2026-01-01,${address(n)},${address(n + 1)},ETH,1,1`,
    ),
  ],
  ['domains', 'bad.txt', lines('# domains', (n) => `bad-${n}.example`)],
  ['prices', 'prices.csv', lines('date,asset,usd', (n) => `2026-01-01,COIN${n},${n}`)],
];

it.each(FILES)('%s: a file that breaks off half-way leaves no trace', async (source, name, text) => {
  const loading = await openLoading();
  const packed = gzipSync(text);
  const cut = packed.subarray(0, Math.floor(packed.length * 0.9));
  await expect(loading.load(source, fileOf(`${name}.gz`, cut))).rejects.toThrow(
    `${name}.gz: the gzip data is damaged or cut off`,
  );
  expect(await countStored(loading)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

it('labels: a list of which one part is older than the loaded one leaves no trace', async () => {
  const loading = await openLoading();
  const tag = (n: number, label: string) => `- address: "${address(n)}"\n  label: ${label}\n  currency: ETH\n`;
  const pack = (title: string, tags: string) => `title: ${title}\ncreator: x\ntags:\n${tags}`;
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  await loading.load('tagpack', fileOf('b.yaml', pack('Second', tag(1, 'a'))), { asOf: day('2026-11-10') });
  const before = await countStored(loading);
  const both = folderOf({ 'a.yaml': pack('First', tag(2, 'b')), 'b.yaml': pack('Second', tag(1, 'a')) });
  await expect(loading.load('tagpack', both, { asOf: day('2026-11-09') })).rejects.toThrow('A newer list');
  expect(await countStored(loading)).toEqual(before);
});

it('a load that is cut off while it writes is whole a few minutes later, whoever repeats it', async () => {
  const loading = await openLoading();
  const [, name, text] = FILES.find(([source]) => source === 'transfers')!;
  const input = fileOf(name, text);
  let writes = 0;
  const full: typeof loading.graph = Object.create(loading.graph, {
    transact: {
      value: (...args: Parameters<typeof loading.graph.transact>) => {
        if (++writes > 3) throw new Error('No space left on device');
        return loading.graph.transact(...args);
      },
    },
  });
  const failed = load({ source: 'transfers', input }, { ...loading, graph: full });
  await expect(failed).rejects.toThrow(/No space left on device\. A part of it is stored: .* finishes it/);
  expect((await graphStats(loading.graph)).transfers).toBeLessThan(ROWS);

  const ctx = { ...loading, log: pino({ enabled: false }) };
  await finishLoads(ctx);
  expect((await graphStats(loading.graph)).transfers).toBeLessThan(ROWS);
  loading.setNow(loading.now() + 6 * MINUTE_MS);
  await Promise.all([finishLoads(ctx), finishLoads(ctx)]);
  expect(await countStored(loading)).toEqual([0, 0, 0, 0, 0, 0, ROWS]);
});

describe('a list that was cut off', () => {
  const log = pino({ enabled: false });
  const pack = (title: string, ...numbers: number[]) => {
    const tags = numbers.map((n) => `- address: "${address(n)}"\n  label: L${n}\n  currency: ETH\n`).join('');
    return `title: ${title}\ncreator: x\ntags:\n${tags}`;
  };
  const live = async ({ records }: Loading) => {
    const rows = await records.selectFrom('labels').select(['label', 'valid_to']).orderBy('label').execute();
    return rows.filter(({ valid_to }) => valid_to === null).map(({ label }) => label);
  };
  /** Loads a list over one that it changes, and cuts it off where it comes to the graph. */
  const cutOff = async (loading: Loading) => {
    await loading.load('tagpack', fileOf('t.yaml', pack('T', 1, 2, 3)));
    const full = () => Promise.reject(new Error('No space left on device'));
    const graph = new Proxy(loading.graph, { get: () => full });
    const request = { source: 'tagpack', input: fileOf('t.yaml', pack('T', 1, 2, 4)), endings: 'end' } as const;
    await expect(load(request, { ...loading, graph })).rejects.toThrow('No space left on device');
    expect(await readUnfinished(loading.records)).toHaveLength(1);
  };

  /** What the graph says of what the list dropped and of what it added. */
  const namesInGraph = async ({ graph }: Loading) => {
    const key = [3, 4].map((n) => `ethereum:${address(n)}`);
    const rows = await graph.read<{ key: string; label: string | null } & Row>('entities/describe-keys', { key });
    return key.map((one) => rows.find((row) => row.key === one)?.label ?? null);
  };

  it('is repeated as of its own time, into the graph too', async () => {
    const loading = await openLoading();
    await ingestTransfers(loading.graph, [transfer({ chain: 'ethereum', from: address(3), to: address(4) })]);
    await cutOff(loading);
    loading.setNow(START + 3 * DAY_MS);
    await finishLoads({ ...loading, log });
    expect(await live(loading)).toEqual(['L1', 'L2', 'L4']);
    expect(await namesInGraph(loading)).toEqual([null, 'L4']);
    expect(await loading.records.selectFrom('label_lists').select('as_of').execute()).toEqual([{ as_of: START }]);
  });

  it('gives way to a newer one, of the same day too, by its name and by its day', async () => {
    for (const knows of [true, false]) {
      const loading = await openLoading();
      await cutOff(loading);
      const [cut] = await readUnfinished(loading.records);
      loading.setNow(START + MINUTE_MS);
      await loading.load('tagpack', fileOf('t.yaml', pack('T', 1, 5)), { endings: 'end' });
      expect(await readUnfinished(loading.records)).toEqual([]);
      if (!knows) await noteUnfinished(loading.records, cut!);
      loading.setNow(START + DAY_MS);
      await finishLoads({ ...loading, log });
      expect(await live(loading)).toEqual(['L1', 'L5']);
      expect(await readUnfinished(loading.records)).toEqual([]);
    }
  });

  it('stays beside a newer one of another name, until it is withdrawn', async () => {
    const loading = await openLoading();
    await cutOff(loading);
    loading.setNow(START + MINUTE_MS);
    await loading.load('tagpack', fileOf('u.yaml', pack('U', 7)));
    const [cut] = await readUnfinished(loading.records);
    expect(await withdrawUnfinished(loading.records, cut!, loading.now())).toBe(true);
    expect(await withdrawUnfinished(loading.records, cut!, loading.now())).toBe(false);
    expect(await readUnfinished(loading.records)).toEqual([]);
  });
});
