import { bundleId, type HubSide, partners } from './bundles.ts';
import type { Scene, SceneFlow, SceneNode } from './scene.ts';
import { added, isLetThrough, type Sum, sumOf, usdOf } from './sums.ts';

/** Size of a drawn node, in the units of a scene. */
export const NODE_WIDTH = 150;
export const NODE_HEIGHT = 44;

/** A node of the picture: an address, an opened transaction, the rest of a hub, or a folded group. */
export interface ShownNode {
  /** Its middle. */
  x: number;
  y: number;
  id: string;
  kind: 'address' | 'transaction' | 'bundle' | 'group';
  /** Keys of the addresses that it stands for. */
  keys: string[];
  /** The address; of a group and a bundle the first one. */
  node: SceneNode;
  /** Id of the unfolded group around it. */
  group: string | null;
}

/** An arrow of the picture: everything that moved from one node to another. */
export interface ShownEdge extends Sum {
  id: string;
  from: string;
  to: string;
  flows: SceneFlow[];
  share: number | null;
}

/** Returns true for an arrow over a bridge. */
export function isCrossing({ flows }: ShownEdge): boolean {
  return flows.some(({ bridge }) => bridge !== null);
}

export interface Shown {
  nodes: ShownNode[];
  edges: ShownEdge[];
}

/** The picture of a scene: without what is hidden or filtered out, bundles and folded groups as one node. */
export function shownOf(scene: Scene): Shown {
  const idOf = shownIds(scene);
  const moved = movedFlows(scene);
  const edges = edgesOf(moved, idOf);
  const touched = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const isFiltered = moved.length < scene.flows.length;
  const connected = isFiltered ? new Set(scene.flows.flatMap(({ from, to }) => [from, to])) : touched;
  const nodes = new Map<string, ShownNode>();
  for (const node of scene.nodes) {
    const id = idOf.get(node.key);
    if (id === undefined) continue;
    // Without a flow it is shown where filters took none from it.
    if (!touched.has(id) && connected.has(node.key) && node.key !== scene.subject) continue;
    const known = nodes.get(id);
    if (known) known.keys.push(node.key);
    else
      nodes.set(id, {
        id,
        kind: kindOf(id, node),
        keys: [node.key],
        node,
        group: groupOf(scene, id, node),
        x: node.x,
        y: node.y,
      });
  }
  return { nodes: [...nodes.values()], edges: edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to)) };
}

/** The node of the picture that stands for each address that is not hidden. */
export function shownIds({ nodes, groups, flows }: Scene): Map<string, string> {
  const folded = new Set(groups.filter(({ collapsed }) => collapsed).map(({ id }) => id));
  const only = nodes.some(({ bundle }) => bundle !== null) ? partners(flows) : new Map();
  const ids = new Map<string, string>();
  for (const { key, hidden, bundle, group } of nodes) {
    if (hidden) continue;
    if (bundle !== null) ids.set(key, bundleId(bundle, (only.get(key)?.side ?? 'sent') as HubSide));
    else ids.set(key, group !== null && folded.has(group) ? group : key);
  }
  return ids;
}

/** The flows that the filters let through, with what they moved then. */
export function movedFlows(scene: Scene): { flow: SceneFlow; sum: Sum }[] {
  const { filters, nodes, flows } = scene;
  const categories = new Set(filters.categories);
  const categoryOf = new Map(nodes.map(({ key, category }) => [key, category]));
  const isOfParty = ({ from, to }: SceneFlow) =>
    categories.size === 0 || [from, to].some((key) => categories.has(categoryOf.get(key) ?? 'unknown'));
  const onWay = waysOf(scene);
  return flows.flatMap((flow) => {
    if (filters.followed_only && flow.share === null) return [];
    if (!isOfParty(flow) || !onWay(flow)) return [];
    const sum = sumOf(flow, filters);
    if (!sum) return [];
    // Beside a part without a price, the others count.
    const usd = () => sum.usd ?? usdOf(flow.transfers.filter((one) => isLetThrough(one, filters))) ?? 0;
    if (filters.min_usd !== null && usd() < filters.min_usd) return [];
    return [{ flow, sum }];
  });
}

/** Tests that a flow lies on a way from the subject, or to it, as the direction says. */
function waysOf({ filters: { direction }, subject, followed, flows }: Scene): (flow: SceneFlow) => boolean {
  const start = followed?.key ?? subject;
  if (direction === 'both' || start === null) return () => true;
  const [near, far] = direction === 'sent' ? (['from', 'to'] as const) : (['to', 'from'] as const);
  const next = new Map<string, string[]>();
  for (const flow of flows) next.set(flow[near], [...(next.get(flow[near]) ?? []), flow[far]]);
  const reached = new Set([start]);
  // A set also visits what is added while it is read.
  for (const key of reached) for (const one of next.get(key) ?? []) reached.add(one);
  return (flow) => reached.has(flow[near]);
}

function edgesOf(moved: ReturnType<typeof movedFlows>, idOf: Map<string, string>): ShownEdge[] {
  const byId = new Map<string, { from: string; to: string; parts: typeof moved }>();
  for (const part of moved) {
    const { flow } = part;
    const [from, to] = [idOf.get(flow.from), idOf.get(flow.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const isSingle = from === flow.from && to === flow.to;
    const id = isSingle ? flow.id : `${from}>${to}`;
    const known = byId.get(id);
    if (known) known.parts.push(part);
    else byId.set(id, { from, to, parts: [part] });
  }
  return [...byId].map(([id, { from, to, parts }]) => ({
    id,
    from,
    to,
    flows: parts.map(({ flow }) => flow),
    share: shareOf(parts.map(({ flow }) => flow)),
    ...(parts.length === 1 ? (parts[0] as { sum: Sum }).sum : added(parts.map(({ sum }) => sum))),
  }));
}

function shareOf(flows: readonly SceneFlow[]): number | null {
  const shares = flows.flatMap(({ share }) => (share === null ? [] : [share]));
  return shares.length === 0
    ? null
    : Math.min(
        1,
        shares.reduce((sum, share) => sum + share, 0),
      );
}

function kindOf(id: string, { key, transaction }: SceneNode): ShownNode['kind'] {
  if (id === key) return transaction ? 'transaction' : 'address';
  return id.startsWith('bundle:') ? 'bundle' : 'group';
}

function groupOf({ groups }: Scene, id: string, { key, group }: SceneNode): string | null {
  return group !== null && group !== id && groups.some((one) => one.id === group) && id === key ? group : null;
}
