import { expect, it } from 'vitest';
import { dayOf } from '../../src/domain/time.ts';
import { fileOf, folderOf, type Loading, openLoading, START } from './loading.ts';

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const ETH = 'sanctioned_addresses_ETH.txt';
const ofac = (...entries: number[]) => folderOf({ [ETH]: entries.map(address).join('\n') });
const drainers = (...entries: number[]) => fileOf('address.json', JSON.stringify(entries.map(address)));
const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

async function labelsOf(loading: Loading, entry: number) {
  return (await loading.labels.find('ethereum', [address(entry)])).get(address(entry)) ?? [];
}

it('what a newer list lacks ends on the day of that list, and answers name the day', async () => {
  const loading = await openLoading();
  await loading.load('ofac-list', ofac(...range(20)), { asOf: at('2025-03-01') });
  expect(await loading.labels.lists()).toMatchObject([{ source: 'ofac-list', entries: 20, as_of: '2025-03-01' }]);
  await loading.load('ofac-list', ofac(...range(19)), { asOf: at('2025-06-01') });
  expect(await labelsOf(loading, 20)).toMatchObject([{ validTo: at('2025-06-01') }]);
  expect(await loading.labels.lists()).toMatchObject([
    { entries: 19, as_of: '2025-06-01', loaded_at: new Date(START + 1).toISOString() },
  ]);
});

it('a list without a stated day is of the day of its load', async () => {
  const loading = await openLoading();
  await loading.load('ofac-list', ofac(1));
  expect(await loading.labels.lists()).toMatchObject([{ as_of: dayOf(START) }]);
});

it('a sanction without a day begins with the older list that lacked it, and in a first list it has no first day', async () => {
  const loading = await openLoading();
  await loading.load('ofac-list', ofac(1), { asOf: at('2025-03-01') });
  await loading.load('ofac-list', ofac(1, 2), { asOf: at('2025-06-01') });
  expect(await labelsOf(loading, 1)).toMatchObject([{ validFrom: null }]);
  expect(await labelsOf(loading, 2)).toMatchObject([{ validFrom: at('2025-03-01') }]);
  await loading.load('ofac-list', ofac(1, 2), { asOf: at('2025-09-01') });
  expect(await labelsOf(loading, 2)).toMatchObject([{ validFrom: at('2025-03-01') }]);
});

it('a scam that a newer list adds was one before as well', async () => {
  const loading = await openLoading();
  await loading.load('scamsniffer', drainers(1), { asOf: at('2025-03-01') });
  await loading.load('scamsniffer', drainers(1, 2), { asOf: at('2025-06-01') });
  expect(await labelsOf(loading, 2)).toMatchObject([{ validFrom: null }]);
});

it('where more than a tenth would end, additions apply, the ends and the day wait, and the report says so first', async () => {
  const loading = await openLoading();
  await loading.load('ofac-list', ofac(...range(20)), { asOf: at('2025-03-01') });
  const newer = ofac(...range(17), 99);
  const report = await loading.load('ofac-list', newer, { asOf: at('2025-06-01') });
  expect(report.errors[0]?.reason).toMatch(/^3 of 20 labels of ofac-list .*--replace.*--keep/);
  expect(report.waiting).toEqual([report.errors[0]?.reason]);
  expect(await labelsOf(loading, 20)).toMatchObject([{ validTo: null }]);
  expect(await labelsOf(loading, 99)).toMatchObject([{ validFrom: at('2025-03-01'), validTo: null }]);
  expect(await loading.labels.lists()).toMatchObject([{ entries: 21, as_of: '2025-03-01' }]);

  const ended = await loading.load('ofac-list', newer, { asOf: at('2025-06-01'), endings: 'end' });
  expect(ended.waiting).toBeUndefined();
  expect(await labelsOf(loading, 20)).toMatchObject([{ validTo: at('2025-06-01') }]);
  expect(await loading.labels.lists()).toMatchObject([{ entries: 18, as_of: '2025-06-01' }]);
});

it('with keep nothing ends, few or many, and the list has its new day', async () => {
  const loading = await openLoading();
  await loading.load('ofac-list', ofac(...range(20)), { asOf: at('2025-03-01') });
  for (const [entries, day] of [
    [range(19), '2025-06-01'],
    [range(10), '2025-07-01'],
  ] as const) {
    const report = await loading.load('ofac-list', ofac(...entries), { asOf: at(day), endings: 'keep' });
    expect(report.waiting).toBeUndefined();
    expect(report.errors).toMatchObject([{ reason: expect.stringMatching(/are kept/) }]);
    expect(await loading.labels.lists()).toMatchObject([{ entries: 20, as_of: day }]);
  }
});

it('a list that is older than the loaded one is refused and changes nothing', async () => {
  const loading = await openLoading();
  await loading.load('ofac-list', ofac(1), { asOf: at('2025-06-01') });
  await expect(loading.load('ofac-list', ofac(2), { asOf: at('2025-05-31') })).rejects.toThrow(/of 2025-06-01/);
  expect(await labelsOf(loading, 2)).toEqual([]);
});

it('no day is taken for what is not a whole list', async () => {
  const loading = await openLoading();
  const csv = `chain,address,category,label,source,confidence,entity,valid_from,valid_to\nethereum,${address(1)},scam,x,,,,,\n`;
  for (const [source, input] of [
    ['labels', fileOf('l.csv', csv)],
    ['ofac-list', fileOf(ETH, address(1))],
    ['prices', fileOf('p.csv', 'date,asset,usd\n')],
  ] as const) {
    await expect(loading.load(source, input, { asOf: START })).rejects.toThrow(/--as-of is the day of a/);
  }
});

it('an address of Bitcoin Cash in either form counts as skipped, and its key is known to be listed', async () => {
  const loading = await openLoading();
  const [legacy, cash] = ['18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'];
  const folder = folderOf({ 'sanctioned_addresses_BCH.txt': `${legacy}\n${cash}\n` });
  expect(await loading.load('ofac-list', folder)).toMatchObject({ read: 2, loaded: 0, skipped: 2 });
  expect(await loading.labels.find('bitcoin', [legacy])).toEqual(new Map());
  for (const listed of [legacy, '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu']) {
    expect((await loading.labels.findWithSisters('bitcoin', [listed])).sisters.get(listed)).toMatchObject([
      { chain: 'bitcoin_cash', category: 'sanctioned' },
    ]);
  }
  expect((await loading.labels.findWithSisters('tron', [legacy])).sisters).toEqual(new Map());
});
