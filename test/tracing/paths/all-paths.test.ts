import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Graph } from '../../../src/graph/port.ts';
import { findFlowPath } from '../../../src/tracing/answers/paths/find-flow-path.ts';
import { engineCases } from '../../graph/engine-cases.ts';
import { ENGINES } from '../../graph/engines.ts';
import { type Payment, pay, tracing } from '../money.ts';

const runs = { grafeo: 200, neo4j: 6 };

const NAMES = ['A', 'Z', 'a', 'b', 'c', 'd', 'e', 'CEX'];
const MORE_THAN_EXIST = 50;

const payment = fc
  .record({
    at: fc.integer({ min: 1, max: 9 }),
    from: fc.constantFrom(...NAMES),
    to: fc.constantFrom(...NAMES),
    usd: fc.integer({ min: 1, max: 9 }),
  })
  .filter(({ from, to }) => from !== to)
  .map(({ at, from, to, usd }): Payment => [at, from, to, usd]);

const QUESTION = fc.record({
  payments: fc.array(payment, { minLength: 8, maxLength: 20, size: 'max' }),
  maxHops: fc.integer({ min: 1, max: 4 }),
  minUsd: fc.constantFrom(0, 4),
  timeOrdered: fc.boolean(),
  throughServices: fc.boolean(),
});
type Question = typeof QUESTION extends fc.Arbitrary<infer T> ? T : never;

/** Every way from A to Z, by trying all transfers one after the other. */
function allWays({ payments, minUsd, timeOrdered, throughServices }: Omit<Question, 'maxHops'>): string[] {
  const found = new Set<string>();
  const walk = (way: string[], arrivedAt: number) => {
    const last = way.at(-1)!;
    if (last === 'Z') found.add(way.join('>'));
    else if (throughServices || last !== 'CEX') {
      for (const [at, from, to, usd] of payments) {
        if (from !== last || way.includes(to) || (usd ?? 0) < minUsd || (timeOrdered && at < arrivedAt)) continue;
        walk([...way, to], at);
      }
    }
  };
  walk(['A'], 0);
  return [...found];
}

describe.each(Object.entries(ENGINES))('the search from both ends on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  test('finds what trying all transfers finds, and says so where there are only longer ways', async (reset) => {
    await fc.assert(
      fc.asyncProperty(QUESTION, async ({ payments, maxHops, ...how }) => {
        await reset();
        await pay(graph, payments);
        const bounds = { maxHops, maxPaths: MORE_THAN_EXIST };
        const request = { ...how, ...bounds, chain: 'ethereum', from: 'A', to: 'Z' } as const;
        const { paths, searched } = await findFlowPath(tracing(graph), request);
        const all = allWays({ payments, ...how });
        const isLonger = (way: string) => way.split('>').length - 1 > maxHops;
        const found = paths.map(({ hops }) => [...hops.map(({ from }) => from), 'Z'].join('>'));
        expect(found.toSorted()).toEqual(all.filter((way) => !isLonger(way)).toSorted());
        if (found.length === 0 && all.some(isLonger)) expect(searched.reasons).toContain('max_hops');
      }),
      { numRuns: runs[name as keyof typeof runs] },
    );
  }, 300_000);
});
