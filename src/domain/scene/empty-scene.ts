import { SCENE_VERSION } from './bounds.ts';
import type { Scene } from './scene.ts';

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
