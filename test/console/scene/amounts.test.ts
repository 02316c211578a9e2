import { describe, expect, it } from 'vitest';
import { moveTo } from '../../../console/scene/edits.ts';
import { COLUMN } from '../../../console/scene/place.ts';
import { amountPlaces, amountPoint } from '../../../src/domain/scene/amounts.ts';
import { arrowsOf, besideLine, pointBeside } from '../../../src/domain/scene/arrows.ts';
import { NODE_HEIGHT, NODE_WIDTH, shownOf } from '../../../src/domain/scene/shown.ts';
import { flowOf, key, moved, sceneOf } from './scenes.ts';

const shownAt = (places: Record<string, number[]>, flows: ReturnType<typeof flowOf>[]) => {
  const points = Object.entries(places).map(([name, [x = 0, y = 0]]): [string, { x: number; y: number }] => [
    key(name),
    { x: x * COLUMN, y: y * COLUMN },
  ]);
  return shownOf(moveTo(new Map(points))(sceneOf('a', flows)));
};

describe('the lines of arrows', () => {
  it('go around the cards between their ends, and are straight where none lies in the way', () => {
    const flows = [flowOf('a', 'b', [moved(1, 5)]), flowOf('b', 'c', [moved(2, 5)]), flowOf('a', 'c', [moved(3, 5)])];
    const shown = shownAt({ a: [0, 0], b: [1, 0], c: [2, 0] }, flows);
    const lines = shown.edges.map(({ id, from, to }) => ({ from, to, ...arrowsOf(shown).get(id)! }));
    const [long] = lines.filter(({ from, to }) => from === key('a') && to === key('c'));
    expect(lines.filter(({ points }) => points.length === 2)).toHaveLength(2);
    expect(long?.points).toHaveLength(4);
    const card = shown.nodes.find(({ id }) => id === key('b'))!;
    for (const { x, y } of long!.points.slice(1, -1)) {
      expect(Math.abs(y - card.y)).toBeGreaterThan(NODE_HEIGHT / 2);
      expect(Math.abs(x - card.x)).toBeGreaterThan(NODE_WIDTH / 2);
    }
  });

  it('go around a column that leaves no row free', () => {
    const names = Array.from({ length: 9 }, (_, n) => `b${n}`);
    const flows = [flowOf('a', 'c', [moved(1, 5)]), ...names.map((name, n) => flowOf('a', name, [moved(n + 2, 5)]))];
    const column = Object.fromEntries(names.map((name, n) => [name, [1, (n - 4) * 0.05]]));
    const shown = shownAt({ a: [0, 0], c: [2, 0], ...column }, flows);
    const way = shown.edges.find(({ to }) => to === key('c'))!;
    const { points } = arrowsOf(shown).get(way.id)!;
    expect(points).toHaveLength(4);
    expect(Math.abs(points[1].y)).toBeGreaterThan(4 * 0.05 * COLUMN + NODE_HEIGHT / 2);
  });
});

it('an amount that stands near one end of a bent line keeps its place on it when a card is dragged', () => {
  const [start, end, bend, amount] = [
    { x: 0, y: 0 },
    { x: 400, y: 0 },
    { x: 100, y: -80 },
    { x: 150, y: -80 },
  ];
  const amountOnLine = besideLine(start, end, amount);
  expect(pointBeside(start, end, amountOnLine)).toEqual(amount);
  // Turned by a right angle, as is all that lies beside the line.
  const moved = pointBeside(start, { x: 0, y: 400 }, amountOnLine);
  const movedBend = pointBeside(start, { x: 0, y: 400 }, besideLine(start, end, bend));
  expect([moved, movedBend]).toEqual([
    { x: 80, y: 150 },
    { x: 80, y: 100 },
  ]);
});

describe('lines that lead back', () => {
  it.each([3, 4, 20])('lie apart where %i share a row or the room beside a column', (count) => {
    const pairs = Array.from({ length: count }, (_, n) => [`a${n + 1}`, `b${n + 1}`] as const);
    const places = Object.fromEntries(
      pairs.flatMap(([a, b], n) => [[a, [2, n * 0.21]] as const, [b, [0, 1 + n * 0.21]] as const]),
    );
    const flows = pairs.map(([a, b], n) => flowOf(a, b, [moved(n + 1, 5)]));
    const shown = shownAt({ a: [2, -0.5], ...places }, [...flows, flowOf('a', 'b1', [moved(9, 5)])]);
    const legs = [...arrowsOf(shown).values()].flatMap(({ points }, arrow) =>
      points.slice(1).map((to, i) => ({ arrow, from: points[i]!, to })),
    );
    const share = (a: (typeof legs)[number], b: (typeof legs)[number]) =>
      (['x', 'y'] as const).some((across) => {
        const along = across === 'x' ? 'y' : 'x';
        const isOneLine = [a.to, b.from, b.to].every((point) => Math.abs(point[across] - a.from[across]) < 2);
        const [first, last] = [a, b].map(({ from, to }) => [from[along], to[along]].sort((m, n) => m - n)) as [
          number[],
          number[],
        ];
        return isOneLine && Math.min(first[1]!, last[1]!) - Math.max(first[0]!, last[0]!) > 1;
      });
    const isLong = ({ from, to }: (typeof legs)[number]) => Math.hypot(to.x - from.x, to.y - from.y) > 30;
    const both = legs
      .filter(isLong)
      .flatMap((a, i, all) => all.slice(i + 1).filter((b) => b.arrow !== a.arrow && share(a, b)));
    expect(both).toEqual([]);
    expect(legs.length).toBeGreaterThan(10);
  });

  it('have a gap between the widest of them where cards leave room for it', () => {
    const flows = [flowOf('a', 'b', [moved(1, 90)]), flowOf('a', 'c', [moved(2, 90)])];
    const shown = shownAt({ a: [2, 0], b: [0, 2], c: [0, 2.3] }, flows);
    const [one, other] = [...arrowsOf(shown).values()].map(({ points }) => points);
    // The widest have six units.
    for (const way of ['x', 'y'] as const) expect(Math.abs(one![2]![way] - other![2]![way])).toBeGreaterThan(6);
    expect(Math.abs(one![3]!.x - other![3]!.x)).toBeGreaterThan(6);
  });
});

describe('the amounts of arrows', () => {
  it('lie neither over each other nor over a card', () => {
    // Two arrows leave `a` nearly side by side; the longer one passes below `b`.
    const flows = [flowOf('a', 'b', [moved(1, 90)]), flowOf('a', 'd', [moved(1, 10)]), flowOf('c', 'd', [moved(2, 5)])];
    const places = { a: [0, 0], b: [1, -0.1], c: [1, 0.8], d: [3, 0.4] };
    const shown = shownAt(places, flows);
    const arrows = arrowsOf(shown);
    const amounts = [...amountPlaces(shown)].map(([id, place]) => ({
      ...amountPoint(arrows.get(id)!, place),
      width: 100,
      height: 26,
    }));
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

  it('have their place where a crossing could stand elsewhere, and marks of crossings without room lie over no card', () => {
    const arrival = { chain: 'ethereum' as const, address: 'x', tx_hash: '0x', at: '', asset: 'USDC', amount: '1' };
    const protocol = { crossing_id: 'c', protocol: 'across', message_id: '1', match: 'id' as const, ambiguous: false };
    const crossing = (from: string, to: string, usd: number) =>
      flowOf(from, to, [moved(usd, 5)], { bridge: { ...protocol, arrival } });
    for (const rows of [2, 10]) {
      // Three lanes of two columns, below each other, with crossings from the second column to the first one of the next lane.
      const places: Record<string, number[]> = {};
      const flows: ReturnType<typeof flowOf>[] = [];
      for (let lane = 0; lane < 3; lane++)
        for (let row = 0; row < rows; row++) {
          const y = lane * (0.21 * rows + 0.49) + 0.21 * row;
          places[`l${lane}r${row}`] = [0, y];
          places[`l${lane}s${row}`] = [1, y];
          flows.push(flowOf(`l${lane}r${row}`, `l${lane}s${row}`, [moved(1, row + lane + 1)]));
          if (lane > 0) flows.push(crossing(`l${lane - 1}s${row}`, `l${lane}r${row}`, 20 + row));
        }
      const shown = shownAt({ a: [0, -2], ...places }, [...flows, flowOf('a', 'l0s0', [moved(1, 1)])]);
      const [arrows, amounts] = [arrowsOf(shown), amountPlaces(shown)];
      const straight = shown.edges.filter(({ flows: [one] }) => one!.bridge === null);
      expect(straight.filter(({ id }) => amounts.get(id)!.side === 'none')).toEqual([]);
      const marks = shown.edges.filter(({ id }) => amounts.get(id)!.side === 'none');
      const over = marks.flatMap(({ id }) => {
        const { x, y } = amountPoint(arrows.get(id)!, amounts.get(id)!);
        return shown.nodes.filter(
          (card) => Math.abs(card.x - x) < NODE_WIDTH / 2 && Math.abs(card.y - y) < NODE_HEIGHT / 2 + 14,
        );
      });
      expect(over).toEqual([]);
    }
  });

  it('lie where no other line passes, and above all lines where none such is free', () => {
    // `d` is paid by `a` through the middle of what `c` pays; those that lead back share the room beside their column.
    const aside = shownAt({ a: [0, 0], b: [1, 1], c: [0, 1], d: [1, 0] }, [
      flowOf('a', 'b', [moved(1, 90)]),
      flowOf('c', 'd', [moved(2, 5)]),
    ]);
    expect([...amountPlaces(aside).values()].map(({ isCrossed }) => isCrossed)).toEqual([false, false]);
    const names = ['e', 'f', 'g'];
    const back = shownAt(
      { a: [2, 0], ...Object.fromEntries(names.map((name, n) => [name, [0, 1 + 0.21 * n]])) },
      names.map((name, n) => flowOf('a', name, [moved(1, n + 1)])),
    );
    const places = amountPlaces(back);
    const largest = back.edges.find(({ to }) => to === key('g'))!;
    expect(places.get(largest.id)?.isCrossed).toBe(false);
    expect([...places.values()].every(({ side }) => side !== 'none')).toBe(true);
    expect([...places.values()].filter(({ isCrossed }) => isCrossed).length).toBeGreaterThan(0);
  });
});
