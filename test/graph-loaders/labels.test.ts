import { describe, expect, it } from 'vitest';
import { transferOf } from '../../graph-loaders/transfers/transfer-row.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { fileOf, folderOf, openLoading, START } from './loading.ts';

const HEADER = 'chain,address,category,label,source,confidence,entity,valid_from,valid_to';
const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const csv = (...rows: string[]) => fileOf('labels.csv', [HEADER, ...rows].join('\n'));

describe('labels as CSV', () => {
  it('an owner column that names nobody gives no owner, lest strangers become one holder', async () => {
    const loading = await openLoading();
    const owners = ['Unknown', 'N/A', ' - ', 'none', '不明の取引所', 'Unknown Fund 7'];
    const rows = owners.map(
      (owner, i) => `ethereum,0x${String(i + 1).padStart(40, 'a')},exchange,x,mine,90,${owner},,`,
    );
    await loading.load('labels', csv(...rows));
    const kept = await Promise.all(
      owners.map(async (_, i) => {
        const address = `0x${String(i + 1).padStart(40, 'a')}`;
        return (await loading.labels.find('ethereum', [address])).get(address)![0]!.entity;
      }),
    );
    expect(kept).toEqual([null, null, null, null, '不明の取引所', 'Unknown Fund 7']);
  });

  it('each column arrives, an empty valid_from is always valid, a last day counts to its end', async () => {
    const loading = await openLoading();
    const report = await loading.load(
      'labels',
      csv(
        `ethereum,${A},exchange,"Kraken, hot",mine,77,kraken,,`,
        `evm,${B.toUpperCase().replace('0X', '0x')},scam,Fake,mine,,,2024-01-01,2024-12-31`,
      ),
    );
    expect(report).toEqual({ source: 'labels', read: 2, loaded: 2, skipped: 0, errors: [] });
    expect((await loading.labels.find('ethereum', [A])).get(A)).toEqual([
      {
        chain: 'ethereum',
        address: A,
        category: 'exchange',
        label: 'Kraken, hot',
        source: 'mine',
        confidence: 77,
        entity: 'kraken',
        validFrom: null,
        validTo: null,
        maliciousContract: false,
      },
    ]);
    expect((await loading.labels.find('avalanche', [B])).get(B)).toMatchObject([
      { chain: 'evm', validFrom: Date.UTC(2024, 0, 1), validTo: Date.UTC(2025, 0, 1) },
    ]);
  });

  it('a row that cannot be read is reported with its line and reason, and stops nothing', async () => {
    const loading = await openLoading();
    const report = await loading.load(
      'labels',
      csv(
        `dogecoin,${A},scam,x,s,1,,,`,
        `ethereum,0x12,scam,x,s,1,,,`,
        `ethereum,${A},villain,x,s,1,,,`,
        `ethereum,${A},scam,x,s,101,,,`,
        `ethereum,${A},scam,x,s,1,,2024-02-30,`,
        `ethereum,${A},scam,x,s,1,,2024-02-03,2024-02-01`,
        `ethereum,${A},scam,x,s,1`,
        `ethereum,${A},scam,nul\0,s,1,,,`,
        `ethereum,${A},scam,"never closed,s,1,,,`,
        `ethereum,0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96044,scam,checksum,s,1,,,`,
        `ethereum,${B},scam,good,s,1,,,`,
        '',
      ),
    );
    expect(report.errors).toEqual([
      { line: 2, reason: 'unsupported chain: dogecoin' },
      { line: 3, reason: '0x12 is not a valid ethereum address' },
      { line: 4, reason: 'unknown category: villain' },
      { line: 5, reason: 'confidence is not 0-100: 101' },
      { line: 6, reason: 'valid_from is not a date: 2024-02-30' },
      { line: 7, reason: 'valid_to is not after valid_from' },
      { line: 8, reason: '6 cells instead of 9' },
      { line: 9, reason: 'NUL character' },
      { line: 10, reason: 'quote is never closed' },
      { line: 11, reason: '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96044 is not a valid ethereum address' },
    ]);
    expect(report).toMatchObject({ read: 11, loaded: 1, skipped: 10 });
    expect((await loading.labels.find('ethereum', [B])).get(B)).toHaveLength(1);
  });

  it('reports which part of the addresses in the graph the list names, and warns where they are many', async () => {
    const loading = await openLoading();
    const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
    const pay = (n: number) =>
      transferOf({
        ...{ chain: 'ethereum', txHash: `0x${n.toString(16).padStart(64, '0')}`, index: '0', block: 1, at: START },
        ...{ from: address(2 * n + 1), to: address(2 * n + 2), asset: 'ETH', amount: '1', usd: 1 },
      });
    await ingestTransfers(
      loading.graph,
      Array.from({ length: 60 }, (_, n) => pay(n)),
    );
    const named = (count: number) =>
      csv(...Array.from({ length: count }, (_, n) => `evm,${address(n + 1)},scam,x,s,90,,,`));
    const few = await loading.load('labels', named(11));
    expect([few.in_graph, few.errors]).toEqual([{ addresses: 11, of: 120 }, []]);
    // Most of these were loaded before and are counted all the same.
    const many = await loading.load('labels', named(60));
    expect(many.in_graph).toEqual({ addresses: 60, of: 120 });
    expect(many.errors).toMatchObject([{ line: 0, reason: expect.stringContaining('50 % of the 120 addresses') }]);
    expect(await loading.load('labels', csv(`evm,${address(999)},scam,x,s,90,,,`))).not.toHaveProperty('in_graph');
  });

  it('control, bidirectional and invisible characters are taken out of names and addresses, and the report says so', async () => {
    const loading = await openLoading();
    const report = await loading.load('labels', csv(`ethereum,${A},scam,ab\u202Ecd\u200B\u0007 e,s,1,,,`));
    expect(report).toMatchObject({ loaded: 1, skipped: 0 });
    expect(report.errors).toEqual([{ line: 2, reason: 'control or invisible characters taken out' }]);
    expect((await loading.labels.find('ethereum', [A])).get(A)?.[0]?.label).toBe('abcd e');
    const copied = await loading.load('labels', csv(`ethereum,\u200B${B}\u00AD,scam,x,s,1,,,`));
    expect(copied).toMatchObject({
      loaded: 1,
      errors: [{ line: 2, reason: `${B}: invisible characters taken out` }],
    });
  });

  it('only adds and updates; with replace it ends what the file no longer holds of its sources', async () => {
    const loading = await openLoading();
    await loading.load('labels', csv(`ethereum,${A},scam,x,s,1,,,`, `ethereum,${B},scam,x,s,1,,,`));
    await loading.load('labels', csv(`ethereum,${A},scam,x,s,9,,,`));
    expect(await loading.labels.countLive('s')).toBe(2);
    expect((await loading.labels.find('ethereum', [A])).get(A)).toMatchObject([{ confidence: 9 }]);
    await loading.load('labels', csv(`ethereum,${A},scam,x,s,9,,,`), { endings: 'end' });
    expect((await loading.labels.find('ethereum', [B])).get(B)).toMatchObject([{ validTo: START }]);
    expect((await loading.labels.find('ethereum', [A])).get(A)).toMatchObject([{ validTo: null }]);
  });

  it('a byte order mark, CRLF and another order of columns are read', async () => {
    const loading = await openLoading();
    const text = `\uFEFFaddress,chain,category,label,source,confidence,entity,valid_to,valid_from\r\n${A},ethereum,dex,x,s,1,,,\r\n`;
    expect(await loading.load('labels', fileOf('l.csv', text))).toMatchObject({ read: 1, loaded: 1, errors: [] });
  });

  it.each([
    ['utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('%s is read as spreadsheets save it, in any language', async (_, encoded) => {
    const loading = await openLoading();
    const text = `\uFEFF${HEADER}\r\nethereum,${A},dex,佐藤 取引所,s,1,,,\r\n`;
    expect(await loading.load('labels', fileOf('l.csv', encoded(text)))).toMatchObject({ loaded: 1, errors: [] });
    expect((await loading.labels.find('ethereum', [A])).get(A)).toMatchObject([{ label: '佐藤 取引所' }]);
  });

  it('what is no such CSV at all is refused', async () => {
    const loading = await openLoading();
    await expect(loading.load('labels', fileOf('l.csv', ''))).rejects.toThrow(/empty; expected a header/);
    await expect(loading.load('labels', fileOf('l.csv', 'a,b\n1,2'))).rejects.toThrow(/header lacks chain, address/);
    await expect(loading.load('labels', '/nowhere/l.csv')).rejects.toThrow(/no such file/);
    await expect(loading.load('labels', folderOf({}))).rejects.toThrow(/Nothing to load/);
    const nested = folderOf({ 'inner.zip': 'PK' });
    await expect(loading.load('labels', nested)).rejects.toThrow(/none of its files, such as inner\.zip$/);
    await expect(loading.load('villains', '/nowhere')).rejects.toThrow(/Unknown source: villains/);
  });

  it('a line of 100 MB is passed over in little memory', async () => {
    const loading = await openLoading();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const file = fileOf(
      'l.csv',
      Buffer.concat([
        Buffer.from(`${HEADER}\n`),
        ...Array(100).fill(chunk),
        Buffer.from(`\nethereum,${A},scam,x,s,1,,,\n`),
      ]),
    );
    const before = process.memoryUsage().heapUsed;
    const report = await loading.load('labels', file);
    expect(report).toMatchObject({ read: 2, loaded: 1, skipped: 1 });
    expect(report.errors).toEqual([{ line: 2, reason: 'line longer than 2097152 characters' }]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(80 * 1024 * 1024);
  });

  it('reaches the nodes that the graph holds, and leaves them when it ends, without a scan', async () => {
    const loading = await openLoading();
    const transfer = transferOf({
      chain: 'bsc',
      txHash: `0x${'1'.repeat(64)}`,
      index: '0',
      block: 1,
      at: START,
      from: A,
      to: B,
      asset: 'BNB',
      amount: '1',
      usd: 1,
    });
    await ingestTransfers(loading.graph, [transfer]);
    const category = async () => {
      const stats = await (await import('../../src/graph/queries/stats.ts')).graphStats(loading.graph);
      return stats.categories.map((one) => one.category).filter((one) => one === 'drainer');
    };
    await loading.load('labels', csv(`evm,${A},drainer,x,s,1,,,`));
    expect(await category()).toEqual(['drainer']);
    await loading.load('labels', csv(`evm,${A},drainer,x,s,1,,,2026-11-01`));
    expect(await category()).toEqual([]);
  });
});
