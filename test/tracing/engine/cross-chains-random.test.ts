import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Crossing, FOLLOW_MATCHED } from '../../../src/domain/bridges/crossing.ts';
import type { Direction, FlowPortion } from '../../../src/domain/tracing/flow-portion.ts';
import type { Trace } from '../../../src/tracing/engine/walk/findings.ts';
import { crossing } from './crossings.ts';
import { type Edge, run } from './in-memory.ts';

const RUNS = 700;
const ROUNDING = 1e-9;
const CHAINS = ['ethereum', 'arbitrum'];

interface World {
  edges: Edge[];
  crossings: Crossing[];
}

const party = fc.constantFrom('S', 'a', 'a', 'b', 'b', 'c', 'CEX', 'pool', 'pool');
const edge = fc.record({
  at: fc.nat(12),
  chain: fc.nat(1),
  from: party,
  to: party,
  usd: fc.integer({ min: 1, max: 40 }),
});
const bridged = fc.record({
  at: fc.nat(10),
  delay: fc.nat(3),
  chain: fc.nat(1),
  sender: fc.constantFrom('S', 'a', 'b', 'c'),
  recipient: fc.constantFrom('S', 'a', 'b', 'c', 'CEX'),
  out: fc.integer({ min: 2, max: 40 }),
  fee: fc.nat(1),
  isLikely: fc.boolean(),
  isListed: fc.boolean(),
});
/** Few addresses on two chains, whose pools also pay and are paid without any crossing. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    drawn: fc.array(edge, { minLength: 6, maxLength: 16 }),
    links: fc.array(bridged, { minLength: 1, maxLength: 6 }),
  })
  .map(({ drawn, links }) => {
    const edges: Edge[] = [];
    const add = (at: number, [chain, from, to]: [number, string, string], usd: number) => {
      const place = edges.length;
      const more = { amount: String(usd / 8), txHash: `tx${place}`, index: 'log:1' };
      edges.push([at, `${CHAINS[chain]}:${from}`, `${CHAINS[chain]}:${to}`, usd, more]);
      return place;
    };
    for (const { at, chain, from, to, usd } of drawn) add(at, [chain, from, to], usd);
    const crossings = links.map(({ at, delay, chain, sender, recipient, out, fee, ...link }, i) => {
      const explains = [
        add(at, [chain, sender, 'pool'], out),
        add(at + delay, [1 - chain, 'pool', recipient], out - fee),
      ];
      // A source that does not list coins holds neither transfer.
      const side = (name: string, n: number, usd: number) => ({
        party: name,
        at: n === 0 ? at : at + delay,
        amount: String(usd / 8),
        explains: link.isListed ? [explains[n] as number] : [],
      });
      const sides = {
        out: side(`${CHAINS[chain]}:${sender}`, 0, out),
        arrived: side(`${CHAINS[1 - chain]}:${recipient}`, 1, out - fee),
      };
      return crossing(String(i), { ...sides, match: link.isLikely ? 'likely' : 'id' });
    });
    return { edges, crossings };
  });

function carriedIn({ passes, parties }: Trace): Set<FlowPortion> {
  return new Set([
    ...passes.flat().flatMap(({ arrived, gone }) => (gone ? [gone] : arrived)),
    ...parties.flatMap(({ arrivals }) => arrivals),
  ]);
}

it.each<Direction>(['received', 'sent'])(
  'over bridges no quantity is created and no money is lost, %s',
  (direction) => {
    let crossed = 0;
    fc.assert(
      fc.property(worlds, fc.constantFrom(...CHAINS), fc.boolean(), ({ edges, crossings }, chain, likely) => {
        const policy = { ...FOLLOW_MATCHED, followsLikely: () => likely };
        const traced = run(edges, { subject: `${chain}:S`, direction, crossings, policy, hopsMax: 8 });
        const sums = [...traced.parties.map(({ usd }) => usd), ...traced.unattributed.values()];
        expect(sums.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(traced.totalUsd, 6);
        const parts = new Map<string, number>();
        for (const { transfer, fraction } of carriedIn(traced)) {
          parts.set(transfer.id, (parts.get(transfer.id) ?? 0) + fraction);
          if (transfer.bridge?.end === null) crossed += 1;
        }
        for (const part of parts.values()) expect(part).toBeLessThanOrEqual(1 + ROUNDING);
      }),
      { numRuns: RUNS },
    );
    expect(crossed).toBeGreaterThan(RUNS / 100);
  },
);
