import type { Replay } from '../replay.ts';

/** How an address pays on what the subject itself paid it, and how all other money. */
export interface SetOff {
  own: Replay;
  others: Replay;
}

/**
 * Sets what an address paid to the subject off against what the subject had paid it, as far as it still had that, in each asset: a
 * deposit that was repaid does not go where the address paid later. Null where nothing came back.
 */
export function setOff(replay: Replay, isSubject: (key: string) => boolean): SetOff | null {
  const held = new Map<string, number>();
  const own = [...replay.steps];
  const others = [...replay.steps];
  let isChanged = false;
  for (const [place, step] of replay.steps.entries()) {
    const { kind, asset, units, part, uncovered, transfer } = step;
    const ownUnits = held.get(asset) ?? 0;
    if (kind === 'receipt' && transfer && isSubject(transfer.from)) held.set(asset, ownUnits + units);
    if (kind === 'receipt' || ownUnits === 0) continue;
    if (kind !== 'payment' || !transfer || !isSubject(transfer.to) || part === 0) {
      held.set(asset, kind === 'gap' ? 0 : ownUnits * (1 - part));
      continue;
    }
    const back = Math.min(ownUnits, units);
    const otherUnits = (units - uncovered) / part - ownUnits;
    own[place] = { ...step, part: partOf(back, ownUnits) };
    others[place] = { ...step, part: otherUnits > 0 ? partOf(units - back, otherUnits) : part };
    held.set(asset, ownUnits - back);
    isChanged = true;
  }
  return isChanged ? { own: { ...replay, steps: own }, others: { ...replay, steps: others } } : null;
}

/** Parts are rounded: next to all is all. */
function partOf(units: number, whole: number): number {
  return units > whole * (1 - 1e-12) ? 1 : units / whole;
}
