import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../src/domain/tracing/carried.ts';
import { carriedOf, fundsFlows } from '../../../src/domain/tracing/funds/flows.ts';
import { fundsRows } from '../../../src/domain/tracing/funds/rows.ts';
import { NOT_READ } from '../../../src/domain/tracing/reading.ts';
import { type Edge, type Run, run } from './in-memory.ts';

const RUNS = 2_000;
const CENT = 0.01;

const pause = () => undefined;
const rowsOf = async (edges: readonly Edge[], options: Run = {}) => {
  const direction = options.direction ?? 'sent';
  return fundsRows(run(edges, { ...options, direction }), { direction, pause });
};
const short = async (edges: readonly Edge[], options?: Run) =>
  (await rowsOf(edges, options)).rows.map(({ kind, address, usd, hops }) => `${kind} ${address}: ${usd} at ${hops}`);

const name = fc.constantFrom('S', 'T', 'a', 'b', 'c', 'd', 'vault', 'CEX', 'MIX');
const edges: fc.Arbitrary<Edge[]> = fc.array(
  fc
    .tuple(fc.nat(12), name, name, fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('USDC', 'ETH'))
    .map(([at, from, to, cents, symbol]): Edge => [at, from, to, cents / 97, { symbol, amount: String(cents / 8) }]),
  { minLength: 4, maxLength: 24 },
);
const directions = fc.constantFrom<Direction>('sent', 'received');

describe('the account of the money', () => {
  it('has a row for each end, with what is there and the way of the money', async () => {
    const paid: Edge[] = [
      [1, 'S', 'a', 100, { symbol: 'ETH', amount: '10.000000000000000001' }],
      [2, 'a', 'CEX', 40, { symbol: 'ETH', amount: '4' }],
      [3, 'S', 'b', 30, { symbol: 'USDC', amount: '30.5' }],
      [4, 'S', 'c', 7],
      [5, 'c', 'S', 7],
      [6, 'S', 'CEX', 5],
    ];
    const { totalUsd, rows } = await rowsOf(paid, { readings: { b: NOT_READ } });
    expect(totalUsd).toBe(142);
    expect(
      rows.map(({ kind, address, usd, assets, hops, transfers, path }) => [
        `${kind} ${address}: ${usd} at ${hops}`,
        assets,
        transfers,
        path.map(({ tx_hash }) => tx_hash),
      ]),
    ).toEqual([
      ['held a: 60 at 1', { ETH: '6' }, 1, ['tx0']],
      ['party CEX: 45 at 1', { ETH: '4', USDC: '5' }, 2, ['tx5']],
      ['not_read b: 30 at 1', { USDC: '30.5' }, 1, ['tx2']],
      ['own_money S: 7 at 2', { USDC: '7' }, 1, ['tx3', 'tx4']],
    ]);
  });

  it('takes several subjects as one party: what moves among them is internal', async () => {
    const paid: Edge[] = [
      [1, 'S', 'T', 100],
      [2, 'T', 'a', 90],
      [3, 'a', 'CEX', 60],
      [4, 'a', 'S', 30],
      [5, 'S', 'MIX', 10],
    ];
    expect(await short(paid, { subject: ['S', 'T'] })).toEqual([
      'party CEX: 60 at 2',
      'own_money S: 30 at 2',
      'party MIX: 10 at 1',
    ]);
    expect(await short(paid, { subject: ['S', 'T'], direction: 'received' })).toEqual(['own_money T: 30 at 2']);
  });

  it('sums what is beyond 200 rows by kind and category, and still adds up', async () => {
    const paid = Array.from({ length: 700 }, (_, i): Edge => [i, 'S', i % 3 ? `w${i}` : `CEX${i}`, 1000 / (i + 7)]);
    const { totalUsd, rows } = await rowsOf(paid, { limit: 1_000 });
    const summed = rows.filter(({ address }) => address === null);
    expect(summed.map(({ kind }) => kind).sort()).toEqual(['held', 'party']);
    expect(summed.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    expect(rows).toHaveLength(202);
    expect(rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0)).toBe(Math.round(totalUsd * 1e6));
  });

  it('adds up to the total on random graphs, and its flows conserve', async () => {
    let passed = 0;
    const property = fc.asyncProperty(edges, directions, fc.boolean(), async (drawn, direction, isSet) => {
      const subject = isSet ? ['S', 'T'] : ['S'];
      const trace = run(drawn, { direction, subject, hopsMax: 4 });
      const { totalUsd, rows } = await fundsRows(trace, { direction, pause });
      expect(rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0)).toBe(Math.round(totalUsd * 1e6));
      expect(totalUsd).toBeCloseTo(trace.totalUsd, 6);
      for (const { usd, assets } of rows) {
        expect(usd).toBeGreaterThanOrEqual(0);
        for (const amount of Object.values(assets)) expect(Number(amount)).toBeGreaterThan(0);
      }
      const summed = await fundsRows(trace, { direction, pause, rowsMax: 0 });
      expect(summed.rows.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
      expect(summed.rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0)).toBe(Math.round(totalUsd * 1e6));
      for (const { kind, category, usd, assets } of summed.rows) {
        const same = rows.filter((row) => row.kind === kind && row.category === category);
        expect(usd).toBeCloseTo(
          same.reduce((sum, row) => sum + row.usd, 0),
          4,
        );
        for (const [asset, amount] of Object.entries(assets)) {
          const quantity = same.reduce((sum, row) => sum + Number(row.assets[asset] ?? 0), 0);
          expect(Number(amount)).toBeCloseTo(quantity, 6);
        }
      }
      const ended = new Map<string, number>();
      for (const { address, usd } of rows) ended.set(address as string, (ended.get(address as string) ?? 0) + usd);
      const { flows } = await fundsFlows(trace, pause);
      const [near, far] = direction === 'sent' ? (['from', 'to'] as const) : (['to', 'from'] as const);
      const sum = (side: 'from' | 'to', address: string) =>
        flows.reduce((total, flow) => total + (flow[side] === address ? flow.usd : 0), 0);
      expect(subject.reduce((total, one) => total + sum(near, one), 0)).toBeCloseTo(totalUsd, 2);
      for (const address of new Set(flows.map((flow) => flow[far]))) {
        const onward = subject.includes(address) ? 0 : sum(near, address);
        expect(Math.abs(sum(far, address) - onward - (ended.get(address) ?? 0))).toBeLessThan(CENT);
        if (onward > 0) passed += 1;
      }
      expect([...carriedOf(trace)].every(({ usd }) => usd > 0)).toBe(true);
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(passed).toBeGreaterThan(RUNS / 10);
  });
});
