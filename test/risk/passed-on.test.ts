import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { passedOn } from '../../src/risk/typologies/pass-through.ts';
import { seed } from '../setup/seed.ts';

type Moved = ['in' | 'out', at: number, usd: number];

const RULE = { windowMs: 10, passedShare: 0.9, reserveShareMax: 0.1 };

/** What is passed on of each receipt that counts, by its moment. */
function episodes(...moved: Moved[]): Record<number, number> {
  const found = passedOn(
    moved.map(([way, at, usd]) => ({ way, at, usd })),
    ({ way }) => way === 'in',
    RULE,
  );
  return Object.fromEntries(found.map(({ receipt, passedUsd }) => [receipt.at, passedUsd]));
}

describe('a receipt was passed on', () => {
  it('when the rule’s share of it went out within the window, to whomever', () => {
    expect(episodes(['in', 0, 100], ['out', 5, 50], ['out', 10, 40])).toEqual({ 0: 90 });
    expect(episodes(['in', 0, 100], ['out', 5, 50], ['out', 10, 39.99])).toEqual({});
    expect(episodes(['in', 0, 100], ['out', 5, 50], ['out', 11, 40])).toEqual({});
  });

  it('however often a tenth was kept before, whether the receipts overlap or not', () => {
    const dice = new Dice(seed);
    for (const gap of [1, 4, 30]) {
      const moved = Array.from({ length: 40 }, (_, i): Moved[] => {
        const usd = 100 + 900 * dice.share();
        return [
          ['in', i * gap, usd],
          ['out', i * gap + 3 * dice.share(), usd * (0.9 + 0.1 * dice.share())],
        ];
      }).flat();
      expect(Object.keys(episodes(...moved.sort((a, b) => a[1] - b[1])))).toHaveLength(40);
    }
  });

  it('when several went out together, each short of a tenth', () => {
    expect(episodes(['in', 0, 100], ['in', 1, 100], ['in', 2, 100], ['out', 5, 270])).toEqual({ 0: 90, 1: 90, 2: 90 });
  });

  it('not when the payer held a reserve of his own, even if he emptied all of it with the same payment', () => {
    expect(episodes(['in', 0, 11], ['in', 20, 100], ['out', 25, 100])).toEqual({ 20: 100 });
    expect(episodes(['in', 0, 12], ['in', 20, 100], ['out', 25, 100])).toEqual({});
    expect(episodes(['in', 0, 50], ['in', 20, 100], ['out', 25, 150])).toEqual({});
  });

  it('once the reserve was spent', () => {
    expect(episodes(['in', 0, 50], ['out', 15, 45], ['in', 20, 100], ['out', 25, 95])).toEqual({ 20: 95 });
  });

  it('by what came within the window, not by older money', () => {
    expect(episodes(['in', 0, 100], ['in', 9, 100], ['out', 12, 100])).toEqual({});
    expect(episodes(['out', 0, 100], ['in', 1, 100])).toEqual({});
  });
});
