import type { Scene, SceneNode } from '../../src/domain/scene/scene.ts';

/** A scene with its history. */
export interface Stage {
  past: readonly Scene[];
  scene: Scene;
  future: readonly Scene[];
}

export type Edit = (scene: Scene) => Scene;

/** Steps that can be undone. Scenes share what did not change. */
const STEPS_MAX = 200;

export function stageOf(scene: Scene): Stage {
  return { past: [], scene, future: [] };
}

/** An edit that can be undone; nothing where it changes nothing. */
export function edited(stage: Stage, edit: Edit): Stage {
  const scene = edit(stage.scene);
  if (scene === stage.scene) return stage;
  return { past: [...stage.past, stage.scene].slice(-STEPS_MAX), scene, future: [] };
}

/** Applies an edit that is not a step of undo: facts that arrive, and where the picture is looked at. */
export function learned(stage: Stage, edit: Edit): Stage {
  return { ...stage, scene: edit(stage.scene) };
}

/** True where two scenes differ in nothing but where the picture is looked at. */
export function isSamePicture(a: Scene, b: Scene): boolean {
  const parts = Object.keys({ ...a, ...b }) as (keyof Scene)[];
  return parts.every((part) => part === 'view' || a[part] === b[part]);
}

/** The scene before, looked at from where the reader is now. What was read stays read: it was paid for. */
export function undone({ past, scene, future }: Stage): Stage {
  const before = past.at(-1);
  if (!before) return { past, scene, future };
  const nodes = stillRead(before.nodes, scene.nodes);
  return { past: past.slice(0, -1), scene: { ...before, nodes, view: scene.view }, future: [scene, ...future] };
}

/** The same nodes where nothing was read since, so that they are the same picture. */
function stillRead(before: SceneNode[], now: readonly SceneNode[]): SceneNode[] {
  const read = new Set(now.filter((node) => node.read).map(({ key }) => key));
  const isNewlyRead = (node: SceneNode) => !node.read && read.has(node.key);
  return before.some(isNewlyRead) ? before.map((node) => (isNewlyRead(node) ? { ...node, read: true } : node)) : before;
}

export function redone({ past, scene, future }: Stage): Stage {
  const [after] = future;
  if (!after) return { past, scene, future };
  return { past: [...past, scene], scene: { ...after, view: scene.view }, future: future.slice(1) };
}
