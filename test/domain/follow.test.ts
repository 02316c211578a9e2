import { expect, it } from 'vitest';
import { type FollowedPair, type FollowOptions, follow } from '../../src/tracing/engine/follow.ts';

type Edge = [near: string, far: string, usd: number, at?: number, category?: FollowedPair['category']];

/** Walks a small graph; the addresses reached with hop and value, and those that were opened. */
async function walk(edges: Edge[], options: Partial<FollowOptions> = {}) {
  const opened: string[] = [];
  const defaults: FollowOptions = { direction: 'sent', depth: 3, breadth: 10, hubPairs: 5 };
  const reached = await follow('A', { ...defaults, ...options }, async (asked) => {
    opened.push(...asked);
    return edges
      .filter(([near]) => asked.includes(near))
      .map(([near, far, usd, at = 0, category = null]) => ({ near, far, usd, firstAt: at, lastAt: at, category }));
  });
  return {
    reached: reached.map(({ address, hop, usd }) => `${address} ${hop} ${usd}`),
    opened,
    ways: reached.map(({ way }) => way.join('>')),
  };
}

it('reaches each address once, by its shortest way, of several the one that carries most', async () => {
  const { reached, ways } = await walk([
    ['A', 'B', 100],
    ['A', 'C', 10],
    ['B', 'D', 40],
    ['C', 'D', 90],
    ['D', 'A', 5],
    ['D', 'B', 5],
  ]);
  expect(reached).toEqual(['B 1 100', 'C 1 10', 'D 2 40']);
  expect(ways).toEqual(['A>B', 'A>C', 'A>B>D']);
});

it('goes no further than its depth, nor behind services and hubs', async () => {
  const chain: Edge[] = [
    ['A', 'B', 9],
    ['B', 'C', 9],
    ['C', 'D', 9],
    ['D', 'E', 9],
  ];
  expect((await walk(chain, { depth: 2 })).reached).toEqual(['B 1 9', 'C 2 9']);
  expect(
    (
      await walk([
        ['A', 'X', 9, 0, 'exchange'],
        ['X', 'Y', 9],
      ])
    ).opened,
  ).toEqual(['A']);
  const hub: Edge[] = [['A', 'H', 9], ...['a', 'b', 'c', 'd', 'e'].map((far): Edge => ['H', far, 1])];
  expect((await walk(hub)).reached).toEqual(['H 1 9']);
  expect((await walk(hub, { hubPairs: 6 })).reached).toHaveLength(6);
});

it('follows the subject itself however many it deals with, the widest first', async () => {
  const edges: Edge[] = Array.from({ length: 20 }, (_, i) => ['A', `B${i}`, i + 1]);
  const { reached, opened } = await walk(edges, { breadth: 3 });
  expect(reached).toHaveLength(20);
  expect(opened).toEqual(['A', 'B19', 'B18', 'B17']);
});

it('follows money in the order of time', async () => {
  expect(
    (
      await walk([
        ['A', 'B', 9, 100],
        ['B', 'C', 9, 99],
        ['B', 'D', 9, 100],
      ])
    ).reached,
  ).toEqual(['B 1 9', 'D 2 9']);
  const back: Edge[] = [
    ['A', 'B', 9, 100],
    ['B', 'C', 9, 101],
    ['B', 'D', 9, 100],
  ];
  expect((await walk(back, { direction: 'received' })).reached).toEqual(['B 1 9', 'D 2 9']);
});
