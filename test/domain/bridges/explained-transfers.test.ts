import { describe, expect, it } from 'vitest';
import { explainedTransfers } from '../../../src/domain/bridges/match.ts';
import { COIN } from '../../../src/domain/tracing/asset-id.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const coin = (id: string, amount: string) => ({ id, assetId: COIN, amount });
const stated = (amount: string, explains: string[] = []) => ({ explains, assetId: COIN, amount });

describe('the transfers of a party that a message stands for', () => {
  it('are the ones that it names', () => {
    const all = [coin('named', '3'), coin('other', '1')];
    expect(explainedTransfers(stated('1', ['named']), all)).toEqual([all[0]]);
  });

  it('are the ones that paid a router which took a fee, or paid out through it', () => {
    const whole = coin('a', '1.02');
    expect(explainedTransfers(stated('1'), [whole])).toEqual([whole]);
    expect(explainedTransfers(stated('1'), [coin('b', '7'), whole])).toEqual([whole]);
    const parts = [coin('a', '0.4'), coin('b', '0.6')];
    expect(explainedTransfers(stated('1'), parts)).toEqual(parts);
  });

  it('are not other payments of the same transaction: a small message hides no large payment', () => {
    const theft = { id: 'theft', assetId: USDC, amount: '1000000' };
    expect(explainedTransfers(stated('0.0001'), [theft])).toEqual([]);
    expect(explainedTransfers(stated('1000000'), [theft])).toEqual([]);
    expect(explainedTransfers(stated('0.0001'), [coin('a', '40'), coin('b', '60')])).toEqual([]);
    expect(explainedTransfers(stated('1'), [theft, coin('a', '1')])).toEqual([coin('a', '1')]);
  });
});
