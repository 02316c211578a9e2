import ELK, { type ELK as Layout } from 'elkjs/lib/elk-api.js';
import worker from 'elkjs/lib/elk-worker.min.js?url';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { arrangedPlaces, layoutGraph } from '../scene/arrange.ts';
import type { Point } from '../scene/edits.ts';
import { shownOf } from '../scene/shown.ts';

let layout: Layout | null = null;

/** Starts the layout's worker and lets it lay out something, so that the first picture need not wait for it. */
export function warmLayout(): void {
  if (layout) return;
  layout = new ELK({ workerFactory: () => new Worker(worker) });
  void layout.layout({ id: 'root', children: [{ id: 'one', width: 1, height: 1 }], edges: [] });
}

/** New places for all that a scene shows. */
export async function arrangeScene(scene: Scene): Promise<Map<string, Point>> {
  warmLayout();
  const laidOut = await (layout as Layout).layout(layoutGraph(shownOf(scene), scene.subject));
  return arrangedPlaces(scene, laidOut);
}
