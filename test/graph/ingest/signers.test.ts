import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { changes, type Fact, factOf } from '../../../src/graph/ingest/facts.ts';
import { hear, isJoint, type Words } from '../../../src/graph/ingest/joint-spends.ts';

const SOURCES = ['explorer', 'rpc', ''] as const;
const MOMENTS = 6;
const moment = fc.nat({ max: MOMENTS });
/** What each source says first, and the moment from which on it says the contrary. */
const opinions = fc.array(fc.record({ first: fc.boolean(), turnsAt: moment }), { minLength: 3, maxLength: 3 });
const readings = fc.array(fc.record({ source: fc.nat({ max: 2 }), readAt: moment }), { minLength: 1, maxLength: 9 });

it('who may have signed is what the newest words of all sources say, in any order of readings', () => {
  const property = fc.property(opinions, readings, (minds, all) => {
    const words: Words = {};
    const newest = new Map<number, { readAt: number; joint: boolean }>();
    for (const { source, readAt } of all) {
      const { first, turnsAt } = minds[source]!;
      const joint = readAt < turnsAt ? first : !first;
      hear(words, SOURCES[source]!, [readAt, joint]);
      if (readAt >= (newest.get(source)?.readAt ?? 0)) newest.set(source, { readAt, joint });
    }
    expect(isJoint(words)).toBe([...newest.values()].every(({ joint }) => joint));
  });
  fc.assert(property, { numRuns: 3_000 });
});

it('of two words of one moment the one that saw strangers counts, and a repeated one writes nothing', () => {
  for (const order of [
    [true, false],
    [false, true],
  ]) {
    const words: Words = {};
    for (const joint of order) hear(words, 'rpc', [1, joint]);
    expect(words).toEqual({ rpc: [1, false] });
    hear(words, 'rpc', [2, false]);
    expect(words).toEqual({ rpc: [1, false] });
  }
});

it('a source that sees strangers takes neither the amount nor the right to correct it', () => {
  const transfer = {
    ...({ chain: 'bitcoin', txHash: 'ab', at: 5, from: 'a', to: 'b', asset: 'BTC', kind: 'native' } as const),
    id: 'one',
  };
  const read = (source: string, readAt: number, joint: boolean | null, amount: string) =>
    factOf(createTransfer({ ...transfer, source, readAt, joint, amount }));
  const after = ([first, ...others]: Fact[]) => {
    const held = { ...first! };
    for (const found of others) Object.assign(held, changes(held, found));
    return held;
  };
  const [mine, theirs] = [read('explorer', 1, true, '1'), read('rpc', 2, false, '1')];
  expect(after([mine, theirs])).toMatchObject({ source: 'explorer', read_at: 1, joint: true });
  expect(after([mine, theirs, read('rpc', 3, false, '2')])).toMatchObject({ amount: '1' });
  expect(after([mine, theirs, read('explorer', 3, true, '2')])).toMatchObject({ amount: '2' });
  expect(after([read('explorer', 1, null, '1'), read('rpc', 3, false, '2')])).toMatchObject({
    ...{ amount: '1', joint: false },
  });
});
