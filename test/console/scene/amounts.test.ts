import { describe, expect, it } from 'vitest';
import { moveTo } from '../../../console/scene/edits.ts';
import { COLUMN } from '../../../console/scene/place.ts';
import { amountPlaces, amountPoint, arrowEnds } from '../../../src/domain/scene/amounts.ts';
import { NODE_HEIGHT, NODE_WIDTH, shownOf } from '../../../src/domain/scene/shown.ts';
import { flowOf, key, moved, sceneOf } from './scenes.ts';

describe('the amounts of arrows', () => {
  it('lie neither over each other nor over a card', () => {
    // Two arrows leave `a` nearly side by side; the longer one passes below `b`.
    const flows = [flowOf('a', 'b', [moved(1, 90)]), flowOf('a', 'd', [moved(1, 10)]), flowOf('c', 'd', [moved(2, 5)])];
    const places = { a: [0, 0], b: [1, -0.1], c: [1, 0.8], d: [3, 0.4] };
    const scene = moveTo(
      new Map(Object.entries(places).map(([name, [x = 0, y = 0]]) => [key(name), { x: x * COLUMN, y: y * COLUMN }])),
    )(sceneOf('a', flows));
    const shown = shownOf(scene);
    const at = new Map(shown.nodes.map((node) => [node.id, node]));
    const amounts = [...amountPlaces(shown)].map(([id, place]) => {
      const ends = arrowEnds(shown.edges.find((edge) => edge.id === id)!, at)!;
      return { ...amountPoint(ends, place), width: 100, height: 26 };
    });
    const cards = shown.nodes.map(({ x, y }) => ({ x, y, width: NODE_WIDTH, height: NODE_HEIGHT }));
    const overlaps = amounts.flatMap((one, i) =>
      [...amounts.slice(i + 1), ...cards].filter(
        (two) =>
          Math.abs(one.x - two.x) < (one.width + two.width) / 2 &&
          Math.abs(one.y - two.y) < (one.height + two.height) / 2,
      ),
    );
    expect(amounts).toHaveLength(3);
    expect(overlaps).toEqual([]);
  });
});
