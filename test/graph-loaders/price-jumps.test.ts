import { expect, it } from 'vitest';
import { DAY_MS, dayOf } from '../../src/domain/time.ts';
import { fileOf, openLoading, START } from './loading.ts';

it('leaves out prices of a file that jump a thousandfold, in the file or from what is known, unless they replace', async () => {
  const { records, load } = await openLoading();
  const file = (rows: string[]) => fileOf('prices.csv', ['date,asset,usd', ...rows, ''].join('\n'));
  const jumps = file(['2024-01-01,ETH,2000', '2024-01-02,ETH,2', '2024-01-03,ETH,2100', '2024-01-04,ETH,2200000']);
  expect(await load('prices', jumps)).toMatchObject({
    loaded: 2,
    skipped: 2,
    errors: [
      { reason: expect.stringContaining('ETH on 2024-01-02: 2 is') },
      { reason: expect.stringContaining('2200000') },
    ],
  });
  const cents = file(['2024-01-01,ETH,2000000', '2024-01-03,ETH,2100000']);
  expect(await load('prices', cents)).toMatchObject({ loaded: 0, skipped: 2 });
  const prices = async () =>
    (await records.selectFrom('prices').select('usd').orderBy('date').execute()).map(({ usd }) => usd);
  expect(await prices()).toEqual([2_000, 2_100]);
  expect(await load('prices', cents, { endings: 'end' })).toMatchObject({ loaded: 2 });
  expect(await prices()).toEqual([2_000_000, 2_100_000]);
});

it('refuses the price of a day that is still to come, with its line', async () => {
  const { load } = await openLoading();
  const [today, tomorrow] = [dayOf(START), dayOf(START + DAY_MS)];
  const file = fileOf('prices.csv', `date,asset,usd\n${today},ETH,2000\n${tomorrow},ETH,2000\n`);
  expect(await load('prices', file)).toMatchObject({
    loaded: 1,
    errors: [{ line: 3, reason: `the day is still to come: ${tomorrow}` }],
  });
});
