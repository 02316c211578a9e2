import bundled from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { arrangedPlaces, layoutGraph } from '../../../console/scene/arrange.ts';
import { changeNodes, moveTo } from '../../../console/scene/edits.ts';
import { lanesIn } from '../../../console/scene/lanes.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';
import { NODE_HEIGHT, NODE_WIDTH, shownOf } from '../../../src/domain/scene/shown.ts';
import { flowOf, key, moved, nodeIn, sceneOf } from './scenes.ts';

/** The type says that a default export lies in the default export. */
const ELK = bundled as unknown as typeof bundled.default;

const arranged = async (scene: Scene) => {
  const laidOut = await new ELK().layout(layoutGraph(shownOf(scene), scene.subject));
  return moveTo(arrangedPlaces(scene, laidOut))(scene);
};
const chain = (names: string[]) =>
  names.slice(1).map((to, i) => flowOf(names[i] as string, to, [moved(i + 1, 100 - i)]));

describe('an arranged scene', () => {
  it('has a straight way straight, from left to right, and its subject where it was', async () => {
    const scene = await arranged(sceneOf('a', chain(['a', 'b', 'c', 'd', 'e'])));
    const places = ['a', 'b', 'c', 'd', 'e'].map((name) => nodeIn(scene, name));
    expect(new Set(places.map(({ y }) => y)).size).toBe(1);
    expect(places.map(({ x }) => x)).toEqual(places.map(({ x }) => x).toSorted((a, b) => a - b));
    expect(places[0]).toMatchObject({ x: 0, y: 0 });
  });

  it('overlaps no two nodes, and leaves pinned ones where they are', async () => {
    const fan = Array.from({ length: 18 }, (_, n) => flowOf('a', `p${n}`, [moved(1, n + 1)]));
    const back = [flowOf('p3', 'a', [moved(2, 1)]), flowOf('p4', 'q', [moved(2, 1)]), flowOf('p5', 'q', [moved(2, 1)])];
    const start = moveTo(new Map([[key('q'), { x: 5_000, y: 5_000 }]]))(sceneOf('a', [...fan, ...back]));
    const scene = await arranged(changeNodes([key('q')], { pinned: true })(start));
    expect(nodeIn(scene, 'q')).toMatchObject({ x: 5_000, y: 5_000 });
    const { nodes } = scene;
    const overlaps = nodes.flatMap((one, i) =>
      nodes
        .slice(i + 1)
        .filter((two) => Math.abs(one.x - two.x) < NODE_WIDTH && Math.abs(one.y - two.y) < NODE_HEIGHT)
        .map((two) => `${one.key} ${two.key}`),
    );
    expect(overlaps).toEqual([]);
  });
});

describe('a picture that is arranged for a window', () => {
  const room = { width: 1_000, height: 700 };
  const fitsOf = async (scene: Scene) => {
    const laidOut = await new ELK().layout(layoutGraph(shownOf(scene), scene.subject));
    const places = [...arrangedPlaces(scene, laidOut, room).values()];
    const span = (of: number[], size: number) => Math.max(...of) - Math.min(...of) + size;
    const width = span(
      places.map(({ x }) => x),
      NODE_WIDTH,
    );
    const height = span(
      places.map(({ y }) => y),
      NODE_HEIGHT,
    );
    return { places, scale: Math.min(room.width / width, room.height / height) };
  };
  const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
  const overlapping = (places: { x: number; y: number }[]) =>
    places.some((one, i) =>
      places.slice(i + 1).some((two) => Math.abs(one.x - two.x) < NODE_WIDTH && Math.abs(one.y - two.y) < NODE_HEIGHT),
    );

  it('folds a way of thirty wallets as lines of a text, each from left to right', async () => {
    const { places, scale } = await fitsOf(sceneOf('n0', chain(names(30))));
    expect(scale).toBeGreaterThan(0.6);
    expect(overlapping(places)).toBe(false);
    const rows = new Set(places.map(({ y }) => y));
    expect(rows.size).toBeGreaterThan(4);
  });

  it('never folds into one column, in which every arrow would lead back', async () => {
    const scene = sceneOf('a', [flowOf('a', 'b', [moved(1, 9)]), flowOf('a', 'c', [moved(1, 5)])]);
    const laidOut = await new ELK().layout(layoutGraph(shownOf(scene), scene.subject));
    const places = [...arrangedPlaces(scene, laidOut, { width: 300, height: 700 }).values()];
    expect(new Set(places.map(({ x }) => x)).size).toBe(2);
  });

  it('sets each chain in a lane below that from which the money came, whatever the width of the window', async () => {
    const over = (from: string, to: string, day: number) => {
      const ends = { id: `${from}>${to}`, from, to };
      return flowOf('', '', [moved(day, 100 - day)], ends);
    };
    const way = ['ethereum:n0', 'ethereum:n1', 'tron:t0', 'tron:t1', 'tron:t2', 'bitcoin:b0'];
    const aside = [
      over('tron:t0', 'tron:x', 9),
      over('ethereum:n0', 'ethereum:y', 9),
      over('bitcoin:b0', 'bitcoin:z', 9),
    ];
    const scene = sceneOf('n0', [...way.slice(1).map((to, i) => over(way[i]!, to, i + 1)), ...aside]);
    const laidOut = await new ELK().layout(layoutGraph(shownOf(scene), scene.subject));
    for (const width of [3_000, 1_000, 390]) {
      const placed = moveTo(arrangedPlaces(scene, laidOut, { width, height: 700 }))(scene);
      expect(overlapping(placed.nodes)).toBe(false);
      expect(lanesIn(shownOf(placed)).map(({ chain }) => chain)).toEqual(['ethereum', 'tron', 'bitcoin']);
    }
    expect(lanesIn(shownOf(scene))).toEqual([]);
    expect(lanesIn(shownOf(sceneOf('n0', chain(names(3)))))).toEqual([]);
  });

  it('sets the partners of a hub in a grid, the largest first, over none of each other', async () => {
    const fan = names(20).map((name, n) => flowOf('a', name, [moved(1, 1_000 - n)]));
    const { places, scale } = await fitsOf(sceneOf('a', fan));
    expect(places).toHaveLength(21);
    expect(scale).toBeGreaterThan(0.6);
    expect(overlapping(places)).toBe(false);
  });
});
