import { begun, grown } from '../scene/grow.ts';
import { keysOfRow, ofPairs, pairsOfRows } from '../scene/rows.ts';
import { add, arrange, listPairs, PAIRS_MAX } from './asks.ts';
import type { CarriedAnswer } from './carried.ts';
import type { Desk } from './desk.ts';

/** Adds what another page found to the picture; of rows also what moved between their addresses. */
export async function drawCarried(desk: Desk, carried: CarriedAnswer, signal: AbortSignal): Promise<void> {
  const isFirst = desk.stage.value.scene.nodes.length === 0;
  if ('rows' in carried) {
    const nodes = carried.rows.flatMap((row) => keysOfRow(row).map((key) => ({ key })));
    desk.edit((scene) => grown(scene, { nodes, flows: [] }, { alone: true }));
    const pairs = pairsOfRows(carried.rows).slice(0, PAIRS_MAX);
    if (pairs.length > 0) {
      const answer = await listPairs(pairs, signal);
      desk.learn((scene) => grown(scene, ofPairs(answer)));
    }
  } else {
    const { start, additions, alone = [] } = carried;
    if (isFirst && start !== null) desk.learn((scene) => begun(scene, start));
    await add(desk, additions, signal);
    const nodes = alone.map((key) => ({ key }));
    if (nodes.length > 0) desk.learn((scene) => grown(scene, { nodes, flows: [] }, { alone: true }));
  }
  if (isFirst) await arrange(desk);
}
