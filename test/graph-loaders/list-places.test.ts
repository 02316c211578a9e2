import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf, type Loading, openLoading } from './loading.ts';

const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';

/** A file below folders of its own; returns the paths of all, the outermost first. */
function below(folders: string, name: string, content: string): string[] {
  let path = folderOf({});
  const paths = folders.split('/').map((folder) => {
    path = join(path, folder);
    mkdirSync(path);
    return path;
  });
  writeFileSync(join(path, name), content);
  return [...paths, join(path, name)];
}

async function found(loading: Loading, address: string) {
  const labels = (await loading.labels.findOnAllChains([address])).get(address) ?? [];
  return labels.map(({ chain, source, category }) => ({ chain, source, category }));
}

it('a Forta list is of the chain of its folder, whichever part of the path was given', async () => {
  const csv = `contract_address,contract_tag\n${A},Trap\n`;
  for (const path of below('labelled/labels/10', 'malicious_smart_contracts.csv', csv)) {
    const loading = await openLoading();
    expect(await loading.load('forta', path)).toMatchObject({ read: 1, loaded: 1, errors: [] });
    expect(await found(loading, A)).toEqual([
      { chain: 'optimism', source: 'forta:10/malicious_smart_contracts', category: 'scam' },
    ]);
  }
});

it('a Forta list in a folder of one’s own, named by a year or not, is of Ethereum', async () => {
  const csv = `contract_address,contract_tag\n${A},Trap\n`;
  for (const folders of ['lists', '2024']) {
    const loading = await openLoading();
    await loading.load('forta', below(folders, 'x.csv', csv).at(-1)!);
    expect(await found(loading, A)).toEqual([{ chain: 'ethereum', source: 'forta:1/x', category: 'scam' }]);
  }
});

it('a list of one explorer label takes label and chain from its folders, whichever part of the path was given', async () => {
  for (const [folders, file] of [
    ['src/optimism/phish-hack', 'all.csv'],
    ['data/bscscan', 'phish-hack.csv'],
  ] as const) {
    for (const path of below(folders, file, `address,nameTag\n${A},Fake\n`)) {
      const loading = await openLoading();
      expect(await loading.load('eth-labels', path)).toMatchObject({ read: 1, loaded: 1, errors: [] });
      const chain = folders.includes('bscscan') ? 'bsc' : 'optimism';
      expect(await found(loading, A)).toEqual([{ chain, source: 'eth-labels:phish-hack', category: 'scam' }]);
    }
  }
});

it('what has no column with addresses is not a Forta list, rows or not', async () => {
  const loading = await openLoading();
  for (const text of ['a,b\n', 'a,b\n1,2\n', `${'x'.repeat(100_000)}`, '']) {
    await expect(loading.load('forta', below('labels', 'x.csv', text).at(-1)!)).rejects.toThrow(/header/);
  }
});

it('words that every object knows are words like any other', async () => {
  const loading = await openLoading();
  const [explorer] = below(
    'labels',
    'x.csv',
    `address,chainId,label,nameTag\n${A},1,constructor,x\n${B},toString,scam,x\n`,
  );
  expect(await loading.load('eth-labels', join(explorer!, 'x.csv'))).toMatchObject({ read: 2, loaded: 1, skipped: 1 });
  const tags = ['abuse: constructor', 'category: toString', 'confidence: valueOf', 'currency: __proto__'].map(
    (field) => `- address: "${B}"\n  label: ${field.slice(0, 5)}\n  ${field}\n`,
  );
  const pack = `title: t\ncreator: c\ncurrency: ETH\ntags:\n${tags.join('')}`;
  const report = await loading.load('tagpack', below('packs', 'x.yaml', pack).at(-1)!);
  expect(report).toMatchObject({ read: 4, loaded: 3, skipped: 1 });
  expect(report.errors).toEqual([{ line: 14, reason: 'unsupported network: __proto__' }]);
  expect(await found(loading, A)).toMatchObject([{ category: 'other' }]);
  const categories = (await found(loading, B)).map(({ category }) => category).sort();
  // What stands where an abuse is stated accuses.
  expect(categories).toEqual(['other', 'other', 'scam']);
  expect(report.unmapped).toMatchObject([
    { field: 'concept', word: 'constructor', rows: 1 },
    { field: 'concept', word: 'tostring', rows: 1 },
    { field: 'confidence', word: 'valueOf', rows: 1 },
  ]);
});
