import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinBalances,
  joinIntervals,
  listsOfAsset,
  type ReadInterval,
  readInAll,
} from '../../../src/domain/tracing/reading.ts';

const span = (list: ReadInterval['list'], from: number, to: number, at = 1, source = 'explorer'): ReadInterval => ({
  list,
  from,
  to,
  source,
  at,
});

describe('what was read of an address', () => {
  it('joins intervals that overlap or touch, and keeps the newer source', () => {
    expect(joinIntervals([span('coin', 0, 10)], [span('coin', 11, 20, 5, 'rpc')])).toEqual([
      span('coin', 0, 20, 5, 'rpc'),
    ]);
    expect(joinIntervals([span('coin', 0, 10, 9)], [span('coin', 3, 5, 5, 'rpc')])).toEqual([span('coin', 0, 10, 9)]);
  });

  it('keeps a gap, and lists apart', () => {
    const found = [span('tokens', 0, 10), span('coin', 12, 20), span('coin', 0, 10)];
    expect(joinIntervals([], found)).toEqual([span('coin', 0, 10), span('coin', 12, 20), span('tokens', 0, 10)]);
  });

  it('keeps the balances at the edges of what was read, the later word of each', () => {
    const stated = (at: number, amount: string, asset = 'coin') => ({ asset, at, amount });
    const held = [stated(12, '1'), stated(30, '2'), stated(12, '7', 'USD.r')];
    const found = [stated(12, '3'), stated(21, '4'), stated(20, '5')];
    expect(joinBalances(held, found, [span('coin', 0, 10), span('tokens', 12, 20)])).toEqual([
      stated(21, '4'),
      stated(12, '3'),
      stated(12, '7', 'USD.r'),
    ]);
    expect(joinBalances(held, [], [span('coin', 0, 40)])).toEqual([]);
  });

  it('leaves out what ends before it begins', () => {
    expect(joinIntervals([], [span('coin', 5, 4)])).toEqual([]);
  });

  it('says the same whatever the order in which parts were read', () => {
    const interval = fc
      .record({ from: fc.nat(60), length: fc.nat(12), list: fc.constantFrom('coin' as const, 'tokens' as const) })
      .map(({ from, length, list }) => span(list, from, from + length));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 20 }), (found) => {
        const covered = (spans: readonly ReadInterval[]) => (moment: number, list: string) =>
          spans.some((one) => one.list === list && one.from <= moment && moment <= one.to);
        const oneByOne = found.reduce<ReadInterval[]>((held, one) => joinIntervals(held, [one]), []);
        expect(joinIntervals([], found)).toEqual(oneByOne);
        for (let moment = 0; moment < 75; moment++) {
          for (const list of ['coin', 'tokens']) {
            expect(covered(oneByOne)(moment, list)).toBe(covered(found)(moment, list));
          }
        }
      }),
    );
  });

  it('counts for an asset what all lists have that may hold it', () => {
    const read = [span('coin', 0, 100), span('internal', 20, 60), span('internal', 80, 90), span('tokens', 0, 85)];
    expect(readInAll(listsOfAsset('ethereum', 'coin'), read)).toEqual([
      { from: 20, to: 60 },
      { from: 80, to: 85 },
    ]);
    expect(readInAll(listsOfAsset('ethereum', '0xdac17f958d2ee523a2206206994597c13d831ec7'), read)).toEqual([
      { from: 0, to: 85 },
    ]);
    expect(readInAll(listsOfAsset('bitcoin', 'coin'), [span('coin', 3, 4)])).toEqual([{ from: 3, to: 4 }]);
    expect(readInAll(listsOfAsset('tron', '1002000'), read)).toEqual([
      { from: 20, to: 60 },
      { from: 80, to: 90 },
    ]);
  });
});
