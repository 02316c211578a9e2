import { bundleId, partners } from '../../src/domain/scene/bundles.ts';
import type { Scene, SceneNode } from '../../src/domain/scene/scene.ts';
import { type ShownNode, shownOf } from '../../src/domain/scene/shown.ts';
import { changeNodes, type Point } from './edits.ts';

/** Distance of columns and rows. */
export const COLUMN = 276;
export const ROW = 58;
/** Partners of a hub that stand in one column; more of them make a grid. */
export const COLUMN_ROWS = 12;

/** Places the new nodes next to their counterparties, payees at the right, and moves no other node. */
export function placeNew(scene: Scene, isNew: (key: string) => boolean): Scene {
  const wanted = scene.nodes.filter(({ key }) => isNew(key));
  if (wanted.length === 0) return scene;
  const places = placesFor(
    scene,
    wanted.map(({ key }) => key),
  );
  return { ...scene, nodes: scene.nodes.map((node) => ({ ...node, ...places.get(node.key) })) };
}

/** Moves from one another what is shown on one place, as members of a card are once it is unfolded; its pin goes. */
export function setApart(scene: Scene): Scene {
  const isStart = ({ id }: ShownNode) => id === scene.subject;
  const spotOf = ({ x, y }: ShownNode) => `${x} ${y}`;
  // The start stays, else the first.
  const nodes = shownOf(scene).nodes.toSorted((a, b) => Number(isStart(b)) - Number(isStart(a)));
  const kept = new Map(nodes.toReversed().map((node) => [spotOf(node), node]));
  const moved = nodes.filter((node) => kept.get(spotOf(node)) !== node);
  if (moved.length === 0) return scene;
  const covered = moved.flatMap((node) => [node, kept.get(spotOf(node))!]);
  const keysOf = (some: readonly ShownNode[]) => new Set(some.flatMap(({ keys }) => keys));
  const waiting = keysOf(moved);
  return placeNew(changeNodes(keysOf(covered), { pinned: false })(scene), (key) => waiting.has(key));
}

/** Free places for some nodes of a scene, near those that they deal with. */
function placesFor({ nodes, flows, subject }: Scene, keys: readonly string[]): Map<string, Point> {
  const waiting = new Set(keys);
  const cells = new Set<string>();
  const places = new Map<string, Point>();
  const bundles = new Map<string, Point>();
  const fans = new Map<string, number>();
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const only = partners(flows);
  for (const node of nodes) {
    if (waiting.has(node.key)) continue;
    places.set(node.key, node);
    take(cells, node);
    if (node.bundle !== null) bundles.set(bundleId(node.bundle, only.get(node.key)?.side ?? 'sent'), node);
  }
  const neighbours = neighboursOf(flows);
  const reached = largestFirst();
  for (const key of places.keys()) reached.add(neighbours.get(key) ?? []);
  if (subject !== null && waiting.has(subject)) set(subject, freeNear(cells, 0, 0));
  while (waiting.size > 0) {
    const link = reached.next();
    if (!link) set(waiting.values().next().value as string, freeNear(cells, 0, 0));
    else if (waiting.has(link.far)) set(link.far, placeBeside(byKey.get(link.far) as SceneNode, link));
  }
  return new Map(keys.map((key) => [key, places.get(key) as Point]));

  function set(key: string, place: Point) {
    waiting.delete(key);
    places.set(key, place);
    reached.add(neighbours.get(key) ?? []);
  }

  /** All of one bundle stand where its node does; partners of a hub column by column. */
  function placeBeside({ key, bundle }: SceneNode, link: Link): Point {
    if (bundle === null) return nextOf(link);
    const id = bundleId(bundle, only.get(key)?.side ?? 'sent');
    const place = bundles.get(id) ?? nextOf(link);
    bundles.set(id, place);
    return place;
  }

  /** Counts the partners that an address has on one side before any is placed. */
  function standing(near: string, step: Link['step']): number {
    const isSingle = ({ far }: Link) => places.has(far) && byKey.get(far)?.bundle === null;
    return (neighbours.get(near) ?? []).filter((link) => link.step === step && isSingle(link)).length;
  }

  function nextOf({ near, step }: Link): Point {
    const fan = `${near} ${step}`;
    const before = fans.get(fan) ?? standing(near, step);
    fans.set(fan, before + 1);
    const { x, y } = places.get(near) as Point;
    return freeNear(cells, x + step * COLUMN * (1 + Math.floor(before / COLUMN_ROWS)), y);
  }
}

/** A flow as seen from `near`; the step is 1 to a payee and -1 to a payer. */
interface Link {
  near: string;
  far: string;
  step: 1 | -1;
  /** Place among all flows, the largest sum first. */
  rank: number;
}

function neighboursOf(flows: Scene['flows']): Map<string, Link[]> {
  const found = new Map<string, Link[]>();
  const add = (link: Link) => {
    const known = found.get(link.near);
    if (known) known.push(link);
    else found.set(link.near, [link]);
  };
  flows
    .toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0))
    .forEach(({ from, to }, rank) => {
      add({ near: from, far: to, step: 1, rank });
      add({ near: to, far: from, step: -1, rank });
    });
  return found;
}

/**
 * Hands out links with the largest sum first: an address stands beside the one with which it moved most, and rows near
 * the middle are the best ones.
 */
function largestFirst() {
  const byRank: (Link | undefined)[] = [];
  let first = 0;
  return {
    add: (links: readonly Link[]) => {
      for (const link of links) {
        byRank[link.rank] = link;
        first = Math.min(first, link.rank);
      }
    },
    next: (): Link | undefined => {
      while (first < byRank.length && !byRank[first]) first += 1;
      const link = byRank[first];
      byRank[first] = undefined;
      return link;
    },
  };
}

/** The free cell of a column that is nearest to a height. */
function freeNear(cells: Set<string>, x: number, y: number): Point {
  const column = Math.round(x / COLUMN);
  const row = Math.round(y / ROW);
  for (let away = 0; ; away++) {
    for (const at of away === 0 ? [row] : [row + away, row - away]) {
      if (cells.has(`${column} ${at}`)) continue;
      const place = { x: column * COLUMN, y: at * ROW };
      take(cells, place);
      return place;
    }
  }
}

/** Takes all cells that a node touches: it may stand between them. */
function take(cells: Set<string>, { x, y }: Point): void {
  for (const column of [Math.floor(x / COLUMN), Math.ceil(x / COLUMN)]) {
    for (const row of [Math.floor(y / ROW), Math.ceil(y / ROW)]) cells.add(`${column} ${row}`);
  }
}
