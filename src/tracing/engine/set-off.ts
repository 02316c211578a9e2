import type { Replay } from './replay.ts';
import type { ReplayStep, Swap } from './replay-step.ts';

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
  /** Units of the subject's own money, by pool. */
  const held = new Map<string, number>();
  const carried = assetsReached(replay, isSubject);
  /** Assets in which it holds what swaps made of the subject's money: how much of them is the subject's is not known. */
  const mixed = new Set<string>();
  const own = [...replay.steps];
  const others = [...replay.steps];
  let isChanged = false;
  for (const [place, step] of replay.steps.entries()) {
    const { kind, asset, pool, into, units, part, uncovered, transfer } = step;
    if (kind === 'receipt' && step.swap?.given.some((given) => carried.has(given.asset))) {
      mixed.add(asset);
      for (const name of [pool, asset]) held.delete(name);
    }
    if (mixed.has(asset)) {
      if (kind === 'payment' && pool === asset && part === 1) mixed.delete(asset);
      continue;
    }
    const ownUnits = held.get(pool) ?? 0;
    if (kind === 'receipt' && transfer && isSubject(transfer.from)) held.set(pool, ownUnits + units);
    if (kind === 'receipt') continue;
    const goesBack = isReturn(replay, place, isSubject);
    if (!goesBack || part === 0 || ownUnits === 0) {
      // What came in within the transaction was enough: the subject's own still lies in the common balance.
      const before = held.get(asset) ?? 0;
      if (kind === 'payment' && goesBack && pool !== asset && ownUnits === 0 && before > 0) {
        const back = Math.min(before, units);
        own[place] = { ...step, pool: asset, part: partOf(back, before) };
        others[place] = { ...step, part: part * (1 - partOf(back, units)) };
        held.set(asset, before - back);
        isChanged = true;
        continue;
      }
      held.set(pool, kind === 'gap' ? 0 : ownUnits * (1 - part));
      if (into !== null) held.set(into, (held.get(into) ?? 0) + ownUnits * part);
      continue;
    }
    const back = Math.min(ownUnits, units);
    const otherUnits = (units - uncovered) / part - ownUnits;
    own[place] = { ...step, part: partOf(back, ownUnits) };
    others[place] = { ...step, part: otherUnits > 0 ? partOf(units - back, otherUnits) : part };
    held.set(pool, ownUnits - back);
    if (into !== null) held.set(into, (held.get(into) ?? 0) + back);
    isChanged = true;
  }
  return isChanged ? { own: { ...replay, steps: own }, others: { ...replay, steps: others } } : null;
}

/** True for a payment to the subject, and for what fills the pool that it draws on. */
function isReturn({ steps }: Replay, place: number, isSubject: (key: string) => boolean): boolean {
  const { kind, pool, asset, into } = steps[place] as ReplayStep;
  const { transfer } = (kind === 'move' && pool === asset ? steps[place + 1] : steps[place]) as ReplayStep;
  return transfer !== null && isSubject(transfer.to) && (into === null || steps[place + 1]?.pool === into);
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
