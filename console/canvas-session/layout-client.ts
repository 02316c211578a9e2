import ELK, { type ElkNode, type ELK as Layout } from 'elkjs/lib/elk-api.js';
import worker from 'elkjs/lib/elk-worker.min.js?url';
import type { Scene } from '../../src/domain/scene/scene.ts';
import { NODE_HEIGHT, NODE_WIDTH, shownOf } from '../../src/domain/scene/shown.ts';
import { arrangedPlaces, LAYOUT_OPTIONS, layoutGraph, type Room } from '../scene/arrange.ts';
import type { Point } from '../scene/edits.ts';

/** From here on a cold worker takes longer than half a second. */
const WARM_EDGES = 100;
const WARM_TIMES = 8;

let layout: Layout | null = null;
let isWarm = false;

/** Starts the layout's worker, which loads its code. */
export function startLayout(): Layout {
  layout ??= new ELK({ workerFactory: () => new Worker(worker) });
  return layout;
}

/**
 * Lets the worker of a picture with many arrows work until its code is compiled: a large picture takes half as long
 * then. It costs two seconds of processor, which a small picture never needs.
 */
export function warmLayout(edges: number): void {
  if (isWarm || edges < WARM_EDGES) return;
  isWarm = true;
  const started = startLayout();
  const warm = async () => {
    // One after the other: a picture that comes meanwhile waits for one of them alone.
    for (let n = 0; n < WARM_TIMES; n++) await started.layout(sampleGraph());
  };
  void warm();
}

/** Small layers that are linked across each other. */
function sampleGraph(): ElkNode {
  const ids = Array.from({ length: 40 }, (_, n) => String(n));
  const steps = [4, 5, 7].flatMap((step) => ids.slice(step).map((to, n) => ({ from: String(n), to })));
  return {
    id: 'root',
    layoutOptions: LAYOUT_OPTIONS,
    children: ids.map((id) => ({ id, width: NODE_WIDTH, height: NODE_HEIGHT })),
    edges: steps.map(({ from, to }, n) => ({ id: `e${n}`, sources: [from], targets: [to] })),
  };
}

/** New places for all that a scene shows. */
export async function arrangeScene(scene: Scene, room: Room | null): Promise<Map<string, Point>> {
  const laidOut = await startLayout().layout(layoutGraph(shownOf(scene), scene.subject));
  return arrangedPlaces(scene, laidOut, room);
}
