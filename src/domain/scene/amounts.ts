import { type Arrow, arrowsOf, byWeight, curveControl, lengthOf, passesThrough, pointAlong } from './arrows.ts';
import { isCrossing, NODE_HEIGHT, NODE_WIDTH, type Shown } from './shown.ts';

/**
 * Where the amounts of an arrow stand: in its middle, or so far along it from one of its ends; `back` leads against the columns, below the
 * cards; `none` has no room that is free, and a mark so far from its start.
 */
export interface AmountPlace {
  side: 'middle' | 'source' | 'target' | 'back' | 'none';
  distance: number;
  /** True where the line of an arrow that is drawn later passes through them: they must lie above all lines. */
  isCrossed: boolean;
}

type Room = Omit<AmountPlace, 'isCrossed'>;

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
/** The part of it that most amounts fill. */
const WORDS_WIDTH = 90;
/** Height of the amount of a crossing, which names its bridge. */
const PILL_HEIGHT = 50;
/** Size of the mark of one without room, in a picture that is seen from far. */
const MARK = { width: 60, height: 28 };
/** The weight of a line that has nowhere else to say its amounts; others weigh 1. */
const ONLY_PLACE = 3;
/** Amounts and cards that may touch each other share one of these fields. */
const FIELD = 128;
/** Beyond this a picture is too dense for lines to be kept off amounts. */
const LINES_MAX = 800;

/** Returns the middle of the amounts of an arrow, or of the mark in their place. */
export function amountPoint(arrow: Arrow, { side, distance }: Room): Point {
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
 * Returns where each arrow has its amounts, by id: where none lie over others or over a card, and as few lines of other arrows as can be pass
 * through them. Crossings choose first, then the followed money, then the largest sums.
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
  const [taken, cards] = [takenSpace(), takenSpace()];
  for (const node of nodes) for (const space of [taken, cards]) space.take(node, NODE_WIDTH, NODE_HEIGHT);
  const drawnAt = new Map(edges.toSorted(byWeight).map(({ id }, order) => [id, order]));
  const linesThrough = linesOf(edges.length <= LINES_MAX ? arrows : new Map());
  // Between two columns that stand side by side, however an arrow slants.
  const isShort = ({ points: [start, ...others] }: Arrow) => others.length === 1 && others[0]!.x - start.x < 2 * WIDTH;
  const words = new Set(edges.filter((edge) => !isCrossing(edge)).map(({ id }) => id));
  const weightOf = (id: string) => (words.has(id) && isShort(arrows.get(id)!) ? ONLY_PLACE : 1);
  const places = new Map<string, AmountPlace>();
  const ranked = edges.toSorted(byWeight).reverse();
  for (const edge of [...ranked.filter(isCrossing), ...ranked.filter((one) => !isCrossing(one))]) {
    const arrow = arrows.get(edge.id);
    if (!arrow || arrow.isBack) {
      places.set(edge.id, { side: 'back', distance: 0, isCrossed: false });
      continue;
    }
    // Where many arrows part or meet, amounts stand at the other end, one above the other.
    const isParting = (fanOut.get(edge.from) ?? 0) >= (fanIn.get(edge.to) ?? 0);
    const sides = isParting ? (['target', 'source'] as const) : (['source', 'target'] as const);
    const length = lengthOf(arrow);
    const middle: Room[] = isShort(arrow) ? [{ side: 'middle', distance: length / 2 }] : [];
    const ends = DISTANCES.filter((distance, i) => i === 0 || distance < length / 2).flatMap((distance) =>
      sides.map((side): Room => ({ side, distance })),
    );
    // Where rows part or meet, nearer to where they lie apart.
    const isFan = Math.max(fanOut.get(edge.from) ?? 0, fanIn.get(edge.to) ?? 0) > 1;
    const wanted = isFan ? [...ends, ...middle] : [...middle, ...ends];
    const steps = Math.min(STEPS_MAX, Math.max(0, Math.floor((length - WIDTH) / STEP)));
    const elsewhere = Array.from({ length: steps }, (_, n): Room => {
      return { side: 'target', distance: WIDTH / 2 + n * STEP };
    });
    const height = isCrossing(edge) ? PILL_HEIGHT : HEIGHT;
    let best: { place: Room; lines: string[]; weight: number } | null = null;
    for (const place of [...wanted, ...elsewhere]) {
      const at = amountPoint(arrow, place);
      if (!taken.isFree(at, WIDTH, height)) continue;
      const most = best?.weight ?? Number.POSITIVE_INFINITY;
      const lines = linesThrough(at, height, { not: edge.id, most, weightOf });
      const weight = lines.reduce((sum, id) => sum + weightOf(id), 0);
      if (!best || weight < best.weight) best = { place, lines, weight };
      if (weight === 0) break;
    }
    if (!best) {
      const place = isCrossing(edge) ? markOn(arrow, [taken, cards]) : { side: 'none' as const, distance: length / 2 };
      if (isCrossing(edge)) taken.take(amountPoint(arrow, place), MARK.width, MARK.height);
      places.set(edge.id, { ...place, isCrossed: false });
      continue;
    }
    taken.take(amountPoint(arrow, best.place), WIDTH, height);
    const order = drawnAt.get(edge.id)!;
    places.set(edge.id, { ...best.place, isCrossed: best.lines.some((id) => drawnAt.get(id)! > order) });
  }
  return places;
}

/** The place nearest to the middle of an arrow at which a mark lies over nothing else, at least over no card; its middle where there is none. */
function markOn(arrow: Arrow, spaces: readonly ReturnType<typeof takenSpace>[]): Room {
  const middle = lengthOf(arrow) / 2;
  for (const space of spaces)
    for (let aside = 0; aside < middle; aside += STEP / 2)
      for (const distance of [middle - aside, middle + aside])
        if (space.isFree(pointAlong(arrow, 'source', distance), MARK.width, MARK.height))
          return { side: 'none', distance };
  return { side: 'none', distance: middle };
}

/** The arrow whose words are to stand there, what lines weigh, and what those through the best place so far do. */
interface Sought {
  not: string;
  most: number;
  weightOf: (id: string) => number;
}

/** Finds the lines that pass through the words of an arrow, by the fields that both touch; returns no more of them once they weigh `most`. */
function linesOf(arrows: ReadonlyMap<string, Arrow>): (at: Point, height: number, sought: Sought) => string[] {
  const fields = new Map<number, Set<string>>();
  for (const [id, { isBack, points }] of arrows) {
    if (isBack) continue;
    for (const [i, to] of points.slice(1).entries())
      alongLine(points[i]!, to, (field) => {
        const known = fields.get(field);
        if (known) known.add(id);
        else fields.set(field, new Set([id]));
      });
  }
  return (at, height, { not, most, weightOf }) => {
    const found: string[] = [];
    let weight = 0;
    const seen = new Set([not]);
    someField(at, WORDS_WIDTH, height, (field) => {
      for (const id of fields.get(field) ?? []) {
        if (weight >= most) return true;
        if (seen.has(id)) continue;
        seen.add(id);
        if (!passesThrough(arrows.get(id)!, at, WORDS_WIDTH, height)) continue;
        found.push(id);
        weight += weightOf(id);
      }
      return false;
    });
    return found;
  };
}

/** Visits the fields that a line touches, and some beside it; one more than once. */
function alongLine(from: Point, to: Point, visit: (field: number) => void): void {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / FIELD) || 1;
  const [dx, dy] = [(to.x - from.x) / steps, (to.y - from.y) / steps];
  for (let step = 0; step < steps; step++) {
    const middle = { x: from.x + (step + 0.5) * dx, y: from.y + (step + 0.5) * dy };
    someField(middle, Math.abs(dx), Math.abs(dy), (field) => {
      visit(field);
      return false;
    });
  }
}

/** Fields beside each other in one row; more than any picture is wide. */
const FIELDS = 2 ** 24;

/** Returns true where the test holds for a field that a box touches, which it takes by its number. */
function someField({ x, y }: Point, width: number, height: number, test: (field: number) => boolean): boolean {
  const [left, right] = [Math.floor((x - width / 2) / FIELD), Math.floor((x + width / 2) / FIELD)];
  const [top, bottom] = [Math.floor((y - height / 2) / FIELD), Math.floor((y + height / 2) / FIELD)];
  for (let column = left; column <= right; column++)
    for (let row = top; row <= bottom; row++) if (test(row * FIELDS + column)) return true;
  return false;
}

interface TakenBox extends Point {
  width: number;
  height: number;
  owner: string | undefined;
}

/** The boxes that are taken, found by the fields that they touch. One of the same `owner` is not in the way. */
export function takenSpace() {
  const fields = new Map<number, TakenBox[]>();
  return {
    take: ({ x, y }: Point, width: number, height: number, owner?: string) => {
      const box = { x, y, width, height, owner };
      someField(box, width, height, (field) => {
        const known = fields.get(field);
        if (known) known.push(box);
        else fields.set(field, [box]);
        return false;
      });
    },
    isFree: ({ x, y }: Point, width: number, height: number, owner?: string): boolean => {
      const isInTheWay = (box: TakenBox) =>
        (owner === undefined || box.owner !== owner) &&
        Math.abs(box.x - x) < (box.width + width) / 2 &&
        Math.abs(box.y - y) < (box.height + height) / 2;
      return !someField({ x, y }, width, height, (field) => fields.get(field)?.some(isInTheWay) ?? false);
    },
  };
}

function countBy<T>(things: readonly T[], of: (thing: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(of(thing), (counts.get(of(thing)) ?? 0) + 1);
  return counts;
}
