import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { type Freeze, whatIf } from '../../src/tracing/answers/funds/what-if.ts';
import { seed } from '../setup/seed.ts';
import { type Payment, pay, tracing } from './money.ts';

async function ask(payments: readonly Payment[], ...freezes: [name: string, at: number][]) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  await pay(graph, payments);
  const frozen = freezes.map(([address, at]): Freeze => ({ chain: 'ethereum', address, at }));
  const {
    total_usd,
    freezes: rows,
    together_usd,
  } = await whatIf(tracing(graph), { chain: 'ethereum', address: 'S', freezes: frozen });
  return { total: total_usd, together: together_usd, rows };
}

/** S sends 100 to fundA and 50 to fundB; both hand on to fundC, which cashes out. */
const SPLIT: Payment[] = [
  [1, 'THIEF', 'S', 150],
  [10, 'S', 'fundA', 100],
  [11, 'S', 'fundB', 50],
  [20, 'fundA', 'fundC', 60],
  [30, 'fundA', 'fundC', 40],
  [40, 'fundB', 'fundC', 50],
  [50, 'fundC', 'CEX', 150],
];

it('keeps what had not left by the moment of the freeze, and nothing once the last of it left', async () => {
  const kept = async (at: number) => (await ask(SPLIT, ['fundA', at])).rows[0];
  expect(await kept(15)).toMatchObject({ reached_usd: 100, kept_usd: 100, keeps_until: '1970-01-01T00:00:00.030Z' });
  expect(await kept(25)).toMatchObject({ kept_usd: 40 });
  expect(await kept(31)).toMatchObject({ kept_usd: 0 });
});

it('keeps what comes after the freeze too, and of several freezes on one way each dollar once', async () => {
  const both = await ask(SPLIT, ['fundA', 15], ['fundC', 15]);
  expect(both.rows.map(({ kept_usd }) => kept_usd)).toEqual([100, 150]);
  expect(both).toMatchObject({ total: 150, together: 150 });
});

it('of the address itself keeps what it had not sent', async () => {
  expect(await ask(SPLIT, ['S', 11])).toMatchObject({ rows: [{ reached_usd: 150, kept_usd: 50 }], together: 50 });
});

it('keeps nothing at an address that the money never met', async () => {
  const [row] = (await ask(SPLIT, ['fundX', 1])).rows;
  expect(row).toMatchObject({ reached_usd: 0, kept_usd: 0, keeps_until: null });
});

it('never keeps more than all the money, nor less together than the best alone, nor more for being later', async () => {
  const payment = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(3), fc.nat(4), fc.integer({ min: 1, max: 50 }));
  const worlds = fc.array(payment, { minLength: 4, maxLength: 14 });
  const [from, to] = [
    ['S', 'fundA', 'fundB', 'fundC'],
    ['fundA', 'fundB', 'fundC', 'CEX', 'S'],
  ] as const;
  const property = fc.asyncProperty(worlds, fc.integer({ min: 1, max: 50 }), async (drawn, at) => {
    const payments = drawn.map(([when, a, b, usd]): Payment => [when, from[a]!, to[b]!, usd]);
    const moved = payments.filter(([, a, b]) => a !== b);
    const { total, together, rows } = await ask(moved, ['fundA', at], ['fundB', at]);
    const alone = rows.map(({ kept_usd }) => kept_usd as number);
    expect(together).toBeLessThanOrEqual(total + 0.01);
    expect(together).toBeGreaterThanOrEqual(Math.max(...alone) - 0.01);
    const later = (await ask(moved, ['fundA', at + 10])).rows[0]!.kept_usd;
    expect(later).toBeLessThanOrEqual(alone[0]! + 0.01);
  });
  await fc.assert(property, { seed, numRuns: 40 });
});
