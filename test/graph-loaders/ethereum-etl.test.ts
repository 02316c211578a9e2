import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../graph-loaders/reading/csv.ts';
import { newTally } from '../../graph-loaders/reading/tally.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { collectGarbage } from '../setup/collect-garbage.ts';
import { fileOf, folderOf, openLoading, SHARED_MISSING, shared } from './loading.ts';

const A = `0x${'a1'.repeat(20)}`;
const B = `0x${'b2'.repeat(20)}`;
const C = `0x${'c3'.repeat(20)}`;
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const ODD = `0x${'0d'.repeat(20)}`;
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const TX =
  'hash,nonce,block_hash,block_number,transaction_index,from_address,to_address,value,input,block_timestamp,' +
  'receipt_gas_used,receipt_effective_gas_price';
const TOKEN = 'token_address,from_address,to_address,value,transaction_hash,log_index,block_number';
const tx = (n: number, change: Partial<Record<'from' | 'to' | 'value' | 'time' | 'hash', string>> = {}) =>
  [
    change.hash ?? hash(n),
    0,
    hash(900),
    100 + n,
    n,
    change.from ?? A,
    change.to ?? B,
    change.value ?? '1500000000000000000',
    '0x',
    change.time ?? '1700000000',
    21_000,
    30_000_000_000,
  ].join(',');

/** A line as `--output-format json` and BigQuery write it: numbers bare, receipts within, what is null left out. */
const jsonTx = (n: number, value: string, more = '') =>
  `{"type":"transaction","hash":"${hash(n)}","block_number":${100 + n},"block_timestamp":"2024-01-16 10:00:00 UTC",` +
  `"from_address":"${A}","to_address":"${B}","value":${value},"input":"0x"${more}}`;

describe('a transaction that posts the batches of a rollup', () => {
  const long = tx(1).replace('0x,', `0x${'ab'.repeat(600_000)},`);

  it('is read with its megabyte of calldata, and gives its token transfers their time', async () => {
    const loading = await openLoading();
    const token = [USDT, A, B, 950_000, hash(1), 11, 101].join(',');
    const folder = folderOf({ 'transactions.csv': `${TX}\n${long}\n`, 'token_transfers.csv': `${TOKEN}\n${token}\n` });
    expect(await loading.load('ethereum-etl', folder)).toMatchObject({ read: 2, loaded: 2, skipped: 0 });
  });

  it('is not kept in memory with what is read of it', async () => {
    const open = async function* () {
      for (const line of [TX, ...Array(60).fill(long)]) yield Buffer.from(`${line}\n`);
    };
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const kept: (string | undefined)[] = [];
    for await (const { cells } of readCsv(
      { name: 'transactions.csv', path: '/transactions.csv', open },
      [],
      newTally(),
    ))
      kept.push(cells.hash);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
    expect(kept).toHaveLength(60);
  });
});

describe('ethereum-etl as JSON lines', () => {
  it('reads numbers of any size, nested receipts and lists as the same tables in CSV', async () => {
    const loading = await openLoading();
    const big = '123456789012345678901234567';
    const folder = folderOf({
      'transactions.jsonl': [
        `{"hash":"${hash(9)}","block_number":1,"block_timestamp":1700000000,"from_address":"${A}","value":0}`,
        jsonTx(1, big, ',"receipt":{"status":1}'),
        jsonTx(2, '"1500000000000000000"', ',"receipt":{"status":0,"logs":[{"x":1}]}'),
        jsonTx(3, '2.5e18', ',"receipt_status":"1"'),
      ].join('\n'),
      'token_transfers.json.gz': gzipSync(
        `{"token_address":"${USDT}","from_address":"${A}","to_address":"${B}","value":9007199254740993,` +
          `"transaction_hash":"${hash(1)}","log_index":7,"block_number":101,"block_timestamp":"2024-01-16T10:00:00Z"}`,
      ),
      'traces.ndjson':
        `{"transaction_hash":"${hash(1)}","from_address":"${B}","to_address":"${C}","value":9007199254740993,` +
        `"trace_type":"call","call_type":"call","trace_address":[0,1],"status":1,"block_number":101}\n`,
    });
    const report = await loading.load('ethereum-etl', folder);
    expect(report.errors.map(({ line, reason }) => [line, reason])).toEqual([
      [1, expect.stringContaining('no to_address')],
      [4, 'transactions.jsonl: value 2.5e18 may lack its last digits, and so may others: export whole numbers'],
    ]);
    expect(report.loaded).toBe(5);
    const rows = [A, C].map((one) => loading.graph.read('scan/read-transfers', { key: `ethereum:${one}`, limit: 10 }));
    const facts = (await Promise.all(rows)).flat().map((row) => row.transfer as Record<string, string>);
    expect(facts.map(({ asset, amount }) => [asset, amount]).sort()).toEqual([
      ['ETH', '0.009007199254740993'],
      ['ETH', '123456789.012345678901234567'],
      ['ETH', '2.5'],
      ['USDT', '9007199254.740993'],
    ]);
  });

  it('reads a list as the same rows as lines, however it is laid out, and names what it cannot use by its row', async () => {
    const rows = [
      jsonTx(1, '123456789012345678901234567', ',"note":"a, ]} \\" é"'),
      jsonTx(2, '2.5e18', ',"receipt":{"status":1,"logs":[{"x":[1,2]}]}'),
      jsonTx(3, '5').replace(A, '0xab'),
      '7',
    ];
    const read = async (text: string) => {
      const loading = await openLoading();
      const { errors, ...report } = await loading.load('ethereum-etl', fileOf('tx.json', text));
      const listed = await loading.graph.read('scan/read-transfers', { key: `ethereum:${A}`, limit: 10 });
      const facts = listed.map((row) => row.transfer as Record<string, string>).map(({ amount }) => amount);
      return { report, errors, facts: facts.sort() };
    };
    const lines = await read(rows.join('\n'));
    expect(lines.report).toMatchObject({ read: 4, loaded: 2, skipped: 2 });
    expect(await read(`[${rows.join()}]`)).toEqual(lines);
    expect(await read(`\uFEFF\n[\n  ${rows.join('\n  ,\n  ')}\n]\n`)).toEqual(lines);
    // Longer than a piece of the file, so that rows go over its ends.
    const long = rows.map((row) => row.replace(/\}$/, `,"input":"${'é\\"'.repeat(40_000)}"}`));
    expect((await read(`[${long.join()}]`)).facts).toEqual(lines.facts);
    const cut = await read(`[${rows.slice(0, 2).join()},${rows[1]!.slice(0, -9)}`);
    expect(cut.report).toMatchObject({ read: 3, loaded: 2, skipped: 1 });
    expect(cut.errors.find(({ line }) => line === 3)?.reason).toBe('the list has no end');
    const after = await read(`[${rows[0]}] {"a":1}`);
    expect(after.errors.find(({ line }) => line === 2)?.reason).toBe('text after the end of the list');
  });

  it('names each line that it cannot use, with its file and reason', async () => {
    const loading = await openLoading();
    const folder = folderOf({
      'tx.jsonl': [
        jsonTx(1, '1'),
        jsonTx(2, '1').slice(0, -9),
        '[1]',
        `${'['.repeat(90_000)}`,
        jsonTx(3, '-1'),
        jsonTx(4, '1.5'),
        jsonTx(5, '1').replace(A, '0xab'),
        '"',
      ].join('\n'),
      'notes.json': '{"a":1}\n',
    });
    const report = await loading.load('ethereum-etl', folder);
    expect(report).toMatchObject({ read: 8, loaded: 1, skipped: 7, not_read: ['notes.json'] });
    const reasons = report.errors.filter(({ line }) => line > 0);
    expect(reasons.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    for (const { reason } of reasons) expect(reason).toMatch(/^tx\.jsonl: /);
  });
});

describe('ethereum-etl', () => {
  it('reads transactions and the token transfers whose time the other files of the folder give', async () => {
    const loading = await openLoading();
    const folder = folderOf({
      'transactions.csv': [TX, tx(1), tx(2, { value: '0' })].join('\n'),
      'token_transfers.csv': [
        TOKEN,
        `${USDT},${A},${B},2500000,${hash(1)},7,101`,
        `${ODD},${A},${B},12345,${hash(3)},0,777`,
        `${ODD},${A},${B},1,${hash(4)},0,778`,
      ].join('\n'),
      'blocks.csv': `number,hash,parent_hash,timestamp\n777,${hash(901)},${hash(902)},1700000100\n`,
      'tokens.csv': `address,symbol,name,decimals,total_supply,block_number\n${ODD},ODD,Odd,3,1,\n`,
      'receipts.csv': 'transaction_hash,status\nx,1\n',
    });
    const report = await loading.load('ethereum-etl', folder);
    expect(report).toMatchObject({ read: 5, loaded: 4, skipped: 1 });
    expect(report.errors).toEqual([
      {
        line: 4,
        reason: 'token_transfers.csv: no time of block 778: load it with its transactions or blocks, in one folder',
      },
      { line: 0, reason: expect.stringContaining('load it with its receipts') },
    ]);
    const rows = await loading.graph.read('scan/read-transfers', { key: `ethereum:${A}`, limit: 10 });
    const facts = rows.map(
      (row) => row.transfer as { tx_hash: string; index: string; asset: string; amount: string; at: number },
    );
    expect(
      facts.map(({ tx_hash, index, asset, amount, at }) => [`${tx_hash} ${index}`, asset, amount, at]).sort(),
    ).toEqual([
      [`${hash(1)} log:7`, 'USDT', '2.5', 1_700_000_000_000],
      [`${hash(1)} native`, 'ETH', '1.5', 1_700_000_000_000],
      [`${hash(3)} log:0`, 'ODD', '12.345', 1_700_000_100_000],
    ]);
    const payment = rows.find((row) => (row.transfer as { index: string }).index === 'native')!.transfer;
    expect(payment).toMatchObject({ position: 1, fee: '0.00063', tx_sender: A });
    const stats = await graphStats(loading.graph);
    expect(await loading.load('ethereum-etl', folder)).toEqual(report);
    expect(await graphStats(loading.graph)).toEqual(stats);
  });

  it('a failed transaction moves nothing, and each row that cannot be read is named', async () => {
    const loading = await openLoading();
    const rows = [
      tx(1, { to: '' }),
      tx(2, { to: '0x12' }),
      tx(3, { from: '' }),
      tx(4, { value: '1.5' }),
      tx(5, { time: 'soon' }),
      tx(6, { hash: '0x1' }),
      tx(7),
    ];
    const file = fileOf(
      'anything.csv',
      [`${TX},receipt_status`, ...rows.map((row) => `${row},1`), `${tx(8)},0`].join('\n'),
    );
    const report = await loading.load('ethereum-etl', file);
    expect(report).toMatchObject({ read: 8, loaded: 2, skipped: 6 });
    expect(report.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(report.errors[0]?.reason).toBe('no to_address: the transaction creates a contract');
    expect((await graphStats(loading.graph)).transfers).toBe(1);
  });

  const TRACE =
    'block_number,transaction_hash,transaction_index,from_address,to_address,value,trace_type,call_type,trace_address,' +
    'error,status';
  const trace = (n: number, path: string, change: Partial<Record<string, string>> = {}) => {
    const { from = B, to = C, value = '7', type = 'call', call = 'call', error = '', status = '1' } = change;
    return [100 + n, hash(n), n, from, to, value, type, call, `"${path}"`, error, status].join(',');
  };
  const moves = async (loading: Awaited<ReturnType<typeof openLoading>>, address: string) =>
    (await loading.graph.read('scan/read-transfers', { key: `ethereum:${address}`, limit: 50 }))
      .map(({ transfer, from_address, to_address }) => {
        const { index, amount, kind } = transfer as { index: string; amount: string; kind: string };
        return [index, kind, from_address === address ? to_address : from_address, Number(amount) * 1e18].join(' ');
      })
      .sort();

  it('reads what moved inside transactions, and their own payments once', async () => {
    const loading = await openLoading();
    const traces = [
      TRACE,
      trace(1, '', { from: A, to: B, value: '1500000000000000000' }),
      trace(1, '0'),
      trace(1, '0,1', { value: '7' }),
      trace(1, '1', { call: 'delegatecall' }),
      trace(1, '2', { type: 'create', call: '', value: '5' }),
      trace(1, '3', { type: 'suicide', call: '', value: '3' }),
      trace(1, '4', { value: '0' }),
    ];
    const files = { 'transactions.csv': [TX, tx(1)].join('\n'), 'traces.csv': traces.join('\n'), 'logs.csv': 'a,b\n' };
    const report = await loading.load('ethereum-etl', folderOf(files));
    expect(report).toMatchObject({ read: 5, loaded: 5, skipped: 0, not_read: ['logs.csv'] });
    expect(await moves(loading, C)).toEqual([
      `trace:0 internal ${B} 7`,
      `trace:0_1 internal ${B} 7`,
      `trace:2 internal ${B} 5`,
      `trace:3 internal ${B} 3`,
    ]);
    expect((await moves(loading, A)).map((one) => one.split(' ')[0])).toEqual(['native']);
    const stats = await graphStats(loading.graph);
    await loading.load('ethereum-etl', folderOf(files));
    expect(await graphStats(loading.graph)).toEqual(stats);
  });

  it('what failed takes along what it had moved, whichever column or file states it', async () => {
    const loading = await openLoading();
    const traces = [
      TRACE,
      trace(1, '0', { error: 'Reverted', status: '' }),
      trace(1, '0,0', { status: '' }),
      trace(1, '1', { status: '' }),
      trace(2, '', { from: A, to: B, status: '0' }),
      trace(2, '0', { status: '0.0' }),
      trace(3, '0'),
    ];
    const files = {
      'transactions.csv': [`${TX},receipt_status`, ...[1, 2].map((n) => `${tx(n)},1`), `${tx(3)},0.0`].join('\n'),
      'traces.csv': traces.join('\n'),
    };
    await loading.load('ethereum-etl', folderOf(files));
    expect(await moves(loading, C)).toEqual([`trace:1 internal ${B} 7`]);
  });

  it('traces alone give the payments too, and a creation that the transactions do not name', async () => {
    const loading = await openLoading();
    const alone = `${TRACE},block_timestamp\n${trace(1, '', { from: A, to: B })},2023-11-14 22:13:20 UTC\n`;
    expect(await loading.load('ethereum-etl', fileOf('x.csv', alone))).toMatchObject({ read: 1, loaded: 1 });
    expect(await moves(loading, A)).toEqual([`native native ${B} 7`]);
    const files = {
      'transactions.csv': [TX, tx(2, { to: '' })].join('\n'),
      'traces.csv': [TRACE, trace(2, '', { from: A, to: C, type: 'create', call: '' })].join('\n'),
    };
    expect(await loading.load('ethereum-etl', folderOf(files))).toMatchObject({ read: 2, loaded: 1, skipped: 1 });
    expect(await moves(loading, C)).toEqual([`native native ${A} 7`]);
  });

  it('a reward arrives without a payer in the place where an explorer lists it, and an unknown kind of trace is named', async () => {
    const loading = await openLoading();
    const reward = (kind: string) => `105,,,,${C},2000000000000000000,reward,,"",,1,1700000000,${kind}`;
    const odd = trace(6, '0', { type: 'gift' });
    const rows = [reward('block'), `${odd},1700000000,`, reward('uncle'), reward('uncle')];
    const file = fileOf('x.csv', [`${TRACE},block_timestamp,reward_type`, ...rows].join('\n'));
    const report = await loading.load('ethereum-etl', file);
    expect(report).toMatchObject({ read: 4, loaded: 3, errors: [{ line: 3, reason: 'unknown trace_type: gift' }] });
    expect((await moves(loading, C)).sort()).toEqual(
      ['reward', 'uncle', 'uncle:1'].map((place) => `${place} native coinbase 2000000000000000000`),
    );
  });

  it('what blocks paid to validators arrives without a payer, however an export writes the list', async () => {
    const paid = [
      { index: 12, validator_index: 3, address: A, amount: '12498088' },
      { index: 13, validator_index: 4, address: B, amount: 1 },
      { index: 14, validator_index: 5, address: '0xab', amount: 1 },
    ];
    const head = { number: 777, hash: hash(901), parent_hash: hash(902), timestamp: 1_700_000_100 };
    const bare = JSON.stringify(paid).slice(1, -1);
    const csv = (list: string) =>
      `${Object.keys(head).join()},withdrawals\n${Object.values(head).join()},"${list}"\n778,${hash(903)},${hash(901)},1700000112,\n`;
    const files = [
      [
        { ...head, withdrawals: paid },
        { ...head, number: 778, withdrawals: [] },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
      csv(bare.replaceAll('"', '""')),
      csv(`[${bare.replaceAll('"', "'")}]`),
    ];
    for (const [n, content] of files.entries()) {
      const loading = await openLoading();
      const name = n === 0 ? 'blocks.json' : 'blocks.csv';
      const report = await loading.load(
        'ethereum-etl',
        folderOf({ 'tx.csv': [TX, tx(1)].join('\n'), [name]: content }),
      );
      expect(report).toMatchObject({ read: 4, loaded: 3, skipped: 1 });
      expect(report.errors.find(({ line }) => line > 0)?.reason).toBe(`${name}: withdrawal to no address: 0xab`);
      const rows = await loading.graph.read('scan/read-transfers', { key: 'ethereum:coinbase', limit: 10 });
      const shown = rows.map(({ transfer, to_address }) => {
        const { tx_hash, index, amount, at } = transfer as Record<string, string>;
        return [tx_hash, index, amount, to_address, at];
      });
      expect(shown.sort()).toEqual([
        ['block:777', 'withdrawal:12', '0.012498088', A, 1_700_000_100_000],
        ['block:777', 'withdrawal:13', '0.000000001', B, 1_700_000_100_000],
      ]);
    }
  });

  it('an export of another EVM chain is of that chain, and its receipts say what failed', async () => {
    const loading = await openLoading();
    const token = `0x${'e7'.repeat(20)}`;
    const folder = folderOf({
      'transactions.csv': [TX, tx(1), tx(2), tx(3, { to: '' })].join('\n'),
      'receipts.csv': [
        'transaction_hash,gas_used,contract_address,status',
        ...[`${hash(1)},1,,1`, `${hash(2)},1,,0`, `${hash(3)},1,${C},1`],
      ].join('\n'),
      'token_transfers.csv': [TOKEN, `${token},${A},${B},5,${hash(1)},7,101`].join('\n'),
      'traces.csv': [TRACE, trace(1, '0'), trace(2, '0')].join('\n'),
    });
    const report = await loading.load('ethereum-etl', folder, { table: { chain: 'polygon' } });
    expect(report).toMatchObject({ read: 6, loaded: 6, errors: [] });
    const rows = await loading.graph.read('scan/read-transfers', { key: `polygon:${A}`, limit: 10 });
    const assets = rows.map(({ transfer }) => (transfer as { asset: string }).asset).sort();
    expect(assets).toEqual(['POL', 'POL', 'UNKNOWN']);
    expect((await graphStats(loading.graph)).transfers).toBe(4);
  });

  it.each([
    [{ chain: 'bitcoin' } as const, 'exports EVM chains'],
    [{ token: USDT }, '--token is for tables of transfers, not for ethereum-etl'],
  ])('refuses %o', async (table, reason) => {
    const { load } = await openLoading();
    await expect(load('ethereum-etl', fileOf('x.csv', [TX, tx(1)].join('\n')), { table })).rejects.toThrow(reason);
  });

  it('equal transfers of a token in one transaction are two', async () => {
    const loading = await openLoading();
    const row = (log: number) => `${USDT},${A},${B},2500000,${hash(1)},${log},101,1700000000`;
    await loading.load('ethereum-etl', fileOf('t.csv', [`${TOKEN},block_timestamp`, row(3), row(4)].join('\n')));
    expect((await graphStats(loading.graph)).transfers).toBe(2);
  });

  it('refuses a file of another kind', async () => {
    const loading = await openLoading();
    await expect(loading.load('ethereum-etl', fileOf('x.csv', 'a,b\n1,2\n'))).rejects.toThrow(
      'x.csv: no transactions, token_transfers or traces of ethereum-etl',
    );
  });
});

describe.skipIf(SHARED_MISSING)('real exports of ethereum-etl (the shared test data)', () => {
  // Counted over expected_transactions.csv with a CSV reader apart from this project: 4 + 4 + 298 rows, all different;
  // 1 without to_address; 141 with a receiver and a value, between 224 addresses; 212678413474502515333 wei in all.
  // expected_token_transfers.csv: 2 + 2 rows, of which block 1452581 has no transactions or blocks here. Their four
  // addresses are in no other transfer of value. The JSON lines repeat them, and have the token transfers and traces of
  // four more blocks with 1 transaction of value: 142 in all, by a JSON reader apart from this project. Three files of
  // blocks name the same 32 withdrawals of two blocks, all to one address. One miner has the reward of block 508110 and
  // that of its uncle: two transfers.
  it('loads what the files hold, twice without a change', async () => {
    const loading = await openLoading();
    const report = await loading.load('ethereum-etl', shared('ethereum-etl'));
    expect(report).toMatchObject({ source: 'ethereum-etl', read: 1_317, loaded: 1_296, skipped: 21 });
    expect(report.errors.map(({ reason }) => reason.replace(/^.*(?:csv|json): /, ''))).toEqual([
      ...Array(2).fill(expect.stringMatching('no to_address: the transac')),
      ...Array(2).fill(expect.stringMatching('no time of block 1452581: ')),
      // No traces lie beside the blocks or transactions of their time.
      ...Array(17).fill(expect.stringMatching('no time of block 10')),
    ]);
    const stats = await graphStats(loading.graph);
    expect(stats).toMatchObject({ transfers: 469, addresses: 504 });
    await loading.load('ethereum-etl', shared('ethereum-etl'));
    expect(await graphStats(loading.graph)).toEqual(stats);
  });
});
