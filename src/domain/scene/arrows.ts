import { NODE_HEIGHT, NODE_WIDTH, type Shown, type ShownEdge, type ShownNode } from './shown.ts';

interface Point {
  x: number;
  y: number;
}

/** The line of an arrow between the sides of two cards; `isBack` leads against the columns in a curve below the cards. */
export interface Arrow {
  isBack: boolean;
  points: [start: Point, ...bendsAndEnd: [Point, ...Point[]]];
}

/** How far below the cards an arrow goes that leads back. */
export const BEND = 45;
/** Between a line that goes around a card and the card: half of what is free between two rows. */
const CLEAR = 7;
/** Between a card and a line that passes at its side. */
const ASIDE = 20;
/** Beyond this a picture is too dense for ways around cards to be seen. */
const ROUTED_EDGES_MAX = 800;

/** A picture is looked at from many sides before it changes. */
const arrowsByPicture = new WeakMap<Shown, Map<string, Arrow>>();

/** Orders arrows as they are drawn: the followed money above others, larger sums above smaller ones. */
export function byWeight(a: ShownEdge, b: ShownEdge): number {
  return (a.share ?? -1) - (b.share ?? -1) || (a.usd ?? 0) - (b.usd ?? 0);
}

/** Returns the line of each arrow by id: straight where no card lies in the way, else around the cards in the nearest free row. */
export function arrowsOf(shown: Shown): Map<string, Arrow> {
  const arrows = arrowsByPicture.get(shown) ?? drawnArrows(shown);
  arrowsByPicture.set(shown, arrows);
  return arrows;
}

function drawnArrows({ nodes, edges }: Shown): Map<string, Arrow> {
  const at = new Map(nodes.map((node) => [node.id, node]));
  const isRouted = edges.length <= ROUTED_EDGES_MAX;
  const apart = linesApart();
  return new Map(
    edges.flatMap((edge): [string, Arrow][] => {
      const arrow = straightArrow(edge, at);
      if (!arrow) return [];
      if (!isRouted) return [[edge.id, arrow]];
      return [[edge.id, arrow.isBack ? (betweenRows(edge, at, nodes, apart) ?? arrow) : aroundCards(arrow, nodes)]];
    }),
  );
}

function straightArrow(edge: ShownEdge, at: ReadonlyMap<string, Point>): Arrow | null {
  const [from, to] = [at.get(edge.from), at.get(edge.to)];
  if (!from || !to) return null;
  const isBack = to.x <= from.x;
  const side = isBack ? { x: 0, y: NODE_HEIGHT / 2 } : { x: NODE_WIDTH / 2, y: 0 };
  const arrives = isBack ? side.y : 0;
  return {
    isBack,
    points: [
      { x: from.x + side.x, y: from.y + side.y },
      { x: to.x - side.x, y: to.y + arrives },
    ],
  };
}

/** Goes through a free row between the first and the last card in the way; straight where there is none. */
function aroundCards(arrow: Arrow, nodes: readonly ShownNode[]): Arrow {
  const [start, end] = arrow.points;
  const between = nodes.filter(({ x }) => x - NODE_WIDTH / 2 > start.x && x + NODE_WIDTH / 2 < end.x);
  const crossed = between.filter((card) => touches(card, start, end));
  if (crossed.length === 0) return arrow;
  const first = Math.min(...crossed.map(({ x }) => x)) - NODE_WIDTH / 2 - CLEAR;
  const last = Math.max(...crossed.map(({ x }) => x)) + NODE_WIDTH / 2 + CLEAR;
  const detour = (y: number) => Math.abs(y - start.y) + Math.abs(y - end.y);
  const rows = new Set(between.flatMap(({ y }) => [y - NODE_HEIGHT / 2 - CLEAR, y + NODE_HEIGHT / 2 + CLEAR]));
  for (const y of [...rows].sort((one, other) => detour(one) - detour(other))) {
    const points: Arrow['points'] = [start, { x: first, y }, { x: last, y }, end];
    const legs = points.slice(1).map((point, i) => [points[i]!, point] as const);
    if (!between.some((card) => legs.some(([from, to]) => touches(card, from, to)))) return { isBack: false, points };
  }
  return arrow;
}

/** Beside each other in the same room: the eye follows each of them. Where more come, each lies between two others. */
const ASIDE_EACH = [0, 5, -5, 2.5, -2.5, 3.75, -3.75, 1.25, -1.25];
/** Lines of them that stay apart where a picture is seen from far. */
const BESIDE_MAX = 3;
/** Between lines where there is room for the widest of them and a gap. */
const APART = 9;

/** Steps away from cards of the first lines beside a column; all others follow away from them. */
const TOWARDS_FIRST = [0, 1, -1];

/** A part of a row or a column, on one axis. */
type Stretch = readonly [one: number, other: number];

/** A side of a row that cards leave free, and how far. */
interface OpenSide {
  side: 1 | -1;
  width: number;
}

/**
 * Shifts lines that would lie on one another, `room` being what they share: in a row to the side that is open while it is wide enough, else
 * by what the room between two rows holds; beside a column once towards its cards, and away from them while the `width` that is free allows.
 */
function linesApart() {
  const used = new Map<string, [from: number, to: number][][]>();
  /** The first place of a room on which no line lies along the same stretch, counted from 0. */
  const placeOf = (room: string, [one, other]: Stretch) => {
    const [from, to] = [Math.min(one, other) - APART, Math.max(one, other) + APART];
    const places = used.get(room) ?? [];
    const free = places.findIndex((taken) => taken.every(([first, last]) => to <= first || from >= last));
    return { place: free < 0 ? places.length : free, places, from, to };
  };
  const take = (room: string, stretch: Stretch): number => {
    const { place, places, from, to } = placeOf(room, stretch);
    places[place] = [...(places[place] ?? []), [from, to]];
    used.set(room, places);
    return place;
  };
  const isWithin = (place: number, { width }: OpenSide) => place * APART + CLEAR <= width;
  return {
    hasRoom: (room: string, stretch: Stretch, open: OpenSide): boolean => {
      const { place } = placeOf(room, stretch);
      return place < BESIDE_MAX || isWithin(place, open);
    },
    inRow: (room: string, stretch: Stretch, open: OpenSide): number => {
      const place = take(room, stretch);
      return isWithin(place, open) ? open.side * place * APART : ASIDE_EACH[place % ASIDE_EACH.length]!;
    },
    inColumn: (room: string, stretch: Stretch, width: number): number => {
      const place = take(room, stretch);
      const count = Math.max(4, Math.floor((width - ASIDE) / APART));
      const nth = place % count;
      // Where more come than have room, each lies between two others.
      const between = (Math.floor(place / count) % 2) / 2;
      return APART * (between + (TOWARDS_FIRST[nth] ?? nth - 1));
    },
  };
}

/** Leads back through a free row, down and up between the columns; null where there is none. */
function betweenRows(
  edge: ShownEdge,
  at: ReadonlyMap<string, Point>,
  nodes: readonly ShownNode[],
  apart: ReturnType<typeof linesApart>,
): Arrow | null {
  const [from, to] = [at.get(edge.from)!, at.get(edge.to)!];
  const [right, left] = [from.x + NODE_WIDTH / 2 + ASIDE, to.x - NODE_WIDTH / 2 - ASIDE];
  const over = nodes.filter(({ x }) => x + NODE_WIDTH / 2 > left && x - NODE_WIDTH / 2 < right);
  const heights = [...new Set(over.map(({ y }) => y))];
  const detour = (y: number) => Math.abs(y - from.y) + Math.abs(y - to.y);
  const isAside = (x: number, y: number, row: number) =>
    nodes.every(
      (card) =>
        Math.abs(card.x - x) >= NODE_WIDTH / 2 ||
        card.y + NODE_HEIGHT / 2 <= Math.min(y, row) ||
        card.y - NODE_HEIGHT / 2 >= Math.max(y, row),
    );
  const rows = heights
    .flatMap((y) => [y - NODE_HEIGHT / 2 - CLEAR, y + NODE_HEIGHT / 2 + CLEAR])
    .filter((y) => heights.every((height) => Math.abs(height - y) >= NODE_HEIGHT / 2 + CLEAR))
    .filter((y) => isAside(right, from.y, y) && isAside(left, to.y, y))
    .sort((one, other) => detour(one) - detour(other))
    .map((y) => ({ y, room: `row ${y}`, stretch: [left, right] as const, open: openSide(y, heights) }));
  // The nearest one that is not full; where all are, lines lie close to each other.
  const free = rows.find(({ room, stretch, open }) => apart.hasRoom(room, stretch, open)) ?? rows[0];
  if (!free) return null;
  const row = free.y + apart.inRow(free.room, free.stretch, free.open);
  const down = right + apart.inColumn(`right ${right}`, [from.y, row], roomBeside(right, 1, nodes));
  const up = left - apart.inColumn(`left ${left}`, [row, to.y], roomBeside(left, -1, nodes));
  return {
    isBack: false,
    points: [
      { x: from.x + NODE_WIDTH / 2, y: from.y },
      { x: down, y: from.y },
      { x: down, y: row },
      { x: up, y: row },
      { x: up, y: to.y },
      { x: to.x - NODE_WIDTH / 2, y: to.y },
    ],
  };
}

/** How far away from its column a line may go before the next cards. */
function roomBeside(x: number, side: 1 | -1, nodes: readonly ShownNode[]): number {
  return Math.min(...nodes.map((card) => (card.x - x) * side - NODE_WIDTH / 2).filter((away) => away > 0));
}

/** The side of a row of lines that cards leave free the farthest, and how far. */
function openSide(row: number, heights: readonly number[]): OpenSide {
  const nearest = (side: 1 | -1) =>
    Math.min(...heights.map((y) => (y - row) * side).filter((away) => away > 0)) - NODE_HEIGHT / 2;
  const [below, above] = [nearest(1), nearest(-1)];
  return below >= above ? { side: 1, width: below } : { side: -1, width: above };
}

/** Returns true where a line from left to right passes behind a card. */
function touches(card: Point, from: Point, to: Point): boolean {
  const left = Math.max(from.x, card.x - NODE_WIDTH / 2);
  const right = Math.min(to.x, card.x + NODE_WIDTH / 2);
  if (left >= right) return false;
  const slope = (to.y - from.y) / (to.x - from.x);
  const [one, other] = [from.y + slope * (left - from.x), from.y + slope * (right - from.x)];
  return Math.min(one, other) < card.y + NODE_HEIGHT / 2 && Math.max(one, other) > card.y - NODE_HEIGHT / 2;
}

/** Returns true where the line of an arrow that does not lead back passes through a box around a point. */
export function passesThrough({ points }: Arrow, at: Point, width: number, height: number): boolean {
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1]!, points[i]!];
    // The part of the leg that is within the box, first from side to side, then from top to bottom.
    const across = partWithin(from.x, to.x, at.x, width / 2);
    const down = partWithin(from.y, to.y, at.y, height / 2);
    if (Math.max(0, across[0], down[0]) < Math.min(1, across[1], down[1])) return true;
  }
  return false;
}

/** From which part of a way to which it is nearer than `half` to a place, on one axis. */
function partWithin(from: number, to: number, at: number, half: number): [first: number, last: number] {
  const along = to - from;
  const [near, far] = [at - half - from, at + half - from];
  if (along === 0) return near < 0 && far > 0 ? [0, 1] : [1, 0];
  return along > 0 ? [near / along, far / along] : [far / along, near / along];
}

/** Returns the control point of the quadratic curve of an arrow that leads back. */
export function curveControl({ points: [start, end] }: Arrow): Point {
  return { x: (start.x + end.x) / 2, y: Math.max(start.y, end.y) + 2 * BEND };
}

/** Returns the length of an arrow that does not lead back. */
export function lengthOf({ points }: Arrow): number {
  return points.slice(1).reduce((sum, point, i) => sum + distanceOf(points[i]!, point), 0);
}

/** Returns the point that lies so far along an arrow from one of its ends. */
export function pointAlong({ points }: Arrow, side: 'source' | 'target', distance: number): Point {
  const way = side === 'source' ? points : points.toReversed();
  let left = distance;
  for (let i = 1; ; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const length = distanceOf(a, b);
    if (left <= length || i === way.length - 1) {
      const part = length === 0 ? 0 : left / length;
      return { x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y) };
    }
    left -= length;
  }
}

/** A point by the straight line between the ends of an arrow: the part of its way, and how far it lies to the side. */
export interface BesideLine {
  weight: number;
  distance: number;
}

export function besideLine(start: Point, end: Point, { x, y }: Point): BesideLine {
  const [along, down] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(along, down) || 1;
  const [dx, dy] = [x - start.x, y - start.y];
  return { weight: (dx * along + dy * down) / length ** 2, distance: (dy * along - dx * down) / length };
}

/** Returns the point that `besideLine` described, where the ends are now. */
export function pointBeside(start: Point, end: Point, { weight, distance }: BesideLine): Point {
  const [along, down] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(along, down) || 1;
  return {
    x: start.x + weight * along - (distance * down) / length,
    y: start.y + weight * down + (distance * along) / length,
  };
}

function distanceOf(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}
