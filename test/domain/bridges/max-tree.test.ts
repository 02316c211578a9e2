import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY, maxTree } from '../../../src/domain/bridges/max-tree.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('finds the same place as looking at each, whatever was set before', () => {
  console.log(`seed ${seed} (SEED=${seed} repeats it)`);
  const step = fc.record({
    place: fc.nat(20),
    value: fc.constantFrom(EMPTY, 0n, 1n, 2n, 3n),
    wanted: fc.constantFrom(0n, 1n, 3n),
    start: fc.nat(40),
  });
  const property = fc.property(fc.integer({ min: 1, max: 21 }), fc.array(step), (places, steps) => {
    const tree = maxTree(places);
    const values = new Array<bigint>(places).fill(EMPTY);
    for (const { place, value, wanted, start } of steps) {
      if (place < places) tree.set(place, value);
      if (place < places) values[place] = value;
      const found = values.findIndex((held, at) => at >= start && held >= wanted);
      expect(tree.firstAtLeast(wanted, start)).toBe(found === -1 ? null : found);
    }
  });
  fc.assert(property, { seed, numRuns: 500 });
});
