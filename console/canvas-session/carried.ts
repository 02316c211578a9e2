import { goTo, linkTo } from '../browser/route.ts';
import type { Additions, NodeFacts } from '../scene/additions.ts';

/** Contents that another page wants drawn: an answer, or rows that name addresses. */
export type CarriedAnswer =
  | {
      start: string | null;
      additions: Additions;
      /** Addresses that are drawn without a flow too, with what moved between them. */
      own?: NodeFacts[];
    }
  | { rows: unknown[][] };

let waiting: CarriedAnswer | null = null;

/** Opens a canvas that draws what is carried there: a saved board by its id, else a new one. */
export function carryToCanvas(carried: CarriedAnswer, boardId: string): void {
  waiting = carried;
  goTo(linkTo('investigate', boardId ? ['board', boardId] : []));
}

/** Returns what waits for the next canvas; only the first that asks gets it. */
export function takeCarried(): CarriedAnswer | null {
  const taken = waiting;
  waiting = null;
  return taken;
}
