import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { Scene } from '../../src/domain/scene/scene.ts';
import type { Point } from './edits.ts';
import { COLUMN, ROW } from './place.ts';
import { type Shown, shownOf } from './shown.ts';

/** Size of a drawn node; columns leave room for the amounts between them. */
export const NODE_WIDTH = 172;
export const NODE_HEIGHT = 44;

const OPTIONS = {
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
    layoutOptions: { ...OPTIONS, 'elk.layered.thoroughness': isLarge ? '1' : '7' },
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
  const far = new Map<string, string[]>();
  const link = (from: string, to: string) => far.set(from, [...(far.get(from) ?? []), to]);
  for (const { from, to } of edges) {
    link(from, to);
    link(to, from);
  }
  const ids = new Set(nodes.map(({ id }) => id));
  const reached = new Set(subject !== null && ids.has(subject) ? [subject] : []);
  for (const id of reached) for (const one of far.get(id) ?? []) if (ids.has(one)) reached.add(one);
  return [...reached, ...[...ids].filter((id) => !reached.has(id))];
}
