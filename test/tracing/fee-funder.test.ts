import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { NATIVE_COIN } from '../../src/domain/chain.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scanWithTrace } from './scanned.ts';

const dice = new Dice(seed);
const [HOUR, DAY] = [3_600_000, 86_400_000];
const USDC = { asset: 'USDC', token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', kind: 'token' } as const;

const each = (count: number, payments: (i: number) => Payment[]) =>
  Array.from({ length: count }, (_, i) => payments(i)).flat();
const funds = (usd = 900): Payment => [1, 'CEX', 'gas', usd];
const coins = (to: string, i: number, usd = dice.int(2, 40)): Payment => [DAY + i * HOUR, 'gas', to, usd];
/** A thief pays each of so many wallets, which sell at an exchange; `from` on. */
const mules = (count: number, { from = 0, honest = 0 } = {}) =>
  each(count, (n): Payment[] => {
    const [i, usd] = [from + n, dice.int(2_000, 9_000)];
    return [
      coins(`l${i}`, i),
      [DAY + i * HOUR + 60_000, 'THIEF', `l${i}`, usd, USDC],
      ...(honest > 0 ? [[DAY + i * HOUR + 90_000, 'CEX', `l${i}`, honest * usd, USDC] as Payment] : []),
      [2 * DAY + i * HOUR, `l${i}`, 'CEX', (1 + honest) * usd, USDC],
    ];
  });
const others = (count: number, usd?: number) =>
  each(count, (i) => [coins(`o${i}`, i, usd), [3 * DAY + i, 'CEX', `o${i}`, 500, USDC]]);

const fees = async (payments: Payment[], chain: 'ethereum' | 'tron' | 'solana') => {
  const coin = { asset: NATIVE_COIN[chain].symbol, kind: 'native' } as const;
  const placed = [funds(), ...payments].map(([at, from, to, usd, more]): Payment => [at, from, to, usd, more ?? coin]);
  const { assessment } = await scanWithTrace(placed, 'gas', { chain });
  const found = assessment.detections.find(({ details }) => details.variant === 'fees');
  return { level: assessment.risk_level, wallets: found?.details.measured.wallets ?? 0 };
};

describe.each(['ethereum', 'tron', 'solana'] as const)('who pays the first fees on %s', (chain) => {
  it.each<[string, Payment[], number]>([
    ['wallets that a thief pays', mules(8), 8],
    [
      'a chain of wallets that pass stolen money on',
      each(6, (i) => [
        coins(`l${i}`, i),
        [DAY + i * HOUR + 60_000, i === 0 ? 'THIEF' : `l${i - 1}`, `l${i}`, 9_000, USDC],
      ]),
      6,
    ],
    ['mules with honest money beside', mules(4, { honest: 0.8 }), 4],
    [
      'mules, and pays more than fees cost',
      each(4, (i) => [coins(`l${i}`, i, 150), [2 * DAY, 'THIEF', `l${i}`, 9_000, USDC]]),
      4,
    ],
    ['mules, and gives dust to many others', [...mules(4), ...others(40, 0.5)], 4],
    ['mules, and next to nothing to some others', [...mules(8), ...others(12, 1.5)], 8],
    ['mules, and most to one decoy', [...mules(8), ...others(1, 99)], 8],
    [
      'mules to whom somebody sent a cent before',
      [...each(8, (i): Payment[] => [[i, 'CEX', `l${i}`, 0.01]]), ...mules(8)],
      8,
    ],
    [
      'mules who turn their money in a ring',
      [
        ...mules(4),
        ...each(8, (i): Payment[] => [[DAY + 5 * HOUR + i * 60_000, `l${i % 4}`, `l${(i + 1) % 4}`, 9_000, USDC]]),
      ],
      4,
    ],
  ])('of %s is MEDIUM', async (_, payments, wallets) => {
    expect(await fees(payments, chain)).toEqual({ level: 'MEDIUM', wallets });
  });

  it.each<[string, Payment[]]>([
    ['everybody, also of mules, as a faucet', [...mules(6), ...others(54)]],
    ['two of them', mules(2)],
    [
      'customers who paid for it',
      [...each(6, (i): Payment[] => [[DAY + i * HOUR - 60_000, `l${i}`, 'gas', 45, USDC]]), ...mules(6)],
    ],
    ['mules who had coins before', [...each(6, (i): Payment[] => [[DAY / 2 + i, 'CEX', `l${i}`, 5]]), ...mules(6)]],
    [
      'wallets that lose to a thief',
      each(6, (i) => [coins(`m${i}`, i), [2 * DAY, 'CEX', `m${i}`, 900, USDC], [3 * DAY, `m${i}`, 'THIEF', 900, USDC]]),
    ],
    ['wallets with little stolen money', mules(6, { honest: 4 })],
  ])('of %s is not', async (_, payments) => {
    const { level, wallets } = await fees(payments, chain);
    expect(wallets).toBe(0);
    expect(level).toMatch(/LOW|MEDIUM/);
  });
});
