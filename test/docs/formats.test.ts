import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { TransferLoader, Work } from '../../graph-loaders/reading/loader.ts';
import { SOURCE_NAMES } from '../../graph-loaders/sources.ts';
import { tableOfMap } from '../../graph-loaders/transfers/column-map.ts';
import { ethereumEtlLoader } from '../../graph-loaders/transfers/ethereum-etl.ts';
import { TRANSFER_FORMATS } from '../../graph-loaders/transfers/transfer-formats.ts';
import { transfersLoader } from '../../graph-loaders/transfers/transfers.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { EXPORT_FORMS } from '../../src/exports/forms.ts';
import { saveSigner } from '../../src/records/lists/label-signers.ts';
import { fileOf, openLoading, openWork } from '../graph-loaders/loading.ts';

const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');

it('docs/formats.md names each table of transfers with an example that the readers take', () => {
  const tables = TRANSFER_FORMATS.map(
    ({ name, about, example }) => `\`${name}\`: ${about}\n\n\`\`\`csv\n${example.join('\n')}\n\`\`\`\n`,
  );
  const [, written] = /<!-- tables of transfers -->\n([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  expect(written).toBe(`\n${tables.join('\n')}\n`);
});

const HASH = `0x${'ab'.repeat(32)}`;
const [A, B, ODD] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`);
const NO_TOKEN = `0x${'0'.repeat(40)}`;

/** Rows of the tables whose mappings the page shows, as their publishers describe the columns. */
const MAPPED: Record<
  string,
  { text: string; moved: [chain: string, asset: string, amount: string, failed: boolean][] }
> = {
  'dune-usdc': {
    text: `block_time,tx_hash,from,to,value,decimals\n2024-01-16 10:00:00.000 UTC,${HASH},${A},${B},2500000,6`,
    moved: [['ethereum', 'USDC', '2.5', false]],
  },
  'dune-transfers': {
    text: [
      'block_time,blockchain,tx_hash,block_number,contract_address,symbol,from,to,amount',
      `2024-01-16 10:00:00.000 UTC,bnb,${HASH},35000000,${NO_TOKEN},BNB,${A},${B},1.5`,
      `2024-01-16 10:00:00.000 UTC,avalanche_c,${HASH},35000000,${ODD},ODD,${A},${B},7`,
    ].join('\n'),
    moved: [
      ['bsc', 'BNB', '1.5', false],
      ['avalanche', 'ODD', '7', false],
    ],
  },
  'blockchair-ethereum': {
    text: [
      'block_id\tindex\thash\ttime\tfailed\ttype\tsender\trecipient\tvalue\tvalue_usd',
      `19000000\t0\t${HASH}\t2024-01-16 10:00:00\t0\tcall\t${A}\t${B}\t2250000000000000000\t5000`,
      `19000000\t1\t${HASH.replace('ab', 'cd')}\t2024-01-16 10:00:00\t1\tcall\t${A}\t${B}\t1\t0`,
    ].join('\n'),
    moved: [
      ['ethereum', 'ETH', '2.25', false],
      ['ethereum', 'ETH', '0.000000000000000001', true],
    ],
  },
};

async function readAll(loader: TransferLoader, work: Work): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  for await (const transfer of loader.read(work)) transfers.push(transfer);
  return transfers;
}

it('each mapping of columns that docs/formats.md shows reads its table', async () => {
  const [beforeLists] = page.split('<!-- lists -->');
  const maps = [...beforeLists!.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!));
  expect(maps.map(({ name }) => name)).toEqual(Object.keys(MAPPED));
  for (const map of maps) {
    const { text, moved } = MAPPED[map.name]!;
    const work = { ...(await openWork('transfers', fileOf('query.csv', text))), table: tableOfMap(map) };
    const transfers = await readAll(transfersLoader, work);
    const rows = transfers.map(({ chain, asset, amount, failed }) => [chain, asset, amount, failed]);
    expect([rows, work.tally.errors]).toEqual([moved, []]);
  }
});

it('docs/formats.md shows an export of a whole chain that is one', async () => {
  const [, csv] = /```csv\n(hash,nonce[\s\S]*?)```/.exec(page) ?? [];
  const work = { ...(await openWork('ethereum-etl', fileOf('x.csv', csv!))), table: { chain: 'polygon' } as const };
  const transfers = await readAll(ethereumEtlLoader, work);
  expect(transfers).toMatchObject([{ chain: 'polygon', asset: 'POL', amount: '2.25' }]);
  expect(work.tally.errors).toEqual([]);
});

it('docs/formats.md lists each export', () => {
  const rows = Object.values(EXPORT_FORMS).map(({ path, type, summary }) => {
    const named = path.replaceAll(/:(\w+)/g, '{$1}');
    return `| \`GET ${named}\` | ${type.split(';')[0]} | ${summary} |`;
  });
  const table = ['| path | media type | what |', '| --- | --- | --- |', ...rows];
  const [, written] = /<!-- exports -->\n([\s\S]*?)<!-- end of exports -->/.exec(page) ?? [];
  expect(written).toBe(`\n${table.join('\n')}\n\n`);
});

it('each list of labels, domains, prices and contracts that docs/formats.md shows is loaded', async () => {
  const [, lists = ''] = /<!-- lists -->([\s\S]*?)<!-- end of lists -->/.exec(page) ?? [];
  const shown = [...lists.matchAll(/`([\w-]+)`, such as `([\w.-]+)`: [^\n]*\n\n```\w+\n([\s\S]*?)```/g)];
  // OFAC's own forms are long, and the others are tables of transfers.
  const others = ['transfers', 'ofac', 'ethereum-etl', 'bitcoin-etl'];
  const expected = SOURCE_NAMES.filter((name) => !others.includes(name));
  expect(shown.map(([, source]) => source).sort()).toEqual([...expected].sort());
  const loading = await openLoading();
  const [, signer] = /"src": "([^"]+)"/.exec(lists)!;
  await saveSigner(loading.records, { did: signer!, name: 'Partner', confidence: 69, trusted_at: 0 });
  for (const [, source, name, text] of shown) {
    const { loaded, skipped, unmapped } = await loading.load(source!, fileOf(name!, text!));
    expect([source, loaded, skipped, unmapped]).toEqual([source, 1, 0, undefined]);
  }
});
