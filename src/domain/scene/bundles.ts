import type { Scene, SceneFlow } from './scene.ts';

/** Single partners of a hub that are drawn, the largest; the others go into one node. */
const DRAWN_MAX = 20;

export type HubSide = 'sent' | 'received';

/** Names the node of a hub's bundle. */
export function bundleId(hub: string, side: HubSide): string {
  return `bundle:${side}:${hub}`;
}

/** Puts the new addresses that deal with one hub alone into its bundle, but for the largest of each side. */
export function bundled(scene: Scene, isNew: (key: string) => boolean): Scene {
  const only = partners(scene.flows);
  const bySide = new Map<string, { hub: string; keys: [key: string, usd: number][] }>();
  for (const [key, { hub, side, usd }] of only) {
    if (!isNew(key) || hub === null || only.get(hub)?.hub === key) continue;
    const id = bundleId(hub, side);
    const group = bySide.get(id) ?? { hub, keys: [] };
    group.keys.push([key, usd]);
    bySide.set(id, group);
  }
  const bundleOf = new Map<string, string>();
  for (const { hub, keys } of bySide.values()) {
    // A bundle of one would take the same room.
    if (keys.length <= DRAWN_MAX + 1) continue;
    keys.sort((a, b) => b[1] - a[1]);
    for (const [key] of keys.slice(DRAWN_MAX)) if (key !== scene.subject) bundleOf.set(key, hub);
  }
  if (bundleOf.size === 0) return scene;
  return { ...scene, nodes: scene.nodes.map((node) => ({ ...node, bundle: bundleOf.get(node.key) ?? node.bundle })) };
}

interface Partner {
  /** The only address that it deals with; null where there are several. */
  hub: string | null;
  /** Seen from the hub, by the larger sum. */
  side: HubSide;
  usd: number;
}

/** Maps each address to the one that it deals with; null where there are several. */
export function partners(flows: readonly SceneFlow[]): Map<string, Partner> {
  const found = new Map<string, Partner & { most: number }>();
  const add = (key: string, far: string, side: HubSide, usd: number) => {
    const known = found.get(key);
    if (!known) found.set(key, { hub: far, side, usd, most: usd });
    else {
      if (known.hub !== far) known.hub = null;
      known.usd += usd;
      if (usd > known.most) Object.assign(known, { most: usd, side });
    }
  };
  for (const { from, to, usd } of flows) {
    add(to, from, 'sent', usd ?? 0);
    add(from, to, 'received', usd ?? 0);
  }
  return found;
}
