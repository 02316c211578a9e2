import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SOURCES, type SourceName } from '../../graph-loaders/sources.ts';
import { WholeHistories } from '../../graph-loaders/transfers/whole-histories.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { transfer } from '../graph/world.ts';
import { longestPause, PAUSE_MS_MAX } from '../setup/longest-pause.ts';
import { openWork } from './loading.ts';

const SIZE = 1_000_000;
const CELL = 60_000;
const fill = (text: string, size = SIZE) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Text of about 1 MB that is slow where a reader takes more than linear time. */
const TEXTS: Record<string, string> = {
  blanks: fill(' '),
  'quotes that never close': fill('"\n'),
  'quotes inside cells': fill('a"b,c"\n'),
  'one quote and short lines': `"${fill('\na')}`,
  'one long line': fill('a,'),
  'escaped quotes': `{"a":"${fill('\\"')}`,
  'nested lists': fill('['),
  'empty objects': `[${fill('{},')}{}]`,
  digits: fill('1'),
};

const YAML: Record<string, string> = {
  'a field of blanks': `tags:\n- address: ${fill('a ')}\n`,
  'a field of colons': `tags:\n- address: ${fill('a:')}\n`,
  'one item of many fields': `tags:\n- address: a\n${fill('  k: 1\n')}`,
  'items of tabs': `tags:\n${fill('- \t\t\t\t\t\t\n')}`,
  // Read in pieces of equal length: more of them only take longer.
  'items that are not flat': `tags:\n${fill('- {a: [b, c], d: "e"}\n', 200_000)}`,
  'many anchors': `tags:\n${fill('- &a b\n', 200_000)}`,
  'many aliases': `a: &a [x]\ntags:\n${fill('- *a\n', 200_000)}`,
  'a flow list': `tags: [${fill('a,')}]`,
  'a long header': `${fill('k: 1\n')}tags:\n- address: b\n`,
  'deep items': `tags:\n${fill(`- ${'['.repeat(2_000)}\n`)}`,
};

const XML: Record<string, string> = {
  'one long tag': `<sdnList><a ${fill('b="c" ')}`,
  'many attributes': `<sdnList><a ${Array.from({ length: 80_000 }, (_, i) => `b${i}="c"`).join(' ')}/></sdnList>`,
  'nested tags': fill('<a>'),
  'entities that do not exist': `<sdnList>${fill('&amp;')}`,
  'one long comment': `<sdnList><!--${fill('- -')}`,
  'one long text': `<sdnList>${fill('a')}`,
  'parties without end': `<sdnList>${fill('<sdnEntry><lastName>A</lastName></sdnEntry>')}`,
};

const HASH = `0x${'a'.repeat(64)}`;
const PARTY = `0x${'b'.repeat(40)}`;
const BITCOIN = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const DIGITS = fill('9');

/** Rows that are whole but for the cell that is named: as much as a line may hold, up to a megabyte together. */
function oneCell(row: Record<string, string>, hostile: Record<string, string>): Record<string, string> {
  const header = Object.keys(row).join();
  const rows = Object.entries(hostile).map(([cell, text]) => {
    const line = Object.values({ ...row, [cell]: text.slice(0, CELL) }).join();
    return [`long cells of ${cell}`, `${header}\n${fill(`${line}\n`)}`];
  });
  return Object.fromEntries(rows);
}

const TRANSFER = {
  ...{ chain: 'ethereum', tx_hash: HASH, index: 'log:1', block: '1', timestamp: '2026-01-01', from: PARTY, to: PARTY },
  ...{ asset: 'ETH', amount: '1', usd: '1', fee: '1' },
};
const PRICE = { date: '2026-01-01', asset: 'ETH', usd: '1' };
const ETL = {
  ...{ hash: HASH, block_number: '1', block_timestamp: '1700000000', from_address: PARTY, to_address: PARTY },
  ...{ value: '1', transaction_index: '1' },
};
const ETL_TOKEN = {
  ...{ token_address: PARTY, from_address: PARTY, to_address: PARTY, value: '1', transaction_hash: HASH },
  ...{ log_index: '1', block_number: '1', block_timestamp: '1700000000' },
};
const BITCOIN_ETL = { hash: HASH.slice(2), block_number: 1, block_timestamp: 1_700_000_000, inputs: [], outputs: [] };
const bitcoinLine = (change: object) => JSON.stringify({ ...BITCOIN_ETL, ...change });

const TRANSFER_HEADER = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd';
const TRANSFER_ROWS = oneCell(TRANSFER, {
  ...{
    tx_hash: fill('a:'),
    index: fill('log:'),
    block: DIGITS,
    timestamp: fill('2026-'),
    from: fill('0x'),
    to: DIGITS,
  },
  ...{ amount: DIGITS, usd: `-${DIGITS}`, fee: `1.${DIGITS}` },
});
const PRICE_ROWS = oneCell(PRICE, { date: fill('2026-01-'), asset: fill('E'), usd: `${DIGITS}e` });
const ETL_ROWS = {
  ...oneCell(ETL, { hash: fill('0x'), block_timestamp: DIGITS, from_address: fill('0x'), value: DIGITS }),
  ...prefixed(
    'token transfers, ',
    oneCell(ETL_TOKEN, { token_address: fill('0x'), value: DIGITS, log_index: DIGITS, block_timestamp: fill('1e') }),
  ),
};
const BITCOIN_LINES = {
  'nested inputs': `{"hash":"a","inputs":${fill('[')}`,
  'a megabyte of address': bitcoinLine({ inputs: [{ addresses: [fill('1')], value: 1 }] }),
  'inputs without value': bitcoinLine({ inputs: Array.from({ length: 80_000 }, () => ({})) }),
  'outputs of one address each a fraction': bitcoinLine({
    outputs: Array.from({ length: 15_000 }, () => ({ addresses: [BITCOIN], value: 0.5 })),
  }),
  'a megabyte of hash': bitcoinLine({ hash: fill('a') }),
  'more bitcoin than exist': fill(
    `${bitcoinLine({ is_coinbase: true, outputs: [{ addresses: [BITCOIN], value: 9e15 }] })}\n`,
  ),
  'a megabyte of time': bitcoinLine({ block_timestamp: fill('2026-01-01T') }),
};

const LABEL = { chain: 'ethereum', address: PARTY, category: 'scam', label: 'a', source: 'a', confidence: '80' };
const LABEL_ROWS = oneCell(
  { ...LABEL, entity: '', valid_from: '', valid_to: '' },
  { chain: fill('e'), address: fill('0x'), confidence: DIGITS, valid_from: fill('2026-') },
);

/** Every reader gets every text once; a loader gets what its reader lets through, and cells of its own. */
const FILES: [source: SourceName, name: string, texts: Record<string, string>][] = [
  ['tagpack', 'pack.yaml', { ...TEXTS, ...YAML }],
  ['ofac', 'sdn.xml', { ...TEXTS, ...XML }],
  ['ofac-list', 'sanctioned_addresses_XBT.txt', TEXTS],
  ['ofac-list', 'sanctioned_addresses_XBT.json', TEXTS],
  ['transfers', 'transfers.csv', { ...TEXTS, ...underHeader(TRANSFER_HEADER, Object.keys(TEXTS)), ...TRANSFER_ROWS }],
  ['labels', 'labels.csv', LABEL_ROWS],
  ['eth-labels', 'labels.csv', underHeader('address,nametag', ['quotes inside cells'])],
  ['eth-labels', 'labels.json', { 'empty objects': TEXTS['empty objects']! }],
  ['forta', 'labels.csv', underHeader('address', ['one quote and short lines'])],
  ['darklist', 'list.json', { 'empty objects': TEXTS['empty objects']! }],
  ['scamsniffer', 'combined.json', { 'empty objects': TEXTS['empty objects']! }],
  ['prices', 'prices.csv', PRICE_ROWS],
  ['ethereum-etl', 'transactions.csv', { ...TEXTS, ...ETL_ROWS }],
  ['bitcoin-etl', 'transactions.json', { ...TEXTS, ...BITCOIN_LINES }],
];

function prefixed(prefix: string, texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]));
}

function underHeader(header: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`under a header, ${name}`, `${header}\n${TEXTS[name]}`]));
}

describe.each(FILES)('%s, %s', (source, name, texts) => {
  it.each(Object.entries(texts))('%s keep other work waiting for moments only', async (_, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const work = await openWork(source, path);
    const loader = await SOURCES[source].importLoader();
    let rows = 0;
    const pauseMs = await longestPause(async () => {
      try {
        for await (const _row of loader.read(work)) rows += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInputError);
      }
    });
    expect(rows).toBe(0);
    expect(pauseMs).toBeLessThan(PAUSE_MS_MAX);
  });
});

describe('one transaction of 20,000 transfers', () => {
  const address = (n: number) => `0x${(n + 0xabc000).toString(16).padStart(40, '0')}`;
  const [hub, txSender, token] = [1, 2, 3].map((n) => address(n)) as [string, string, string];
  const move = (i: number, from: string, to: string) =>
    transfer({ chain: 'ethereum', from, to, usd: 50, asset: 'T', token, txSender, txHash: HASH, index: `log:${i}` }, i);

  it.each<[string, (i: number) => ReturnType<typeof move>]>([
    ['through one address', (i) => (i % 2 ? move(i, hub, address(i + 9)) : move(i, address(i + 10), hub))],
    ['from one to the next', (i) => move(i, address(i + 9), address(i + 10))],
  ])('%s does not take the square of their number', async (_, moveOf) => {
    const transfers = Array.from({ length: 20_000 }, (_, i) => moveOf(i));
    const pauseMs = await longestPause(async () => new WholeHistories(false).add(transfers));
    expect(pauseMs).toBeLessThan(4 * PAUSE_MS_MAX);
  });
});
