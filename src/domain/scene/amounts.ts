import { type Arrow, arrowsOf, byWeight, curveControl, lengthOf, pointAlong } from './arrows.ts';
import { isCrossing, NODE_HEIGHT, NODE_WIDTH, type Shown } from './shown.ts';

/**
 * Where the amounts of an arrow stand: in its middle, or so far along it from one of its ends; `back` leads against the columns, below the
 * cards; `none` has no room that is free.
 */
export interface AmountPlace {
  side: 'middle' | 'source' | 'target' | 'back' | 'none';
  distance: number;
}

interface Point {
  x: number;
  y: number;
}

/** From the end of an arrow: where rows that part or meet are far enough from each other, and farther on. */
const DISTANCES = [63, 150, 240];
/** Steps along an arrow at which room is looked for elsewhere. */
const STEP = 40;
const STEPS_MAX = 40;
/** Room that amounts take. */
export const AMOUNT_WIDTH = 118;
const [WIDTH, HEIGHT] = [AMOUNT_WIDTH, 28];
/** Of a crossing, which names its bridge. */
const PILL_HEIGHT = 50;
/** Amounts and cards that may touch each other share one of these fields. */
const FIELD = 128;

/** Returns the middle of the amounts of an arrow; of an arrow without room for any, its own. */
export function amountPoint(arrow: Arrow, { side, distance }: AmountPlace): Point {
  if (side === 'none') return pointAlong(arrow, 'source', lengthOf(arrow) / 2);
  if (side !== 'back') return pointAlong(arrow, side === 'target' ? 'target' : 'source', distance);
  const [start, end] = arrow.points;
  const control = curveControl(arrow);
  return { x: control.x, y: (start.y + end.y) / 4 + control.y / 2 };
}

/** Returns the outer edges of all arrows with their amounts, beside which other things of a picture may reach farther. */
export function arrowsFrame(shown: Shown): { left: number; right: number; top: number; bottom: number } {
  const places = amountPlaces(shown);
  const frame = { left: 0, right: 0, top: 0, bottom: 0 };
  const reach = ({ x, y }: Point, width: number, height: number) => {
    frame.left = Math.min(frame.left, x - width / 2);
    frame.right = Math.max(frame.right, x + width / 2);
    frame.top = Math.min(frame.top, y - height / 2);
    frame.bottom = Math.max(frame.bottom, y + height / 2);
  };
  for (const [id, arrow] of arrowsOf(shown)) {
    for (const point of arrow.points) reach(point, 0, 0);
    const place = places.get(id);
    if (place && place.side !== 'none') reach(amountPoint(arrow, place), WIDTH, HEIGHT);
  }
  return frame;
}

/** A picture is looked at from many sides before it changes. */
const placesByPicture = new WeakMap<Shown, Map<string, AmountPlace>>();

/**
 * Returns where each arrow has its amounts, by id: where none lie over others or over a card. Crossings choose first, then the followed money,
 * then the largest sums.
 */
export function amountPlaces(shown: Shown): Map<string, AmountPlace> {
  const places = placesByPicture.get(shown) ?? placesOf(shown);
  placesByPicture.set(shown, places);
  return places;
}

function placesOf(shown: Shown): Map<string, AmountPlace> {
  const { nodes, edges } = shown;
  const arrows = arrowsOf(shown);
  const fanOut = countBy(edges, ({ from }) => from);
  const fanIn = countBy(edges, ({ to }) => to);
  const taken = takenSpace();
  for (const node of nodes) taken.take(node, NODE_WIDTH, NODE_HEIGHT);
  const places = new Map<string, AmountPlace>();
  const ranked = edges.toSorted(byWeight).reverse();
  for (const edge of [...ranked.filter(isCrossing), ...ranked.filter((one) => !isCrossing(one))]) {
    const arrow = arrows.get(edge.id);
    if (!arrow || arrow.isBack) {
      places.set(edge.id, { side: 'back', distance: 0 });
      continue;
    }
    // Where many arrows part or meet, amounts stand at the other end, one above the other.
    const isParting = (fanOut.get(edge.from) ?? 0) >= (fanIn.get(edge.to) ?? 0);
    const sides = isParting ? (['target', 'source'] as const) : (['source', 'target'] as const);
    const length = lengthOf(arrow);
    const [start, end] = [arrow.points[0], arrow.points.at(-1)!];
    // Between two columns that stand side by side, however an arrow slants.
    const isShort = arrow.points.length === 2 && end.x - start.x < 2 * WIDTH;
    const middle: AmountPlace[] = isShort ? [{ side: 'middle', distance: length / 2 }] : [];
    const ends = DISTANCES.filter((distance, i) => i === 0 || distance < length / 2).flatMap((distance) =>
      sides.map((side): AmountPlace => ({ side, distance })),
    );
    const wanted = [...middle, ...ends];
    const steps = Math.min(STEPS_MAX, Math.max(0, Math.floor((length - WIDTH) / STEP)));
    const elsewhere = Array.from({ length: steps }, (_, n): AmountPlace => {
      return { side: 'target', distance: WIDTH / 2 + n * STEP };
    });
    const height = isCrossing(edge) ? PILL_HEIGHT : HEIGHT;
    const place = [...wanted, ...elsewhere].find((one) => taken.isFree(amountPoint(arrow, one), WIDTH, height));
    if (!place) {
      places.set(edge.id, { side: 'none', distance: 0 });
      continue;
    }
    taken.take(amountPoint(arrow, place), WIDTH, height);
    places.set(edge.id, place);
  }
  return places;
}

/** The boxes that are taken, found by the fields that they touch. One of the same `owner` is not in the way. */
export function takenSpace() {
  const fields = new Map<
    string,
    { x: number; y: number; width: number; height: number; owner: string | undefined }[]
  >();
  const fieldsOf = ({ x, y }: Point, width: number, height: number): string[] => {
    const found: string[] = [];
    for (let column = Math.floor((x - width / 2) / FIELD); column * FIELD <= x + width / 2; column++)
      for (let row = Math.floor((y - height / 2) / FIELD); row * FIELD <= y + height / 2; row++)
        found.push(`${column} ${row}`);
    return found;
  };
  return {
    take: ({ x, y }: Point, width: number, height: number, owner?: string) => {
      for (const field of fieldsOf({ x, y }, width, height)) {
        const known = fields.get(field);
        if (known) known.push({ x, y, width, height, owner });
        else fields.set(field, [{ x, y, width, height, owner }]);
      }
    },
    isFree: (point: Point, width: number, height: number, owner?: string): boolean =>
      fieldsOf(point, width, height).every((field) =>
        (fields.get(field) ?? []).every(
          (box) =>
            (owner !== undefined && box.owner === owner) ||
            Math.abs(box.x - point.x) >= (box.width + width) / 2 ||
            Math.abs(box.y - point.y) >= (box.height + height) / 2,
        ),
      ),
  };
}

function countBy<T>(things: readonly T[], of: (thing: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(of(thing), (counts.get(of(thing)) ?? 0) + 1);
  return counts;
}
