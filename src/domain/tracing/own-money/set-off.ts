import type { Replay } from '../replay.ts';
import type { Swap } from '../replay-step.ts';

/** How an address pays on what the subject itself paid it, and how all other money. */
export interface SetOff {
  own: Replay;
  others: Replay;
}

/**
 * Sets what an address paid to the subject off against what the subject had paid it, as far as it still had that, in each asset: a
 * deposit that was repaid does not go where the address paid later. What swaps made of it is divided like all other money. Null where
 * nothing came back.
 */
export function setOff(replay: Replay, isSubject: (key: string) => boolean): SetOff | null {
  const isRepaid = replay.steps.some(({ kind, transfer }) => kind === 'payment' && transfer && isSubject(transfer.to));
  if (!isRepaid) return null;
  const held = new Map<string, number>();
  const carried = assetsReached(replay, isSubject);
  /** Assets in which it holds what swaps made of the subject's money: how much of them is the subject's is not known. */
  const mixed = new Set<string>();
  const own = [...replay.steps];
  const others = [...replay.steps];
  let isChanged = false;
  for (const [place, step] of replay.steps.entries()) {
    const { kind, asset, units, part, uncovered, transfer } = step;
    if (kind === 'receipt' && step.swap?.given.some((given) => carried.has(given.asset))) {
      mixed.add(asset);
      held.delete(asset);
    }
    if (mixed.has(asset)) {
      if (kind === 'payment' && part === 1) mixed.delete(asset);
      continue;
    }
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

/** Returns the assets in which the subject's money can be at the address: as it was paid, and as swaps changed it. */
function assetsReached({ steps }: Replay, isSubject: (key: string) => boolean): ReadonlySet<string> {
  const reached = new Set<string>();
  const swaps = new Set<Swap>();
  for (const { kind, asset, transfer, swap } of steps) {
    if (kind === 'receipt' && transfer && isSubject(transfer.from)) reached.add(asset);
    if (swap) swaps.add(swap);
  }
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { given, got } of swaps) {
      if (given.some(({ asset }) => reached.has(asset))) for (const { asset } of got) reached.add(asset);
    }
  }
  return reached;
}

/** Parts are rounded: next to all is all. */
function partOf(units: number, whole: number): number {
  return units > whole * (1 - 1e-12) ? 1 : units / whole;
}
