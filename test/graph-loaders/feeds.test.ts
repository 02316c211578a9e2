import { expect, it } from 'vitest';
import type { Label } from '../../src/domain/label.ts';
import { fileOf, folderOf, type Loading, openLoading } from './loading.ts';
import { EVM, OTHER_EVM, TRON } from './sdn-lists.ts';

const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const XRP = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh';
const MONERO = `4${'A'.repeat(94)}`;
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

async function labelOf({ labels }: Loading, address: string): Promise<Partial<Label> | undefined> {
  return (await labels.findOnAllChains([address])).get(address)?.[0];
}

const id = (type: string, n: number) => `${type}--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const indicator = (n: number, pattern: string, more: object = {}) => ({
  ...{ type: 'indicator', id: id('indicator', n), pattern_type: 'stix', pattern, valid_from: '2026-01-02T00:00:00Z' },
  ...more,
});
const bundle = (...objects: object[]) => JSON.stringify({ type: 'bundle', id: id('bundle', 1), objects });

it('stix: wallets in patterns and as objects say what they, or what they are related to, did', async () => {
  const loading = await openLoading();
  const text = bundle(
    { type: 'identity', id: id('identity', 1), name: 'Example CERT' },
    { type: 'malware', id: id('malware', 1), name: 'LanternLock', malware_types: ['ransomware'] },
    indicator(1, `[cryptocurrency-wallet:value = '${BTC}']`, { created_by_ref: id('identity', 1), name: 'Wallet 1' }),
    { type: 'relationship', id: id('relationship', 1), source_ref: id('indicator', 1), target_ref: id('malware', 1) },
    indicator(2, `[x-crypto-wallet:address IN ('${EVM}', '${MONERO}')]`, { labels: ['drainer'], confidence: 90 }),
    indicator(3, `[cryptocurrency-wallet:address NOT = '${OTHER_EVM}']`),
    indicator(4, "[domain-name:value = 'bad.example']"),
    indicator(5, `[cryptocurrency-wallet:value = '${XRP}']`, {
      revoked: true,
      modified: '2026-03-04T00:00:00Z',
    }),
    { type: 'cryptocurrency-wallet', id: id('cryptocurrency-wallet', 1), value: TRON },
    { type: 'cryptocurrency-wallet', id: id('cryptocurrency-wallet', 2), value: BTC },
  );
  const report = await loading.load('stix', fileOf('feed.json', text));
  expect(report).toMatchObject({ read: 5, loaded: 3, skipped: 2 });
  expect(report.errors.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('is not an address of a supported chain'),
    `${TRON}: nothing says what it is listed for`,
  ]);
  expect(await labelOf(loading, BTC)).toMatchObject({
    ...{ category: 'ransomware', label: 'Wallet 1', source: 'stix:Example CERT', validFrom: day('2026-01-02') },
  });
  expect(await labelOf(loading, EVM)).toMatchObject({ category: 'drainer', source: 'stix:feed', confidence: 90 });
  expect(await labelOf(loading, XRP)).toMatchObject({ category: 'scam', validTo: day('2026-03-04') });
  expect(await labelOf(loading, OTHER_EVM)).toBeUndefined();
});

const attribute = (type: string, value: string, more: object = {}) => ({
  type,
  value,
  category: 'Financial fraud',
  ...more,
});
const event = (uuid: string, info: string, attributes: object[], more: object = {}) =>
  JSON.stringify({ Event: { uuid, info, Orgc: { name: 'Example' }, Attribute: attributes, ...more } });

it('misp: an event names addresses of coins, and ends what its newer version lacks', async () => {
  const loading = await openLoading();
  const many = Array.from({ length: 12 }, (_, n) => attribute('eth', `0x${(n + 16).toString(16).repeat(20)}`));
  const object = {
    name: 'coin-address',
    Attribute: [attribute('text', XRP, { object_relation: 'address-crypto' }), attribute('text', 'XRP')],
  };
  const attributes = [
    attribute('btc', BTC, { comment: 'LanternLock ransom note' }),
    attribute('xmr', MONERO),
    attribute('md5', 'd41d8cd98f00b204e9800998ecf8427e'),
    attribute('btc', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', { deleted: true }),
  ];
  const folder = folderOf({
    'a.json': event('u-1', 'Wallet thieves', [...attributes, ...many], { Object: [object] }),
    'manifest.json': '{"u-1":{"info":"x"}}',
  });
  const report = await loading.load('misp', folder);
  expect(report).toMatchObject({ read: 15, loaded: 14, skipped: 1, not_read: ['manifest.json'] });
  expect(report.errors[0]!.reason).toContain('XMR is not one of the supported chains');
  expect(await labelOf(loading, BTC)).toMatchObject({ category: 'ransomware', source: 'misp:Example u-1' });
  expect(await labelOf(loading, XRP)).toMatchObject({ category: 'theft', label: 'Wallet thieves' });

  const next = folderOf({ 'a.json': event('u-1', 'Wallet thieves', many, { Object: [object] }) });
  await loading.load('misp', next);
  expect(await labelOf(loading, BTC)).toMatchObject({ validTo: expect.any(Number) });
  expect(await labelOf(loading, XRP)).toMatchObject({ validTo: null });
});

it('ransomwhere: each address bears the family that was paid', async () => {
  const loading = await openLoading();
  const entry = { address: BTC, blockchain: 'bitcoin', family: 'LanternLock', balance: 1, transactions: [] };
  const result = [entry, { ...entry, address: MONERO, blockchain: 'monero' }];
  const report = await loading.load('ransomwhere', fileOf('export', JSON.stringify({ result })));
  expect(report).toMatchObject({ read: 2, loaded: 1, skipped: 1 });
  expect(await labelOf(loading, BTC)).toMatchObject({ category: 'ransomware', entity: 'LanternLock' });
});

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';

it.each([
  ['columns', 'list.csv', `address;chain;token;frozen_at\n${EVM};ethereum;USDT;2026-02-03\n`],
  ['a contract', 'list.csv', `wallet,contract_address,date\n${EVM},${USDT},2026-02-03\n`],
  [
    'events',
    'events.csv',
    `event_name,timestamp,_user,contract_address\nAddedBlackList,2026-02-03,${EVM},${USDT}\nParams,2026-02-04,,${USDT}\n`,
  ],
  ['objects', 'list.json', JSON.stringify([{ address: EVM, network: 'ERC-20', asset: 'usdt', date: '2026-02-03' }])],
  ['keys', 'list.json', JSON.stringify({ USDT: { ethereum: [{ address: EVM, date: '2026-02-03' }] } })],
])('freezes: the issuer is named whether %s say the token', async (_, name, text) => {
  const loading = await openLoading();
  expect(await loading.load('freezes', fileOf(name, text))).toMatchObject({ read: 1, loaded: 1 });
  expect(await labelOf(loading, EVM)).toMatchObject({
    ...{ chain: 'ethereum', category: 'scam', label: 'Frozen by Tether (USDT)', validFrom: day('2026-02-03') },
    ...{ source: 'freezes:USDT ethereum', validTo: null },
  });
});

it('freezes: a name of a file says token and chain, and what was unfrozen has ended', async () => {
  const loading = await openLoading();
  const rows = [
    `${TRON},freeze,2026-02-03`,
    `${TRON},unfreeze,2026-04-05`,
    `${XRP},freeze,2026-02-03`,
    `${TRON},mint,2026-05-06`,
  ];
  const file = fileOf('usdt_tron-2026.csv', `address,action,date\n${rows.join('\n')}\n`);
  const report = await loading.load('freezes', file);
  expect(report.errors.map(({ reason }) => reason)).toEqual([
    `${XRP} is not a valid tron address`,
    'mint does not freeze',
  ]);
  expect(await labelOf(loading, TRON)).toMatchObject({ validFrom: day('2026-02-03'), validTo: day('2026-04-05') });
  const plain = fileOf('wallets.csv', `address\n${EVM}\n`);
  await expect(loading.load('freezes', plain)).rejects.toThrow('the header lacks token');
});

it.each([
  ['lines', 'a.txt', '# phishing\nbad.example\nhttps://evil.example/\n*.worse.example\nshared.example/login\n'],
  [
    'a hosts file',
    'a.txt',
    '127.0.0.1 localhost\n0.0.0.0 bad.example evil.example # two\n0.0.0.0 worse.example\n0.0.0.0 _\n',
  ],
  ['filters', 'a.txt', '! list\n||bad.example^\n||evil.example^$all\n||worse.example^\n||_^\n'],
  ['a list', 'a.json', JSON.stringify(['bad.example', 'evil.example', 'worse.example', 'not a domain'])],
  [
    'a configuration',
    'a.json',
    JSON.stringify({
      whitelist: ['good.example'],
      blacklist: ['bad.example', 'evil.example', 'worse.example', 'good.example'],
    }),
  ],
])('domains: %s', async (_, name, text) => {
  const { load, records } = await openLoading();
  expect(await load('domains', fileOf(name, text))).toMatchObject({ read: 4, loaded: 3, skipped: 1 });
  const rows = await records.selectFrom('scam_domains').select(['domain', 'source', 'address']).execute();
  expect(rows.map(({ domain }) => domain).sort()).toEqual(['bad.example', 'evil.example', 'worse.example']);
  expect(rows[0]).toMatchObject({ source: 'domains:a', address: '' });
});

it('domains: what a newer list lacks ends, and more than a tenth of it waits for a decision', async () => {
  const { load, records } = await openLoading();
  const names = Array.from({ length: 20 }, (_, n) => `bad-${n}.example`);
  const live = async () => {
    const rows = await records.selectFrom('scam_domains').select('domain').where('ended_at', 'is', null).execute();
    return rows.length;
  };
  await load('domains', fileOf('a.txt', names.join('\n')));
  await load('domains', fileOf('a.txt', names.slice(1).join('\n')));
  expect(await live()).toBe(19);
  const shorter = fileOf('a.txt', names.slice(10).join('\n'));
  expect((await load('domains', shorter)).waiting).toEqual([expect.stringContaining('9 of 19 domains of domains:a')]);
  expect(await live()).toBe(19);
  await load('domains', shorter, { endings: 'end' });
  expect(await live()).toBe(10);
});
