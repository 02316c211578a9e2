import type { Scene, SceneNode } from '../../src/domain/scene/scene.ts';
import { bundleId, partners } from './bundles.ts';
import type { Point } from './edits.ts';

/** Distance of columns and rows. */
export const COLUMN = 340;
export const ROW = 64;

/** Places the new nodes beside those that they deal with, payees at the right, and moves nothing that stands. */
export function placeNew(scene: Scene, isNew: (key: string) => boolean): Scene {
  const wanted = scene.nodes.filter(({ key }) => isNew(key));
  if (wanted.length === 0) return scene;
  const places = placesFor(
    scene,
    wanted.map(({ key }) => key),
  );
  return { ...scene, nodes: scene.nodes.map((node) => ({ ...node, ...places.get(node.key) })) };
}

/** Free places for some nodes of a scene, near those that they deal with. */
export function placesFor({ nodes, flows, subject }: Scene, keys: readonly string[]): Map<string, Point> {
  const waiting = new Set(keys);
  const cells = new Set<string>();
  const places = new Map<string, Point>();
  const bundles = new Map<string, Point>();
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const only = partners(flows);
  const neighbours = neighboursOf(flows);
  for (const node of nodes) {
    if (waiting.has(node.key)) continue;
    places.set(node.key, node);
    if (node.bundle === null) take(cells, node);
    else bundles.set(bundleId(node.bundle, only.get(node.key)?.side ?? 'sent'), node);
  }
  const queue = subject === null || waiting.has(subject) ? [...waiting] : [subject, ...places.keys()];
  if (subject !== null && waiting.has(subject)) queue.unshift(subject);
  for (let i = 0; i < queue.length || waiting.size > 0; i++) {
    const key = queue[i] ?? (waiting.values().next().value as string);
    if (waiting.has(key)) set(key, freeNear(cells, 0, 0));
    // The largest first: rows near the middle are the best ones.
    for (const [far, step] of neighbours.get(key) ?? []) {
      if (!waiting.has(far)) continue;
      const near = places.get(key) as Point;
      set(far, placeBeside(byKey.get(far) as SceneNode, near, step));
      queue.push(far);
    }
  }
  return new Map(keys.map((key) => [key, places.get(key) as Point]));

  function set(key: string, place: Point) {
    waiting.delete(key);
    places.set(key, place);
  }

  /** All of one bundle stand where its node does. */
  function placeBeside({ key, bundle }: SceneNode, near: Point, step: number): Point {
    if (bundle === null) return freeNear(cells, near.x + step * COLUMN, near.y);
    const id = bundleId(bundle, only.get(key)?.side ?? 'sent');
    const place = bundles.get(id) ?? freeNear(cells, near.x + step * COLUMN, near.y);
    bundles.set(id, place);
    return place;
  }
}

/** The partners of each address, the largest sums first; 1 for payees, -1 for payers. */
function neighboursOf(flows: Scene['flows']): Map<string, [key: string, step: 1 | -1][]> {
  const found = new Map<string, [string, 1 | -1][]>();
  const add = (key: string, far: string, step: 1 | -1) => {
    const known = found.get(key);
    if (known) known.push([far, step]);
    else found.set(key, [[far, step]]);
  };
  for (const { from, to } of flows.toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0))) {
    add(from, to, 1);
    add(to, from, -1);
  }
  return found;
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
