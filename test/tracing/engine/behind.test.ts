import { expect, it } from 'vitest';
import { behindOf } from '../../../src/tracing/engine/net-in-transaction.ts';
import { type Edge, keyOf, transfersOf } from './in-memory.ts';

/** Who stands behind `r`, which paid the vault, or was paid by it, with the last of these transfers. */
function behind(...edges: Edge[]): string | null {
  const together = transfersOf(edges);
  return behindOf(keyOf('r'), together.at(-1)!, together);
}

it('names who gave what a router pays on, and who gets what it is paid', () => {
  expect(behind([1, 'a', 'r', 100], [1, 'r', 'vault', 98])).toBe(keyOf('a'));
  expect(behind([1, 'r', 'a', 98], [1, 'vault', 'r', 100])).toBe(keyOf('a'));
  // What it is given back, and grains of others, name nobody.
  expect(behind([1, 'a', 'r', 100], [1, 'r', 'a', 10], [1, 'b', 'r', 1], [1, 'r', 'vault', 91])).toBe(keyOf('a'));
});

it('names who gave what a router exchanges, and leaves out shares without a price', () => {
  const coin = { symbol: 'ETH', amount: '1' };
  const shares = { symbol: 'SHARE', amount: '70000' };
  const legs: Edge[] = [
    [1, 'a', 'r', 100, coin],
    [1, 'r', 'pool', 100, coin],
    [1, 'pool', 'r', 100],
    [1, 'mint', 'r', null, shares],
    [1, 'r', 'a', null, shares],
  ];
  expect(behind(...legs, [1, 'r', 'vault', 100])).toBe(keyOf('a'));
});

it('names by quantity where there is no price', () => {
  const own = { symbol: 'TOK', amount: '7' };
  expect(behind([1, 'a', 'r', null, own], [1, 'b', 'r', 100], [1, 'r', 'vault', null, own])).toBe(keyOf('a'));
});

it('names nobody behind who pays of its own, keeps a part, or is given by several', () => {
  expect(behind([1, 'r', 'vault', 100])).toBeNull();
  expect(behind([1, 'a', 'r', 60], [1, 'r', 'vault', 100])).toBeNull();
  expect(behind([1, 'a', 'r', 150], [1, 'r', 'vault', 100])).toBeNull();
  expect(behind([1, 'a', 'r', 50], [1, 'b', 'r', 50], [1, 'r', 'vault', 100])).toBeNull();
});
