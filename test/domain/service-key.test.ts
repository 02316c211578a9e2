import { expect, it } from 'vitest';
import { serviceKey } from '../../src/domain/label.ts';

it('names that lists give to wallets of one service are alike, and those of others are not', () => {
  const binance = [
    'Binance 14',
    'binance',
    'Binance.com',
    'Binance: Hot Wallet 3',
    'Binance-coldwallet 2',
    'BINANCE #7',
  ];
  expect(new Set(binance.map(serviceKey)).size).toBe(1);
  const others = [
    'Binance',
    'Binance US',
    'Bitcoin.de',
    'Bitcoin.com',
    '1inch',
    'Bit2Me',
    'Huobi',
    '取引所',
    '取引',
    'Hot',
    '7',
  ];
  expect(new Set(others.map(serviceKey)).size).toBe(others.length);
});
