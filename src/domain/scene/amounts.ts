import { NODE_HEIGHT, NODE_WIDTH, type Shown, type ShownEdge } from './shown.ts';

/** Where the amounts of an arrow stand: so far along it from one of its ends; `back` leads against the columns, below the cards. */
export interface AmountPlace {
  side: 'source' | 'target' | 'back';
  distance: number;
}

interface Point {
  x: number;
  y: number;
}

type At = ReadonlyMap<string, Point>;

/** From the end of an arrow: where rows that part or meet are far enough from each other, and farther on. */
const DISTANCES = [64, 150, 240];
/** Room that amounts take as a rule. */
const [WIDTH, HEIGHT] = [104, 28];
/** Amounts and cards that may touch each other share one of these fields. */
const FIELD = 128;

/** Returns where the arrow begins and ends: at the sides of the cards, or below them where it leads back. */
export function arrowEnds(edge: ShownEdge, at: At) {
  const [from, to] = [at.get(edge.from), at.get(edge.to)];
  if (!from || !to) return null;
  const isBack = to.x <= from.x;
  return {
    isBack,
    x1: isBack ? from.x : from.x + NODE_WIDTH / 2,
    y1: isBack ? from.y + NODE_HEIGHT / 2 : from.y,
    x2: isBack ? to.x : to.x - NODE_WIDTH / 2,
    y2: isBack ? to.y + NODE_HEIGHT / 2 : to.y,
  };
}

/** The middle of amounts on an arrow that does not lead back. */
export function amountPoint(
  { x1, y1, x2, y2 }: NonNullable<ReturnType<typeof arrowEnds>>,
  { side, distance }: AmountPlace,
): Point {
  const part = distance / Math.hypot(x2 - x1, y2 - y1);
  const from = side === 'source' ? part : 1 - part;
  return { x: x1 + from * (x2 - x1), y: y1 + from * (y2 - y1) };
}

/** A picture is looked at from many sides before it changes. */
const placesByPicture = new WeakMap<Shown, Map<string, AmountPlace>>();

/** Returns where each arrow has its amounts, by id: where none lie over others or over a card, the largest sums first. */
export function amountPlaces(shown: Shown): Map<string, AmountPlace> {
  const places = placesByPicture.get(shown) ?? placesOf(shown);
  placesByPicture.set(shown, places);
  return places;
}

function placesOf({ nodes, edges }: Shown): Map<string, AmountPlace> {
  const at = new Map(nodes.map((node) => [node.id, node]));
  const fanOut = countBy(edges, ({ from }) => from);
  const fanIn = countBy(edges, ({ to }) => to);
  const taken = takenSpace();
  for (const node of nodes) taken.take(node, NODE_WIDTH, NODE_HEIGHT);
  const places = new Map<string, AmountPlace>();
  for (const edge of edges.toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0))) {
    const ends = arrowEnds(edge, at);
    if (!ends || ends.isBack) {
      places.set(edge.id, { side: 'back', distance: 0 });
      continue;
    }
    // Where many arrows part or meet, amounts stand at the other end, one above the other.
    const isParting = (fanOut.get(edge.from) ?? 0) >= (fanIn.get(edge.to) ?? 0);
    const sides = isParting ? (['target', 'source'] as const) : (['source', 'target'] as const);
    const length = Math.hypot(ends.x2 - ends.x1, ends.y2 - ends.y1);
    const wanted = DISTANCES.filter((distance, i) => i === 0 || distance < length / 2).flatMap((distance) =>
      sides.map((side): AmountPlace => ({ side, distance })),
    );
    const place =
      wanted.find((one) => taken.isFree(amountPoint(ends, one), WIDTH, HEIGHT)) ?? (wanted[0] as AmountPlace);
    taken.take(amountPoint(ends, place), WIDTH, HEIGHT);
    places.set(edge.id, place);
  }
  return places;
}

/** The boxes that are taken, found by the fields that they touch. */
function takenSpace() {
  const fields = new Map<string, { x: number; y: number; width: number; height: number }[]>();
  const fieldsOf = ({ x, y }: Point, width: number, height: number): string[] => {
    const found: string[] = [];
    for (let column = Math.floor((x - width / 2) / FIELD); column * FIELD <= x + width / 2; column++)
      for (let row = Math.floor((y - height / 2) / FIELD); row * FIELD <= y + height / 2; row++)
        found.push(`${column} ${row}`);
    return found;
  };
  return {
    take: ({ x, y }: Point, width: number, height: number) => {
      for (const field of fieldsOf({ x, y }, width, height)) {
        const known = fields.get(field);
        if (known) known.push({ x, y, width, height });
        else fields.set(field, [{ x, y, width, height }]);
      }
    },
    isFree: (point: Point, width: number, height: number): boolean =>
      fieldsOf(point, width, height).every((field) =>
        (fields.get(field) ?? []).every(
          (box) =>
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
