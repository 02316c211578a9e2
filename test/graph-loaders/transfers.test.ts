import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import type { Inquiry } from '../../src/tracing/read/inquiry.ts';
import { openSubject } from '../../src/tracing/read/open-addresses.ts';
import { tracing } from '../tracing/money.ts';
import { fileOf, type Loading, openLoading } from './loading.ts';

const HEADER = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd';
const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const csv = (...rows: string[]) => fileOf('t.csv', [HEADER, ...rows].join('\n'));

describe('transfers as CSV', () => {
  it('ISO and epoch times, known symbols, contracts and an empty usd are read; loading twice changes nothing', async () => {
    const loading = await openLoading();
    await loading.load('prices', fileOf('p.csv', 'date,asset,usd\n2024-01-05,eth,2000\n'));
    const file = csv(
      `ethereum,${hash(1)},0,1,2024-01-06T12:00:00Z,${A},${B},ETH,1.5,`,
      `ethereum,${hash(2)},1,2,1704542400,${A},${B},USDT,7,`,
      `ethereum,${hash(3)},2,,2024-01-06,${B},${A},SHADY,5,`,
      `ethereum,${hash(4)},3,4,2024-01-06 00:00:00+09:00,${B},${A},ETH,1,99.5`,
    );
    const report = await loading.load('transfers', file);
    expect(report).toEqual({ source: 'transfers', read: 4, loaded: 4, skipped: 0, errors: [] });
    const rows = await loading.graph.read('scan/read-transfers', { key: `ethereum:${A}`, limit: 10 });
    const facts = rows.map((row) => row.transfer as { tx_hash: string; usd?: number; at: number });
    expect(Object.fromEntries(facts.map((fact) => [fact.tx_hash, fact.usd]))).toEqual({
      [hash(1)]: 3_000,
      [hash(2)]: 7,
      [hash(3)]: undefined,
      [hash(4)]: 99.5,
    });
    expect(new Set(facts.map((fact) => fact.at))).toEqual(
      new Set([Date.UTC(2024, 0, 6, 12), 1_704_542_400_000, Date.UTC(2024, 0, 6), Date.UTC(2024, 0, 5, 15)]),
    );
    const stats = await graphStats(loading.graph);
    expect(stats).toMatchObject({ addresses: 2, transfers: 4, flows: 2 });
    expect(await loading.load('transfers', file)).toEqual(report);
    expect(await graphStats(loading.graph)).toEqual(stats);
  });

  it('amounts that no asset has are skipped with the reason', async () => {
    const loading = await openLoading();
    const row = (n: number, rest: string) => `ethereum,${hash(n)},0,1,2024-01-06,${A},${B},${rest}`;
    const file = csv(
      row(1, 'ETH,1e12,1'),
      row(2, 'USDT,1e13,1'),
      row(3, `SHADY,${'9'.repeat(121)},1`),
      row(4, 'SHADY,1e130,1'),
      row(5, 'ETH,1,1e300'),
      row(6, 'SHADY,1e40,1'),
    );
    const { loaded, errors } = await loading.load('transfers', file);
    expect(loaded).toBe(1);
    expect(errors.map(({ reason }) => reason.slice(0, 40))).toEqual([
      'no ETH exist in that amount',
      'no USDT exist in that amount',
      'amount is not a number of 0 or more: 999',
      'amount is not a number of 0 or more: 1e1',
      'usd is not a number from 0 to 1000000000',
      'amount 1e40 may lack its last digits, an',
    ]);
  });

  it('a file may say where in its block a transaction stands, what it cost and who paid for it', async () => {
    const loading = await openLoading();
    const more = 'block_hash,position,tx_sender,method,fee,fee_payer';
    const start = (n: number) => `ethereum,${hash(n)},0,1,2024-01-06,${A},${B},ETH,1,1`;
    const file = [
      `${HEADER},${more}`,
      `${start(1)},0xbb,7,${A},pay,0.25,${B.toUpperCase().replace('0X', '0x')}`,
      `${start(2)},,,,,,`,
      `${start(3)},,x,,,,`,
      `${start(4)},,,,,-1,`,
      `${start(5)},,,0x1,,,`,
    ];
    const report = await loading.load('transfers', fileOf('more.csv', file.join('\n')));
    expect(report.errors.map(({ reason }) => reason)).toEqual([
      'position is not a whole number: x',
      'fee is not a number of 0 or more: -1',
      'tx_sender 0x1 is not an address of ethereum',
    ]);
    const rows = await loading.graph.read('scan/read-transfers', { key: `ethereum:${A}`, limit: 10 });
    const facts = rows.map((row) => row.transfer as Record<string, unknown>);
    const known = { block_hash: '0xbb', position: 7, tx_sender: A, method: 'pay', fee: '0.25', fee_payer: B };
    expect(facts.find((fact) => fact.tx_hash === hash(1))).toMatchObject(known);
    const plain = Object.keys(facts.find((fact) => fact.tx_hash === hash(2))!);
    expect(plain.filter((name) => name in known)).toEqual([]);
  });

  it('each field that cannot be read costs its row and is named', async () => {
    const loading = await openLoading();
    const good = {
      chain: 'ethereum',
      hash: hash(1),
      index: '0',
      block: '1',
      at: '2024-01-06',
      from: A,
      to: B,
      asset: 'ETH',
      amount: '1',
      usd: '1',
    };
    const row = (change: Partial<typeof good>) => Object.values({ ...good, ...change }).join(',');
    const report = await loading.load(
      'transfers',
      csv(
        row({ chain: 'doge' }),
        row({ hash: '' }),
        row({ index: '' }),
        row({ block: 'x' }),
        row({ at: 'yesterday' }),
        row({ from: '0x1' }),
        row({ to: '1CKVszDdUp4ymGceAZpGzYEFr4RPNHYqaM' }),
        row({ asset: '' }),
        row({ amount: '-1' }),
        row({ amount: 'NaN' }),
        row({ usd: '-2' }),
        row({ usd: '1e999' }),
        row({}),
      ),
    );
    expect(report).toMatchObject({ read: 13, loaded: 1, skipped: 12 });
    expect(report.errors.map((error) => error.line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(report.errors[6]?.reason).toBe('to 1CKVszDdUp4ymGceAZpGzYEFr4RPNHYqaM is not a valid ethereum address');
    expect(await graphStats(loading.graph)).toMatchObject({ transfers: 1 });
  });

  it('ends the load when the caller asks, and a repetition completes it', async () => {
    const loading = await openLoading();
    const file = csv();
    const rows = Array.from(
      { length: 12_000 },
      (_, n) => `ethereum,${hash(n)},0,1,2024-01-06,${A},0x${(n % 500).toString(16).padStart(40, '0')},ETH,1,1`,
    );
    writeFileSync(file, [HEADER, ...rows].join('\n'));
    const { load } = await import('../../graph-loaders/load.ts');
    const stop = new AbortController();
    const request = { source: 'transfers', input: file };
    const ended = load(request, loading, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) });
    await expect(ended).rejects.toThrow('enough');
    expect((await graphStats(loading.graph)).transfers).toBe(5_000);
    await load(request, loading);
    expect((await graphStats(loading.graph)).transfers).toBe(12_000);
  });
});

describe('a file of transfers that is declared whole', () => {
  const [THIEF, CEX, SUBJECT] = ['c1', 'c2', 'c3'].map((end) => `0x${end.padStart(40, '0')}`) as [
    string,
    string,
    string,
  ];
  const theft = () =>
    csv(
      `ethereum,${hash(1)},0,1,2024-01-01,${THIEF},${A},ETH,1,1000`,
      `ethereum,${hash(2)},0,2,2024-01-02,${A},${SUBJECT},ETH,1,1000`,
      `ethereum,${hash(3)},0,3,2024-01-03,${SUBJECT},${B},ETH,1,1000`,
      `ethereum,${hash(4)},0,4,2024-01-04,${B},${CEX},ETH,0.5,500`,
    );
  const exposureOf = async (loading: Loading, readBy?: Inquiry['readBy']) => {
    const { coverage } = await getExposure(
      { ...tracing(loading.graph, readBy && { readBy }), now: loading.now },
      { chain: 'ethereum', address: SUBJECT, maxHops: 5, limit: 200 },
    );
    return coverage;
  };
  const nobody: Inquiry['readBy'] = async () => new Set();

  it('makes its addresses count as read for every account: what came before it and after it is not known', async () => {
    const loading = await openLoading();
    await loading.load('transfers', theft());
    expect((await exposureOf(loading, nobody)).unattributed).toEqual({ not_read: 2_000 });
    const report = await loading.load('transfers', theft(), { whole: { fromStart: false } });
    expect(report).toEqual({ source: 'transfers', read: 4, loaded: 4, skipped: 0, errors: [], whole_addresses: 5 });
    const coverage = await exposureOf(loading, nobody);
    expect(coverage.unattributed).toEqual({ partial_history: 1_000, not_read_since: 1_000 });
    expect(coverage.frontier?.[0]).toMatchObject({ hop: 0, reason: 'partial_history' });
    expect(coverage.scanned_at).toBe(null);
  });

  it('from their start on knows what its addresses held', async () => {
    const loading = await openLoading();
    await loading.load('transfers', theft(), { whole: { fromStart: true } });
    expect((await exposureOf(loading, nobody)).unattributed).toEqual({ received_unseen: 1_000, not_read_since: 1_000 });
  });

  it('takes for a pool what many pay and whose tokens one of these moves, where the file has no prices', async () => {
    const loading = await openLoading();
    const [pool, trader, wallet] = ['c1', 'd1', 'e1'].map((end) => `0x${end.padStart(40, '0')}`);
    const payers = ['11', '12', '13', '14', '15'].map((end) => `0x${end.padStart(40, '0')}`);
    const row = (n: number, from: string, to: string, asset: string, signer: string, amount = 50) =>
      `ethereum,${hash(n)},log:0,${n},2024-01-06T12:00:${String(n).padStart(2, '0')}Z,${from},${to},${asset},${amount},,${signer}`;
    const rows = [
      ...payers.map((from, i) => row(i, from, pool!, 'USDC', from)),
      row(10, trader!, pool!, 'USDT', trader!),
      row(11, pool!, B, 'USDC', trader!),
      // Its tokens go by an allowance, to who paid it little.
      ...payers.map((from, i) => row(20 + i, from, wallet!, 'USDC', from)),
      row(26, A, wallet!, 'USDC', A, 20),
      row(30, wallet!, B, 'USDC', A, 250),
    ];
    const file = fileOf('t.csv', [`${HEADER},tx_sender`, ...rows].join('\n'));
    await loading.load('transfers', file, { whole: { fromStart: true } });
    const read = (address: string) =>
      openSubject(loading.graph, `ethereum:${address}`, { timeoutMs: 5_000, labels: new Map() });
    expect([(await read(pool!))?.isContract, (await read(wallet!))?.isContract]).toEqual([true, false]);
  });

  it('judges the rows of one transaction together, wherever in the file they stand', async () => {
    const loading = await openLoading();
    const [vault, ...savers] = ['c2', 'd2', 'd3'].map((end) => `0x${end.padStart(40, '0')}`);
    const cells = (n: number, place: number, from: string, to: string, asset: string, signer: string) =>
      `ethereum,${hash(n)},log:${place},${n},2024-01-06T12:00:00Z,${from},${to},${asset},50,,${signer}`;
    const deposit = (n: number, saver: string) => [
      cells(n, 0, saver, vault!, 'USDC', saver),
      cells(n, 1, `0x${'0'.repeat(40)}`, saver, 'vUSDC', saver),
    ];
    const others = Array.from({ length: 4_999 }, (_, n) => cells(n, 0, A, B, 'USDC', A));
    const rows = [...others, ...savers.flatMap((saver, i) => deposit(6_000 + i, saver))];
    const file = fileOf('t.csv', [`${HEADER},tx_sender`, ...rows].join('\n'));
    await loading.load('transfers', file, { whole: { fromStart: true } });
    const subject = await openSubject(loading.graph, `ethereum:${vault}`, { timeoutMs: 5_000, labels: new Map() });
    expect(subject?.isContract).toBe(true);
  });

  it('is not taken as whole where rows are skipped, and says so', async () => {
    const loading = await openLoading();
    const file = csv(`ethereum,${hash(1)},0,1,2024-01-01,${A},${B},ETH,1,1`, 'ethereum,x y,0,1,2024-01-01,a,b,ETH,1,1');
    const report = await loading.load('transfers', file, { whole: { fromStart: true } });
    expect(report.whole_addresses).toBe(undefined);
    expect(report.errors.at(-1)).toMatchObject({ line: 0, reason: expect.stringContaining('not whole') });
    expect((await readIntervals(loading, A)) ?? []).toEqual([]);
  });

  it('keeps apart what accounts have read of the same addresses', async () => {
    const loading = await openLoading();
    const day = (date: string) => Date.parse(date);
    await markRead(loading.graph, {
      chain: 'ethereum',
      address: A,
      at: day('2024-02-01'),
      intervals: (['coin', 'internal', 'tokens'] as const).map((list) => ({
        list,
        from: 0,
        to: day('2024-02-01'),
        source: 'explorer',
        at: 5,
      })),
      isContract: null,
      isHub: false,
      complete: true,
    });
    await loading.load('transfers', theft(), { whole: { fromStart: false } });
    expect(await readIntervals(loading, A)).toHaveLength(6);
    // Another account's reading reaches back to the beginning; the file alone does not.
    const toRead = async (readBy?: Inquiry['readBy']) =>
      (await exposureOf(loading, readBy)).frontier?.map(({ address, reason }) => [address, reason]);
    expect(await toRead(nobody)).toContainEqual([A, 'partial_history']);
    expect(await toRead()).not.toContainEqual([A, 'partial_history']);
  });

  async function readIntervals({ graph }: Loading, address: string) {
    const [row] = await graph.read<{ read_lists: string[] | null }>('exposure/open', {
      items: [{ key: `ethereum:${address}`, in_max: 9, out_max: 9 }],
      most: 10,
      per_row: 9,
    });
    return row?.read_lists;
  }
});
