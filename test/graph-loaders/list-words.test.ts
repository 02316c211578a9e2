import { expect, it } from 'vitest';
import { BROADER_CONCEPT, categoryOfConcepts } from '../../graph-loaders/labels/graphsense-concepts.ts';
import { adverseCategory } from '../../src/domain/adverse-words.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { ADVERSE_CATEGORIES } from '../../src/domain/label.ts';
import { fileOf, folderOf, openLoading } from './loading.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, 'c')}`;

function isBelow(concept: string | undefined, root: string): boolean {
  return concept !== undefined && (concept === root || isBelow(BROADER_CONCEPT[concept], root));
}

/** The category of a tag that states no more than these, and the words that no table knows. */
function read(stated: Partial<Parameters<typeof categoryOfConcepts>[0]>, chain: Chain = 'ethereum') {
  const unmapped: string[] = [];
  const all = { abuses: [], concepts: [], actor: [], ...stated };
  return { category: categoryOfConcepts(all, chain, (word) => unmapped.push(word)), unmapped };
}

it('every concept below abuse accuses, wherever a tag states it', () => {
  const below = Object.keys(BROADER_CONCEPT).filter((concept) => isBelow(concept, 'abuse'));
  expect(below.length).toBeGreaterThan(30);
  for (const concept of ['abuse', ...below]) {
    for (const field of ['abuses', 'concepts', 'actor'] as const) {
      const { category, unmapped } = read({ [field]: [concept] });
      expect(ADVERSE_CATEGORIES, `${field}: ${concept}`).toContain(category);
      expect(unmapped).toEqual([]);
    }
  }
});

it('a concept without a category of its own has that of its broader one', () => {
  const of = (concept: string, chain?: Chain) => read({ concepts: [concept] }, chain).category;
  expect(['coinjoin', 'defi_dex_pair', 'torture', 'data_breach', 'pyramid_scheme'].map((name) => of(name))).toEqual([
    'mixer',
    'dex',
    'darknet',
    'theft',
    'scam',
  ]);
  expect(of('Child Sexual-Abuse')).toBe('child_abuse');
  expect([of('market', 'bitcoin'), of('market')]).toEqual(['darknet', 'other']);
});

it('the gravest accusation counts, before what a party is, and a place only where nothing else is said', () => {
  expect(read({ concepts: ['exchange', 'scam', 'terrorism_financing'] }).category).toBe('terrorism');
  expect(read({ concepts: ['dark_web', 'ransomware'] }).category).toBe('ransomware');
  expect(read({ concepts: ['dark_web', 'gambling'] }).category).toBe('darknet');
  expect(read({ concepts: ['exchange'], actor: ['sanction'] }).category).toBe('sanctioned');
});

it('a word that the taxonomy lacks is named, and counts as an accusation where it is one', () => {
  expect(read({ concepts: ['hot_wallet', 'exchange'] })).toEqual({ category: 'exchange', unmapped: ['hot_wallet'] });
  expect(read({ concepts: ['ransomeware'] })).toEqual({ category: 'ransomware', unmapped: ['ransomeware'] });
  expect(read({ abuses: ['bad manners'] })).toEqual({ category: 'scam', unmapped: ['bad manners'] });
  expect(read({ concepts: ['bakery'] })).toEqual({ category: 'other', unmapped: ['bakery'] });
});

it.each([
  ['OFAC: Lazarus', 'sanctioned'],
  ['terror-financing', 'terrorism'],
  ['phish-hack', 'scam'],
  ['Acme Hacker 3', 'theft'],
  ['Fake_Phishing77', 'scam'],
  ['Inferno Drainer', 'drainer'],
  ['blacklisted', 'scam'],
  ['tumbler', 'mixer'],
  ['White Hat Hacker', null],
  ['ScamSniffer: Donate', null],
  ['fraud-proof', null],
  ['anti-phishing', null],
  ['hackathon winners', null],
  ['token-contract', null],
])('the word %s of any list or explorer accuses of %s', (word, category) => {
  expect(adverseCategory(word)).toBe(category);
});

it('a load counts and names each word that no table maps', async () => {
  const loading = await openLoading();
  const tags = ['novelty', 'novelty', 'exchange'].map((word, n) => `- address: '${address(n)}'\n  category: ${word}\n`);
  const pack = `title: t\nlabel: l\ncurrency: ETH\nconfidence: hunch\ntags:\n${tags.join('')}`;
  expect((await loading.load('tagpack', fileOf('p.yaml', pack))).unmapped).toEqual([
    { field: 'confidence', word: 'hunch', rows: 3 },
    { field: 'concept', word: 'novelty', rows: 2 },
  ]);
  const csv = `address,chainId,label,nameTag\n${address(7)},1,curiosity,x\n${address(8)},1,exchange,Acme Exploiter 2\n`;
  expect((await loading.load('eth-labels', fileOf('l.csv', csv))).unmapped).toEqual([
    { field: 'label', word: 'curiosity', rows: 1 },
  ]);
  expect((await loading.labels.find('ethereum', [address(8)])).get(address(8))).toMatchObject([{ category: 'theft' }]);
  const own =
    'chain,address,category,label,source,confidence,entity,valid_from,valid_to\n' +
    `ethereum,${address(9)},scam,,,,,,\nethereum,${address(9)},scammer,,,,,,\n`;
  expect((await loading.load('labels', fileOf('o.csv', own))).unmapped).toEqual([
    { field: 'category', word: 'scammer', rows: 1 },
  ]);
});

it('what an issuer blocked accuses, but neither the zero address nor a token by its name', async () => {
  const loading = await openLoading();
  const zero = address(0).replaceAll('c', '0');
  const rows = [`${zero},1,blocked,`, `${address(1)},1,blocked,`, `${address(2)},1,blocked,Acme: ACM Token`];
  const report = await loading.load(
    'eth-labels',
    fileOf('l.csv', `address,chainId,label,nameTag\n${rows.join('\n')}\n`),
  );
  expect(report.errors).toEqual([{ line: 2, reason: `nobody holds ${zero}: it is not scam` }]);
  const found = await loading.labels.find('ethereum', [address(1), address(2)]);
  expect([address(1), address(2)].map((one) => found.get(one)?.[0]?.category)).toEqual(['scam', 'other']);
});

it('files of a folder that are not of the source are named', async () => {
  const loading = await openLoading();
  const folder = folderOf({ 'address.json': JSON.stringify([address(1)]), 'domains.json': '[]', '.hidden': '' });
  expect((await loading.load('scamsniffer', folder)).not_read).toEqual(['domains.json']);
});
