import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { NODE_HEIGHT, NODE_WIDTH, type Shown, type ShownEdge, shownOf } from '../../src/domain/scene/shown.ts';
import type { Point } from './edits.ts';
import { COLUMN, COLUMN_ROWS, ROW } from './place.ts';

export const LAYOUT_OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.layered.spacing.nodeNodeBetweenLayers': String(COLUMN - NODE_WIDTH),
  'elk.spacing.nodeNode': String(ROW - NODE_HEIGHT),
  'elk.spacing.edgeNode': '12',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  'elk.layered.cycleBreaking.strategy': 'GREEDY_MODEL_ORDER',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.separateConnectedComponents': 'true',
  'elk.spacing.componentComponent': String(ROW),
};
/** Beyond this a picture is laid out with less search for crossings that can be avoided. */
const LARGE_EDGES = 800;
const BANDS_MAX = 40;

/** From this scale on, names in cards can be read. */
const READABLE = 0.92;
/** Times by which folding must enlarge a picture. */
const FOLD_FROM = 1.15;

/** The picture as the layout engine takes it, nodes in the order of their distance from the subject, grids of partners as one. */
export function layoutGraph(shown: Shown, subject: string | null): ElkNode {
  const isLarge = shown.edges.length > LARGE_EDGES;
  const grids = gridsOf(shown);
  const gridOf = new Map([...grids].flatMap(([grid, ids]) => ids.map((id) => [id, grid] as const)));
  const placed = new Set(byDistance(shown, subject).map((id) => gridOf.get(id) ?? id));
  const links = new Map(
    shown.edges.map(({ id, from, to }) => {
      const [source, target] = [gridOf.get(from) ?? from, gridOf.get(to) ?? to];
      return [gridOf.has(from) || gridOf.has(to) ? `${source}>${target}` : id, { source, target }] as const;
    }),
  );
  return {
    id: 'root',
    layoutOptions: { ...LAYOUT_OPTIONS, 'elk.layered.thoroughness': isLarge ? '1' : '7' },
    children: [...placed].map((id) => ({ id, ...sizeOf(grids.get(id)?.length ?? 1) })),
    edges: [...links].map(([id, { source, target }]) => ({ id, sources: [source], targets: [target] })),
  };
}

/** Returns width and height of a number of cards in a grid. */
function sizeOf(count: number): { width: number; height: number } {
  const [columns, rows] = [Math.ceil(count / COLUMN_ROWS), Math.min(count, COLUMN_ROWS)];
  return { width: (columns - 1) * COLUMN + NODE_WIDTH, height: (rows - 1) * ROW + NODE_HEIGHT };
}

/** Addresses that deal with one hub alone, in one direction, where they are more than a column holds; the largest first. */
function gridsOf({ nodes, edges }: Shown): Map<string, string[]> {
  const touching = new Map<string, ShownEdge[]>();
  for (const edge of edges)
    for (const id of [edge.from, edge.to]) {
      const known = touching.get(id);
      if (known) known.push(edge);
      else touching.set(id, [edge]);
    }
  const grids = new Map<string, { id: string; usd: number }[]>();
  for (const { id, node } of nodes) {
    const [edge, ...others] = touching.get(id) ?? [];
    if (!edge || others.length > 0 || node.pinned) continue;
    const [hub, side] = edge.from === id ? [edge.to, 'in'] : [edge.from, 'out'];
    const name = `grid:${side}:${hub}`;
    grids.set(name, [...(grids.get(name) ?? []), { id, usd: edge.usd ?? 0 }]);
  }
  return new Map(
    [...grids]
      .filter(([, members]) => members.length > COLUMN_ROWS)
      .map(([name, members]) => [name, members.sort((a, b) => b.usd - a.usd).map(({ id }) => id)] as const),
  );
}

/** New places by key: of pinned addresses none, and the subject stays where it is. `room` is the window that shows them. */
export function arrangedPlaces(scene: Scene, laidOut: ElkNode, room: Room | null = null): Map<string, Point> {
  const shown = shownOf(scene);
  const placed = withGrids(laidOut, gridsOf(shown));
  const chains = new Map(shown.nodes.map(({ id, node }) => [id, node.chain]));
  const byId = new Set(chains.values()).size > 1 && room ? inLanes(placed, chains, room) : folded(placed, room);
  const anchor = shown.nodes.find(({ id }) => id === scene.subject) ?? shown.nodes[0];
  const origin = anchor && byId.get(anchor.id);
  if (!anchor || !origin) return new Map();
  const places = new Map<string, Point>();
  for (const { id, keys, node } of shown.nodes) {
    const place = byId.get(id);
    if (!place || (node.pinned && keys.length === 1)) continue;
    const at = { x: Math.round(place.x - origin.x + anchor.x), y: Math.round(place.y - origin.y + anchor.y) };
    for (const key of keys) places.set(key, at);
  }
  return places;
}

/** The middle of each card: those of a grid column by column. */
function withGrids({ children = [] }: ElkNode, grids: ReadonlyMap<string, string[]>): Map<string, Point> {
  const places = new Map<string, Point>();
  for (const { id, x = 0, y = 0 } of children) {
    const members = grids.get(id) ?? [id];
    members.forEach((member, n) => {
      const [column, row] = [Math.floor(n / COLUMN_ROWS), n % COLUMN_ROWS];
      // Payers of a hub stand at its left: the largest next to it.
      const at = id.startsWith('grid:in:') ? Math.ceil(members.length / COLUMN_ROWS) - 1 - column : column;
      places.set(member, { x: x + at * COLUMN + NODE_WIDTH / 2, y: y + row * ROW + NODE_HEIGHT / 2 });
    });
  }
  return places;
}

/** Size of a window. */
export interface Room {
  width: number;
  height: number;
}

/** Folds a picture that is too wide to be read into bands below each other, as lines of a text. */
function folded(places: Map<string, Point>, room: Room | null): Map<string, Point> {
  if (!room || places.size === 0) return places;
  const columnOf = columnFrom(leftOf(places));
  const spans = spansOf(places, columnOf);
  const columns = Math.max(...spans.keys()) + 1;
  const whole = scaleIn(sizeInBands(spans, columns), room);
  if (whole >= READABLE) return places;
  const dense = stacked(places, columnOf);
  let best = { scale: whole, kind: places, perBand: columns };
  for (const kind of [places, dense]) {
    const own = spansOf(kind, columnOf);
    for (let bands = 1; bands <= Math.min(columns, BANDS_MAX); bands++) {
      // One column alone would have every arrow lead back around its cards.
      const perBand = Math.max(Math.min(2, columns), Math.ceil(columns / bands));
      const scale = scaleIn(sizeInBands(own, perBand), room);
      if (scale > best.scale) best = { scale, kind, perBand };
    }
  }
  return best.scale >= FOLD_FROM * whole ? inBands(best.kind, columnOf, best.perBand) : places;
}

/** Room between the lanes of two chains, for their names and for the bridges between them. */
const LANE_GAP = 2.2 * ROW;

/**
 * Sets each chain in a lane of its own below that from which money first came to it, so that bridges lead down. Columns are those of the
 * whole picture where it can be read so; else each lane begins at the left and is folded as a text is.
 */
function inLanes(places: Map<string, Point>, chains: ReadonlyMap<string, string>, room: Room): Map<string, Point> {
  const lanes = new Map<string, Map<string, Point>>();
  for (const [id, at] of [...places].sort(([, a], [, b]) => a.x - b.x)) {
    const chain = chains.get(id) ?? '';
    lanes.set(chain, (lanes.get(chain) ?? new Map()).set(id, at));
  }
  const columns = Math.max(...spansOf(places, columnFrom(leftOf(places))).keys()) + 1;
  const lanesOf = (isDense: boolean, isFolded: boolean) =>
    [...lanes.values()].map((own) => {
      const columnOf = columnFrom(leftOf(isFolded ? own : places));
      const kind = isDense ? stacked(own, columnOf) : own;
      return { places: kind, columnOf, spans: spansOf(kind, columnOf) };
    });
  type Lanes = { scale: number; kind: ReturnType<typeof lanesOf>; perBand: number };
  const measured = (kind: Lanes['kind'], perBand: number): Lanes => {
    const heights = kind.map(({ spans }) => sizeInBands(spans, perBand).height + LANE_GAP);
    const height = heights.reduce((sum, one) => sum + one, -LANE_GAP);
    return { scale: scaleIn({ width: perBand * COLUMN, height }, room), kind, perBand };
  };
  const better = (one: Lanes, other: Lanes) => (other.scale > one.scale ? other : one);
  const stairs = better(measured(lanesOf(false, false), columns), measured(lanesOf(true, false), columns));
  let best = stairs;
  if (stairs.scale < READABLE)
    for (const kind of [lanesOf(false, true), lanesOf(true, true)])
      for (let perBand = Math.min(2, columns); perBand <= Math.min(columns, BANDS_MAX); perBand++)
        best = better(best, measured(kind, perBand));
  const { kind, perBand } = best.scale >= FOLD_FROM * stairs.scale ? best : stairs;
  const found = new Map<string, Point>();
  let top = 0;
  for (const lane of kind) {
    for (const [id, { x, y }] of inBands(lane.places, lane.columnOf, perBand)) found.set(id, { x, y: top + y });
    top += sizeInBands(lane.spans, perBand).height + LANE_GAP;
  }
  return found;
}

function leftOf(places: ReadonlyMap<string, Point>): number {
  return Math.min(...[...places.values()].map(({ x }) => x));
}

function columnFrom(left: number): ColumnOf {
  return ({ x }) => Math.round((x - left) / COLUMN);
}

type ColumnOf = (at: Point) => number;

/** Every column without the room between its rows, around one middle. */
function stacked(places: ReadonlyMap<string, Point>, columnOf: ColumnOf): Map<string, Point> {
  const columns = new Map<number, [string, Point][]>();
  for (const one of places) {
    const column = columnOf(one[1]);
    const known = columns.get(column);
    if (known) known.push(one);
    else columns.set(column, [one]);
  }
  return new Map(
    [...columns.values()].flatMap((members) => {
      const sorted = members.sort(([, a], [, b]) => a.y - b.y);
      const top = -Math.floor((sorted.length - 1) / 2) * ROW;
      return sorted.map(([id, { x }], row): [string, Point] => [id, { x, y: top + row * ROW }]);
    }),
  );
}

/** The first and the last row of what stands together. */
interface Span {
  top: number;
  bottom: number;
}

function joined(known: Span | undefined, { top, bottom }: Span): Span {
  return known ? { top: Math.min(known.top, top), bottom: Math.max(known.bottom, bottom) } : { top, bottom };
}

/** The span of each column: enough to measure a picture in bands without making it, for each of many widths. */
function spansOf(places: ReadonlyMap<string, Point>, columnOf: ColumnOf): Map<number, Span> {
  const spans = new Map<number, Span>();
  for (const at of places.values()) {
    const column = columnOf(at);
    spans.set(column, joined(spans.get(column), { top: at.y, bottom: at.y }));
  }
  return spans;
}

function bandsOf(spans: ReadonlyMap<number, Span>, perBand: number): Map<number, Span> {
  const bands = new Map<number, Span>();
  for (const [column, span] of spans) {
    const band = Math.floor(column / perBand);
    bands.set(band, joined(bands.get(band), span));
  }
  return bands;
}

/** The size of what `inBands` makes. */
function sizeInBands(spans: ReadonlyMap<number, Span>, perBand: number): Room {
  let height = -ROW;
  for (const { top, bottom } of bandsOf(spans, perBand).values()) height += bottom - top + 2 * ROW;
  return { width: perBand * COLUMN, height };
}

/** Breaks the columns into bands of `perBand`, one below the other. */
function inBands(places: ReadonlyMap<string, Point>, columnOf: ColumnOf, perBand: number): Map<string, Point> {
  const tops = new Map<number, { from: number; to: number }>();
  let next = 0;
  for (const [band, { top, bottom }] of [...bandsOf(spansOf(places, columnOf), perBand)].sort(([a], [b]) => a - b)) {
    tops.set(band, { from: top, to: next });
    next += bottom - top + 2 * ROW;
  }
  const found = new Map<string, Point>();
  for (const [id, at] of places) {
    const column = columnOf(at);
    const { from, to } = tops.get(Math.floor(column / perBand))!;
    found.set(id, { x: (column % perBand) * COLUMN, y: to + at.y - from });
  }
  return found;
}

function scaleIn({ width, height }: Room, room: Room): number {
  return Math.min(room.width / width, room.height / height);
}

function byDistance({ nodes, edges }: Shown, subject: string | null): string[] {
  const ids = nodes.map(({ id }) => id);
  if (subject === null || !ids.includes(subject)) return ids;
  return [...new Set([...distancesFrom(subject, edges).keys(), ...ids])];
}

/**
 * How many steps away each id is that can be reached from `start` along links in either direction, the nearest first. Through an opened
 * transaction, of which each link is one side, it is one step.
 */
export function distancesFrom(
  start: string,
  links: readonly { from: string; to: string; part?: string | undefined }[],
): Map<string, number> {
  const near = new Map<string, string[]>();
  const link = (from: string, to: string) => {
    const known = near.get(from);
    if (known) known.push(to);
    else near.set(from, [to]);
  };
  const opened = new Set<string>();
  for (const { from, to, part } of links) {
    if (part !== undefined) opened.add(part === 'gave' ? to : from);
    link(from, to);
    link(to, from);
  }
  const distances = new Map([[start, 0]]);
  // A map also visits what is added while it is read.
  for (const [id, steps] of distances)
    for (const one of near.get(id) ?? [])
      if (!distances.has(one)) distances.set(one, opened.has(one) ? steps : steps + 1);
  return distances;
}
