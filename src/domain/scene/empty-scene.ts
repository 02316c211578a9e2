import { SCENE_VERSION } from './bounds.ts';
// Types alone: the console draws an empty board before it loads the schema of boards.
import type { Scene, SceneAddress, SceneNode } from './scene.ts';

/** A picture without anything. */
export const EMPTY_SCENE: Scene = {
  version: SCENE_VERSION,
  subject: null,
  followed: null,
  nodes: [],
  flows: [],
  groups: [],
  texts: [],
  filters: { from: null, to: null, min_usd: null, assets: [], categories: [], direction: 'both', followed_only: false },
  view: { x: 0, y: 0, zoom: 1 },
};

/** The node of an address of which nothing is known. */
export function bareNode({ chain, address }: SceneAddress): SceneNode {
  return {
    key: `${chain}:${address}`,
    chain,
    address,
    label: null,
    category: 'unknown',
    entity: null,
    read: null,
    x: 0,
    y: 0,
    pinned: false,
    hidden: false,
    colour: null,
    note: null,
    group: null,
    bundle: null,
  };
}
