import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { changes, type Fact, factOf } from '../../../src/graph/ingest/facts.ts';

const TRANSFER = {
  ...({ chain: 'bitcoin', txHash: 'ab', at: 5, from: 'a', to: 'b', asset: 'BTC', kind: 'native' } as const),
  id: 'one',
};
const reading = fc.record({
  source: fc.constantFrom('explorer', 'rpc', null),
  readAt: fc.nat({ max: 4 }),
  joint: fc.constantFrom(true, false, null),
  amount: fc.constantFrom('1', '2'),
});
type Reading = typeof reading extends fc.Arbitrary<infer T> ? T : never;
const readings = fc.array(reading, { minLength: 1, maxLength: 7 });

/** The fact after these readings. */
function after(all: readonly Reading[]): Fact {
  const facts = all.map((one) =>
    factOf(
      createTransfer({
        ...TRANSFER,
        ...one,
        readAt: one.source === null ? null : one.readAt,
        change: one.joint || null,
      }),
    ),
  );
  const held = { ...facts[0]! };
  for (const found of facts.slice(1)) Object.assign(held, changes(held, found));
  return held;
}

it('who may have signed is the same in any order of readings, also where their amounts differ', () => {
  const orders = readings.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );
  const property = fc.property(orders, ([all, shuffled]) => {
    const [one, other] = [after(all), after(shuffled)];
    expect([other.joint, other.change]).toEqual([one.joint, one.change]);
    const newest = new Map<string | null, (typeof all)[number]>();
    for (const word of all.toSorted((a, b) => a.readAt - b.readAt || Number(b.joint) - Number(a.joint))) {
      if (word.joint !== null) newest.set(word.source, word.source === null ? { ...word, readAt: 0 } : word);
    }
    const ofFiles = all.filter(({ source, joint }) => source === null && joint !== null);
    const words = [...newest].flatMap(([source, { joint }]) => (source === null ? [] : [joint]));
    const every = [...words, ...ofFiles.map(({ joint }) => joint)];
    expect(one.joint).toBe(every.length === 0 ? null : every.every(Boolean));
  });
  fc.assert(property, { numRuns: 3_000 });
});

it('a source that sees strangers takes neither the amount nor the right to correct it', () => {
  const [mine, theirs]: [Reading, Reading] = [
    { source: 'explorer', readAt: 1, joint: true, amount: '1' },
    { source: 'rpc', readAt: 2, joint: false, amount: '1' },
  ];
  expect(after([mine, theirs])).toMatchObject({ source: 'explorer', read_at: 1, joint: false });
  expect(after([mine, theirs, { ...theirs, readAt: 3, amount: '2' }])).toMatchObject({ amount: '1' });
  expect(after([mine, theirs, { ...mine, readAt: 3, amount: '2' }])).toMatchObject({ amount: '2', joint: false });
});
