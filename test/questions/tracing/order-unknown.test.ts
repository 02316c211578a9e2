import { expect, it } from 'vitest';
import { Dice } from '../../../fixtures/anomaly/dice.ts';
import { seed } from '../../setup/seed.ts';
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

it('is full where what came in is little beside what was there, and where the places are known', async () => {
  for (const payments of [inOneBlock(0.01), inOneBlock(1, [1, 2])]) {
    const { assessment, trace } = await scanWithTrace(payments, 'S');
    expect([assessment.risk_level, assessment.level_basis]).toEqual(['LOW', 'full']);
    expect(trace.reasons).not.toContain('order_unknown');
  }
  const { assessment } = await scanWithTrace(inOneBlock(1, [2, 1]), 'S');
  expect(assessment.risk_level).toMatch(/HIGH|CRITICAL/);
});
