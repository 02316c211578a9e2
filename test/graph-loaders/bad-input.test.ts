import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { SOURCE_NAMES, SOURCES, type SourceName } from '../../graph-loaders/sources.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { didOf, signed } from '../../src/labels/signed-labels.ts';
import { saveSigner } from '../../src/records/lists/label-signers.ts';
import { countStored, fileOf, folderOf, type Loading, openLoading } from './loading.ts';
import { CLASSIC } from './sdn-lists.ts';

const A = `0x${'a1'.repeat(20)}`;
const B = `0x${'b2'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

interface Sample {
  name: string;
  text: string;
  /** A table or list whose rows stand for themselves; left out for a document that is read as one. */
  rows?: true;
  /** More than a line may hold. */
  longest?: number;
  /** A row with a formula in each cell that is text. */
  formula?: string;
}

const OUTPUTS = [{ addresses: [BTC], value: 5 }];
const UTXO = {
  hash: 'ab'.repeat(32),
  block_number: 1,
  block_timestamp: 1_700_000_000,
  is_coinbase: true,
  inputs: [],
  outputs: OUTPUTS,
};
const JSON_OF: Partial<Record<SourceName, unknown>> = {
  darklist: [{ address: A, comment: 'Fake' }],
  scamsniffer: { 'bad.example': [A] },
  ransomwhere: { result: [{ address: BTC, blockchain: 'bitcoin', family: 'LanternLock' }] },
  misp: { Event: { uuid: 'u', info: 'Theft', Attribute: [{ type: 'btc', value: BTC }] } },
  stix: { objects: [{ type: 'indicator', id: 'indicator--1', pattern: `[cryptocurrency-wallet:value = '${BTC}']` }] },
};
const SECRET = new Uint8Array(32).fill(7);
const SIGNER = didOf(SECRET);
const AT = '2026-01-01T00:00:00.000Z';
const SIGNED = {
  ...{ ver: 1, src: SIGNER, cts: AT },
  labels: [signed(SECRET, { ver: 1, src: SIGNER, uri: `eip155:1:${A}`, val: 'scam', cts: AT })],
};

/** Empty stores; signed labels are taken of one signer. */
async function openTrusting(): Promise<Loading> {
  const loading = await openLoading();
  await saveSigner(loading.records, { did: SIGNER, name: 'Partner', confidence: 69, trusted_at: 0 });
  return loading;
}

const documentOf = (source: SourceName, name = 'list.json'): Sample => ({
  name,
  text: JSON.stringify(JSON_OF[source]),
});
const F = '=HYPERLINK("http://bad.example","x")'.replaceAll('"', '""');

const SAMPLES: Record<SourceName, Sample> = {
  transfers: {
    name: 'transfers.csv',
    text: `chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd\nethereum,${HASH},native,1,2026-01-01,${A},${B},ETH,1,1\n`,
    rows: true,
    formula: `ethereum,${HASH},native,1,2026-01-01,${A},"${F}",ETH,1,1`,
  },
  labels: {
    name: 'labels.csv',
    text: `chain,address,category,label,source,confidence,entity,valid_from,valid_to\nethereum,${A},scam,Fake,desk,80,,,\n`,
    rows: true,
    formula: `ethereum,"${F}",scam,"${F}",desk,80,,,`,
  },
  prices: {
    name: 'prices.csv',
    text: 'date,asset,usd\n2026-01-01,ETH,2000\n',
    rows: true,
    formula: `2026-01-01,"${F}",1`,
  },
  bridges: { name: 'bridges.csv', text: `protocol,chain,role,address\nacross,ethereum,spoke_pool,${A}\n` },
  ofac: { name: 'sdn.xml', text: CLASSIC },
  'ofac-list': { name: 'sanctioned_addresses_ETH.txt', text: `${A}\n`, rows: true, formula: F },
  opensanctions: {
    name: 'entities.ftm.json',
    text: `${JSON.stringify({ id: 'w', schema: 'CryptoWallet', properties: { publicKey: [A], topics: ['sanction'] } })}\n`,
    rows: true,
    longest: 5_000_000,
  },
  tagpack: {
    name: 'pack.yaml',
    text: `title: T\ncreator: x\ntags:\n- label: Fake\n  currency: ETH\n  abuse: scam\n  address: "${A}"\n`,
  },
  scamsniffer: documentOf('scamsniffer', 'combined.json'),
  darklist: documentOf('darklist'),
  'eth-labels': { name: 'labels.csv', text: `address,nameTag\n${A},Fake\n`, rows: true, formula: `"${F}","${F}"` },
  forta: { name: 'phishing.csv', text: `address,etherscan_tag\n${A},Fake\n`, rows: true, formula: `"${F}","${F}"` },
  ransomwhere: documentOf('ransomwhere'),
  stix: documentOf('stix'),
  misp: documentOf('misp'),
  freezes: { name: 'frozen.csv', text: `address,token\n${A},USDT\n`, rows: true, formula: `"${F}",USDT` },
  signed: { name: 'labels.json', text: JSON.stringify(signed(SECRET, SIGNED)) },
  domains: { name: 'bad.txt', text: 'bad.example\n', rows: true, formula: '=cmd|x!A1' },
  'ethereum-etl': {
    name: 'transactions.csv',
    text: `hash,from_address,to_address,value,block_number,block_timestamp,receipt_status\n${HASH},${A},${B},5,1,1700000000,1\n`,
    rows: true,
    formula: `"${F}",${A},${B},5,1,1700000000,1`,
  },
  'bitcoin-etl': { name: 'transactions.json', text: `${JSON.stringify(UTXO)}\n`, rows: true, longest: 17_000_000 },
};

type Bad = [what: string, of: (sample: Sample) => string | Uint8Array | null, outcome: 'refused' | 'row' | 'either'];
const appended = (row: string) => (sample: Sample) => (sample.rows ? `${sample.text}${row}\n` : null);
const HTML = '<!doctype html>\n<html><body>Not found</body></html>\n';

/** Null where the kind of fault does not fit the format. */
const FAULTS: Bad[] = [
  ['empty', () => '', 'refused'],
  ['blank', () => ' \n\n', 'refused'],
  ['HTML', () => HTML, 'refused'],
  ['cut off', ({ text }) => text.slice(0, -12), 'either'],
  ['NUL characters', () => '\0'.repeat(5_000), 'refused'],
  ['mixed with something else', appended('<p>{"a":"b"}</p>'), 'either'],
  ['with a NUL character', appended('a\0b'), 'row'],
  ['with a huge line', (sample) => appended('x'.repeat(sample.longest ?? 100_000))(sample), 'row'],
  ['separated otherwise', ({ name, text }) => (name.endsWith('.csv') ? text.replaceAll(',', '~') : null), 'refused'],
  [
    'in Latin-1',
    (sample) =>
      sample.rows
        ? Buffer.concat([Buffer.from(sample.text), Buffer.from([0x63, 0xe9, 0x0a])])
        : Buffer.from([0x22, 0xe9, 0x22]),
    'either',
  ],
  ['with formulas', (sample) => (sample.formula ? `${sample.text}${sample.formula}\n` : null), 'row'],
];

describe.each(SOURCE_NAMES)('%s', (source) => {
  const sample = SAMPLES[source];

  it('names file, row and reason of what it cannot use, and stores nothing of a file that it refuses', async () => {
    const loading = await openTrusting();
    const { format } = await SOURCES[source].importLoader();
    const takes = `${source} takes ${format}.`;
    for (const [what, of, outcome] of FAULTS) {
      const content = of(sample);
      if (content === null) continue;
      const before = await countStored(loading);
      const place = fileOf(sample.name, content);
      const ended = await loading.load(source, place).catch((error: Error) => error);
      if (ended instanceof Error) {
        expect([what, outcome], ended.message).not.toEqual([what, 'row']);
        expect(ended, what).toBeInstanceOf(InvalidInputError);
        expect([what, ended.message]).toEqual([what, expect.stringContaining(sample.name)]);
        expect([what, ended.message]).toEqual([what, expect.stringContaining(takes)]);
        expect(ended.message).not.toContain('\n');
        expect([what, await countStored(loading)]).toEqual([what, before]);
      } else {
        expect([what, outcome]).not.toEqual([what, 'refused']);
        expect([what, ended.skipped, ended.loaded]).toEqual([what, 1, 1]);
        expect([what, ended.errors]).toEqual([
          what,
          [{ line: expect.any(Number), reason: expect.stringMatching(/\w/) }],
        ]);
        expect(ended.errors[0]!.line).toBeGreaterThan(1);
      }
    }
  });

  it('is the same in UTF-16, in a ZIP, and beside a bomb that is not of the source', async () => {
    const loading = await openTrusting();
    const plain = await loading.load(source, fileOf(sample.name, sample.text));
    const counts = ({ read, loaded, skipped }: typeof plain) => [read, loaded, skipped];
    const utf16 = fileOf(sample.name, Buffer.from(`\uFEFF${sample.text}`, 'utf16le'));
    expect(counts(await loading.load(source, utf16))).toEqual(counts(plain));
    const bomb = zipSync({ 'zeros.bin': new Uint8Array(8 * 1024 * 1024) });
    const packed = zipSync({ [sample.name]: strToU8(sample.text), 'inner.zip': zipSync({ 'inner.zip': bomb }) });
    const report = await loading.load(source, fileOf('list.zip', packed));
    expect(counts(report)).toEqual(counts(plain));
    expect(report.not_read).toEqual(['inner.zip']);
  });

  it('refuses 2 GB of nothing at its first bytes, or passes over it in little memory', async () => {
    if (sample.rows) return;
    const loading = await openTrusting();
    const place = join(mkdtempSync(join(tmpdir(), 'traceflow-load-')), sample.name);
    writeFileSync(place, '');
    truncateSync(place, 2 * 1024 ** 3);
    const before = process.memoryUsage().arrayBuffers;
    await expect(loading.load(source, place)).rejects.toThrow(sample.name);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024 * 1024);
  });
});

it('a ZIP is read by its real bytes whatever it states, and a folder says of each file what became of it', async () => {
  const loading = await openLoading();
  const small = Buffer.from(zipSync({ 'a.csv': strToU8('x'), 'b.csv': strToU8('y') }));
  // The sizes that the directory at its end states.
  const entry = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  for (let at = small.indexOf(entry); at !== -1; at = small.indexOf(entry, at + 1)) {
    small.writeUInt32LE(300 * 1024 * 1024, at + 24);
  }
  const boasting = fileOf('boasting.zip', small);
  await expect(loading.load('labels', boasting)).rejects.toThrow('a.csv: the header lacks');
  const folder = folderOf({
    'a.csv': SAMPLES.freezes.text,
    'b.csv': `address,token\n${B},USDC\nx,USDC\n`,
    'c.md': 'x',
  });
  expect(await loading.load('freezes', folder)).toMatchObject({
    files: [
      { name: 'a.csv', read: 1, loaded: 1 },
      { name: 'b.csv', read: 2, loaded: 1 },
    ],
    not_read: ['c.md'],
  });
});
