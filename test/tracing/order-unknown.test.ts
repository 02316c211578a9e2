import { expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scanWithTrace } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;

/** A wallet holds clean money, and pays `S` in the block in which so much of a thief comes in; places in the block where known. */
function inOneBlock(stolen: number, places: [paid?: number, came?: number] = []): Payment[] {
  const usd = dice.int(20_000, 90_000);
  const [paid, came] = places.map((position) => ({ block: 7, position }));
  return [
    [DAY, 'CEX', 'w', usd],
    [2 * DAY, 'w', 'S', 0.9 * usd, paid],
    [2 * DAY, 'THIEF', 'w', stolen * usd, came],
    [3 * DAY, 'S', 'x', 0.8 * usd],
  ];
}

it.each(['ethereum', 'tron', 'bitcoin'] as const)(
  'a level that depends on the order of transfers in one block of %s is never full and low',
  async (chain) => {
    const { assessment, trace } = await scanWithTrace(inOneBlock(1), 'S', { chain });
    expect([assessment.risk_level, assessment.level_basis]).toEqual(['LOW', 'partial']);
    expect(trace.reasons).toContain('order_unknown');
  },
);

/** What else a wallet that holds stolen money gets and pays in the block in which it pays `S`. */
const SHAPES: [shape: string, held: number, came: number[], paid: number[]][] = [
  ['another payment that makes the block overdraw a little', 10_000, [990_000], [990_000.0001]],
  ['another payment of all that came in', 10_000, [990_000], [990_000]],
  ['two receipts, of which the payment needs the small one', 9_900, [200, 990_000], [980_000]],
  ['receipts and payments by turns', 10_000, [300_000, 400_000], [300_000, 400_000.5]],
];

it.each(SHAPES)('clean money of the same block hides no stolen money: %s', async (_, held, came, paid) => {
  const block = { block: 7 };
  const payments: Payment[] = [
    [DAY, 'THIEF', 'w', held],
    [2 * DAY, 'w', 'S', 10_000, block],
    ...came.map((usd): Payment => [2 * DAY, 'CEX', 'w', usd, block]),
    ...paid.map((usd, i): Payment => [2 * DAY, 'w', `p${i}`, usd, block]),
  ];
  const { assessment, trace } = await scanWithTrace(payments, 'S');
  expect(trace.reasons).toContain('order_unknown');
  expect(assessment.level_basis === 'full' && assessment.risk_level === 'LOW').toBe(false);
});

it('is full where a payment needs what came in with it, whatever else was paid', async () => {
  const payments: Payment[] = [
    [DAY, 'CEX', 'w', 100],
    [2 * DAY, 'CEX', 'w', 50_000, { block: 7 }],
    [2 * DAY, 'w', 'S', 45_000, { block: 7 }],
    [2 * DAY, 'w', 'p', 5_099, { block: 7 }],
  ];
  const { assessment, trace } = await scanWithTrace(payments, 'S');
  expect([assessment.risk_level, assessment.level_basis]).toEqual(['LOW', 'full']);
  expect(trace.reasons).not.toContain('order_unknown');
});

it('is full where what came in is little beside what was there, and where the places are known', async () => {
  for (const payments of [inOneBlock(0.01), inOneBlock(1, [1, 2])]) {
    const { assessment, trace } = await scanWithTrace(payments, 'S');
    expect([assessment.risk_level, assessment.level_basis]).toEqual(['LOW', 'full']);
    expect(trace.reasons).not.toContain('order_unknown');
  }
  const { assessment } = await scanWithTrace(inOneBlock(1, [2, 1]), 'S');
  expect(assessment.risk_level).toMatch(/HIGH|CRITICAL/);
});
