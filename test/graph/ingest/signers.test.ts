import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { changes, type Fact, factOf } from '../../../src/graph/ingest/facts.ts';
import { hear, isJoint } from '../../../src/graph/ingest/joint-spends.ts';

type Words = Parameters<typeof isJoint>[0];

const TRANSFER = {
  ...({ chain: 'bitcoin', txHash: 'ab', at: 5, from: 'a', to: 'b', asset: 'BTC', kind: 'native' } as const),
  id: 'one',
};
const reading = fc.record({
  source: fc.constantFrom('explorer', 'rpc', null),
  readAt: fc.nat({ max: 4 }),
  joint: fc.constantFrom(true, false, null),
  change: fc.constantFrom(true, null),
  amount: fc.constantFrom('1', '2'),
});
type Reading = typeof reading extends fc.Arbitrary<infer T> ? T : never;
const readings = fc.array(reading, { minLength: 1, maxLength: 7 });

/** The fact after these readings, as its transaction has it. */
function after(all: readonly Reading[]): Partial<Fact> {
  const words: Words = {};
  let held: Fact | undefined;
  for (const one of all) {
    const found = factOf(createTransfer({ ...TRANSFER, ...one, readAt: one.source === null ? null : one.readAt }));
    held = held ? { ...held, ...changes(held, found) } : found;
    if (found.joint !== null) hear(words, found.source ?? '', [found.read_at ?? 0, found.joint]);
  }
  const joint = Object.keys(words).length > 0 ? isJoint(words) : null;
  return { ...held, joint, change: joint === false ? null : held!.change };
}

it('who may have signed and got the change is the same in any order of readings, also where their amounts differ', () => {
  const orders = readings.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );
  const property = fc.property(orders, ([all, shuffled]) => {
    const [one, other] = [after(all), after(shuffled)];
    expect([other.joint, other.change]).toEqual([one.joint, one.change]);
    const newest = new Map<string, boolean>();
    // Of one moment the word that saw strangers is the last; a file has no moment.
    for (const { source, joint } of all.toSorted(
      (a, b) => momentOf(a) - momentOf(b) || Number(b.joint) - Number(a.joint),
    )) {
      if (joint !== null) newest.set(source ?? '', joint);
    }
    const joint = newest.size === 0 ? null : [...newest.values()].every(Boolean);
    expect(one.joint).toBe(joint);
    expect(one.change).toBe(joint !== false && all.some(({ change }) => change) ? true : null);
  });
  fc.assert(property, { numRuns: 3_000 });
});

const momentOf = ({ source, readAt }: Reading) => (source === null ? 0 : readAt);

it('a word that is repeated counts with its newest moment, in any order', () => {
  for (const order of [
    [1, 5, -3],
    [1, -3, 5],
    [5, -3, 1],
  ]) {
    const words: Words = {};
    for (const at of order) hear(words, 'rpc', [Math.abs(at), at > 0]);
    expect(words).toEqual({ rpc: [5, true] });
  }
});

it('a source that sees strangers takes neither the amount nor the right to correct it', () => {
  const read = (source: 'explorer' | 'rpc', readAt: number, joint: boolean | null, amount: '1' | '2'): Reading => ({
    ...{ source, readAt, joint, change: null, amount },
  });
  const [mine, theirs] = [read('explorer', 1, true, '1'), read('rpc', 2, false, '1')];
  expect(after([mine, theirs])).toMatchObject({ source: 'explorer', read_at: 1, joint: false });
  expect(after([mine, theirs, read('rpc', 3, false, '2')])).toMatchObject({ amount: '1' });
  expect(after([mine, theirs, read('explorer', 3, true, '2')])).toMatchObject({ amount: '2', joint: false });
  expect(after([read('explorer', 1, null, '1'), read('rpc', 3, false, '2')])).toMatchObject({
    ...{ amount: '1', joint: false },
  });
});
