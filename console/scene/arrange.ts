import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { NODE_HEIGHT, NODE_WIDTH, type Shown, shownOf } from '../../src/domain/scene/shown.ts';
import type { Point } from './edits.ts';
import { COLUMN, ROW } from './place.ts';

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

/** The picture as the layout engine takes it, nodes in the order of their distance from the subject. */
export function layoutGraph(shown: Shown, subject: string | null): ElkNode {
  const isLarge = shown.edges.length > LARGE_EDGES;
  return {
    id: 'root',
    layoutOptions: { ...LAYOUT_OPTIONS, 'elk.layered.thoroughness': isLarge ? '1' : '7' },
    children: byDistance(shown, subject).map((id) => ({ id, width: NODE_WIDTH, height: NODE_HEIGHT })),
    edges: shown.edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  };
}

/** New places by key: of pinned addresses none, and the subject stays where it is. */
export function arrangedPlaces(scene: Scene, laidOut: ElkNode): Map<string, Point> {
  const shown = shownOf(scene);
  const byId = new Map((laidOut.children ?? []).map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
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

function byDistance({ nodes, edges }: Shown, subject: string | null): string[] {
  const ids = nodes.map(({ id }) => id);
  if (subject === null || !ids.includes(subject)) return ids;
  return [...new Set([...distancesFrom(subject, edges).keys(), ...ids])];
}

/** How many steps away each id is that can be reached from `start` along links in either direction, the nearest first. */
export function distancesFrom(start: string, links: readonly { from: string; to: string }[]): Map<string, number> {
  const near = new Map<string, string[]>();
  const link = (from: string, to: string) => {
    const known = near.get(from);
    if (known) known.push(to);
    else near.set(from, [to]);
  };
  for (const { from, to } of links) {
    link(from, to);
    link(to, from);
  }
  const distances = new Map([[start, 0]]);
  // A map also visits what is added while it is read.
  for (const [id, steps] of distances)
    for (const one of near.get(id) ?? []) if (!distances.has(one)) distances.set(one, steps + 1);
  return distances;
}
