import { expect, it } from 'vitest';
import { fileOf, openLoading } from './loading.ts';
import { BITCOIN, EVM, OTHER_EVM, TRON } from './sdn-lists.ts';

const XRP = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh';
const lines = (...entities: object[]) => entities.map((entity) => JSON.stringify(entity)).join('\n');
const wallet = (id: string, properties: object) => ({ id, schema: 'CryptoWallet', properties });

it('reads the wallets of OpenSanctions with their holders, topics and sanctions', async () => {
  const loading = await openLoading();
  const file = fileOf(
    'entities.ftm.json',
    lines(
      wallet('w1', { publicKey: [EVM], holder: ['p1'] }),
      { id: 'p1', schema: 'Company', caption: 'Example Exchange', properties: { topics: ['sanction'] } },
      wallet('w2', { publicKey: [TRON], currency: ['USDT'], topics: ['crime.terror'] }),
      wallet('w3', { publicKey: [`${XRP} (Address tag 1023)*`], topics: ['crime'] }),
      wallet('w4', { publicKey: [OTHER_EVM] }),
      {
        id: 's4',
        schema: 'Sanction',
        properties: {
          entity: ['w4'],
          listingDate: ['2022-04-05'],
          endDate: ['2025-01-02'],
          authority: ['Example Office'],
        },
      },
      wallet('w5', { managingExchange: ['Someone'] }),
      wallet('w6', { publicKey: ['4AExampleMonero'], topics: ['sanction'] }),
      wallet('w7', { publicKey: [`0x${'77'.repeat(20)}`] }),
    ),
  );
  const report = await loading.load('opensanctions', file);
  expect(report).toMatchObject({
    read: 7,
    loaded: 4,
    skipped: 3,
    unmapped: [{ field: 'topics', word: '(none)', rows: 1 }],
  });
  const found = await loading.labels.findOnAllChains([EVM, TRON, XRP, OTHER_EVM]);
  const [first, second, third, fourth] = [EVM, TRON, XRP, OTHER_EVM].map((address) => found.get(address)![0]!);
  expect(first).toMatchObject({
    chain: 'evm',
    category: 'sanctioned',
    label: 'Example Exchange',
    entity: 'Example Exchange',
  });
  expect([second, third].map((label) => [label!.chain, label!.category])).toEqual([
    ['tron', 'terrorism'],
    ['xrp', 'scam'],
  ]);
  expect(fourth).toMatchObject({
    label: 'Example Office',
    validFrom: Date.parse('2022-04-05'),
    validTo: Date.parse('2025-01-03'),
  });
});

it.each([
  ['a page', '<html></html>'],
  ['another JSON', '{"address":"x"}'],
  ['entities without wallets', lines({ id: 'p', schema: 'Person', properties: { name: ['A'] } })],
  ['nothing', ''],
])('refuses %s', async (_, text) => {
  const loading = await openLoading();
  await expect(loading.load('opensanctions', fileOf('entities.ftm.json', text))).rejects.toThrow('opensanctions takes');
});

it('finds every address of a field that has several, a code of the currency, a payment link or invisible characters', async () => {
  const loading = await openLoading();
  const [hidden, key] = [`\ufeff${EVM.slice(0, 9)}\u200b${EVM.slice(9)}`, `${OTHER_EVM},${TRON}; XRP: ${XRP}`];
  const listed = [
    wallet('w1', { publicKey: [hidden], topics: ['sanction'] }),
    wallet('w2', { publicKey: [key, `bitcoin:${BITCOIN}?amount=1`], topics: ['sanction'] }),
  ];
  const report = await loading.load('opensanctions', fileOf('entities.ftm.json', lines(...listed)));
  expect(report).toMatchObject({ read: 2, loaded: 2 });
  expect(report.errors.map(({ reason }) => reason)).toEqual([`${EVM}: invisible characters taken out`]);
  const all = [EVM, OTHER_EVM, TRON, XRP, BITCOIN];
  expect([...(await loading.labels.findOnAllChains(all)).keys()].sort()).toEqual(all.sort());
});

it('takes from a payment link whom it pays, and skips one that calls a contract for something else', async () => {
  const loading = await openLoading();
  const token = `0x${'1'.repeat(40)}`;
  const links = [
    `ethereum:${token}@1/transfer?address=${EVM}&uint256=1`,
    `ethereum:pay-${OTHER_EVM}@137?value=2e18`,
    `ethereum:${token}@1/approve?address=${EVM}&uint256=1`,
    `ethereum:${token}/transfer?uint256=1`,
    `ethereum:${token}?value=0&data=0xa9059cbb`,
  ];
  const listed = links.map((link, n) => wallet(`w${n}`, { publicKey: [link], topics: ['sanction'] }));
  const report = await loading.load('opensanctions', fileOf('entities.ftm.json', lines(...listed)));
  expect(report).toMatchObject({ read: 5, loaded: 2, skipped: 3 });
  expect([...new Set(report.errors.map(({ line }) => line))]).toEqual([3, 4, 5]);
  const found = await loading.labels.findOnAllChains([EVM, OTHER_EVM, token]);
  expect([...found.keys()].sort()).toEqual([EVM, OTHER_EVM].sort());
});

it('takes nobody for sanctioned who is only linked to a listed party or listed in answer to sanctions', async () => {
  const loading = await openLoading();
  const topics = ['sanction.linked', 'sanction.counter', 'sanction.control', 'export.control.linked', 'export.risk'];
  const wallets = topics.map((topic, n) =>
    wallet(`w${n}`, { publicKey: [`0x${String(n).repeat(40)}`], topics: [topic] }),
  );
  const both = wallet('w9', { publicKey: [EVM], topics: ['sanction.linked', 'sanction'] });
  const report = await loading.load('opensanctions', fileOf('entities.ftm.json', lines(...wallets, both)));
  expect(report).toMatchObject({ read: topics.length + 1, loaded: 1, skipped: topics.length });
  expect(report.unmapped?.map(({ word }) => word).sort()).toEqual(topics.toSorted());
  expect((await loading.labels.findOnAllChains([EVM])).get(EVM)![0]!.category).toBe('sanctioned');
});
