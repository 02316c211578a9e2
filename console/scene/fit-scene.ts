import { SCENE_BYTES_MAX } from '../../src/domain/scene/bounds.ts';
import type { Scene } from '../../src/domain/scene/scene.ts';

/** The scene without transfers of its smallest flows, where a board would not hold all: the API lists them again. */
export function fittingScene(scene: Scene): Scene {
  const tooMuch = bytesOf(scene) - SCENE_BYTES_MAX;
  if (tooMuch <= 0) return scene;
  let saved = 0;
  const emptied = new Set<string>();
  for (const { id, transfers } of scene.flows.toSorted((a, b) => (a.usd ?? 0) - (b.usd ?? 0))) {
    if (saved > tooMuch) break;
    if (transfers.length === 0) continue;
    emptied.add(id);
    saved += bytesOf(transfers) - 2;
  }
  return { ...scene, flows: scene.flows.map((flow) => (emptied.has(flow.id) ? { ...flow, transfers: [] } : flow)) };
}

/** The scene of a file or an answer; null where it is none, or of another version. */
export async function readScene(given: unknown): Promise<Scene | null> {
  // The checks are large, and a new canvas needs none of them.
  const { SceneSchema } = await import('../../src/domain/scene/scene.ts');
  const read = SceneSchema.safeParse(given);
  return read.success ? read.data : null;
}

function bytesOf(thing: unknown): number {
  return new TextEncoder().encode(JSON.stringify(thing)).length;
}
