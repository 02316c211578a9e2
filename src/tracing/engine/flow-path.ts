import { compare } from '../../domain/compare.ts';
import { addToGroup } from '../../domain/group-by.ts';
import {
  arrivalOf,
  mayPrecede,
  type PlacedTransfer,
  type TracedTransfer,
} from '../../domain/tracing/traced-transfer.ts';

// Search for money paths between two addresses. The graph is opened from both ends, one hop at a time, the
// cheaper front first; what was opened is a set of pairs in which every path up to the opened length lies.

/** All transfers from one address to another, or all crossings of bridges, summed up. */
export interface PairFlow {
  usd: number;
  /** Epoch ms of the first arrival and the last departure; without a bridge each transfer is both. */
  firstAt: number;
  lastAt: number;
}

/** Pairs of addresses opened so far: from an address to the addresses it paid. */
export type OpenedPairs = Map<string, Map<string, PairFlow>>;

/** Idempotent. Of transfers and crossings between the same two addresses the wider counts as the width of the pair. */
export function addPair(pairs: OpenedPairs, from: string, to: string, { usd, firstAt, lastAt }: PairFlow): void {
  const payees = pairs.get(from) ?? new Map<string, PairFlow>();
  const known = payees.get(to) ?? { usd, firstAt, lastAt };
  payees.set(to, {
    usd: Math.max(known.usd, usd),
    firstAt: Math.min(known.firstAt, firstAt),
    lastAt: Math.max(known.lastAt, lastAt),
  });
  pairs.set(from, payees);
}

/** Most steps of one enumeration; a denser neighbourhood is cut, and the answer says so. */
const STEPS_MAX = 50_000;

/**
 * Sequences of addresses from `from` to `to` of exactly `length` hops, none visited twice, widest pairs first,
 * at most `max` of them; with `timeOrdered` only those whose pairs leave room for later and later transfers.
 * `cut` is true when there may be more.
 */
export function sequences(
  pairs: OpenedPairs,
  {
    from,
    to,
    length,
    max,
    timeOrdered,
  }: { from: string; to: string; length: number; max: number; timeOrdered: boolean },
): { found: string[][]; cut: boolean } {
  const distance = distancesTo(pairs, to);
  const payeesOf = widestFirst(pairs);
  const found: string[][] = [];
  let steps = 0;
  const walk = (path: string[], arrivedAt: number): boolean => {
    const last = path[path.length - 1] as string;
    const left = length - (path.length - 1);
    if (left === 0) {
      if (found.length >= max) return false;
      found.push([...path]);
      return true;
    }
    for (const [next, { firstAt, lastAt }] of payeesOf(last)) {
      if (++steps > STEPS_MAX) return false;
      if ((distance.get(next) ?? Number.POSITIVE_INFINITY) > left - 1) continue;
      if (path.includes(next) || (next === to && left > 1) || (timeOrdered && lastAt < arrivedAt)) continue;
      path.push(next);
      const goOn = walk(path, Math.max(arrivedAt, firstAt));
      path.pop();
      if (!goOn) return false;
    }
    return true;
  };
  return { cut: !walk([from], Number.NEGATIVE_INFINITY), found };
}

function widestFirst(pairs: OpenedPairs): (address: string) => [string, PairFlow][] {
  const sorted = new Map<string, [string, PairFlow][]>();
  return (address) => {
    const known = sorted.get(address);
    if (known) return known;
    const payees = [...(pairs.get(address) ?? [])].sort(([a, x], [b, y]) => y.usd - x.usd || compare(a, b));
    sorted.set(address, payees);
    return payees;
  };
}

function distancesTo(pairs: OpenedPairs, to: string): Map<string, number> {
  const payers = new Map<string, string[]>();
  for (const [from, payees] of pairs) {
    for (const payee of payees.keys()) {
      addToGroup(payers, payee, from);
    }
  }
  const distance = new Map([[to, 0]]);
  const queue = [to];
  for (const address of queue) {
    for (const payer of payers.get(address) ?? []) {
      if (distance.has(payer)) continue;
      distance.set(payer, (distance.get(address) as number) + 1);
      queue.push(payer);
    }
  }
  return distance;
}

/**
 * One transfer per hop so that the smallest of them is as large as can be; with `timeOrdered` each one leaves after the
 * one before has arrived. Null when no such choice exists. Unpriced transfers count as 0.
 */
export function widestChoice<T extends PlacedTransfer & Pick<TracedTransfer, 'bridge'>>(
  hops: T[][],
  timeOrdered: boolean,
): T[] | null {
  interface Choice {
    transfer: T;
    arrival: PlacedTransfer;
    bottleneck: number;
    before: Choice | null;
  }
  let choices: Choice[] | null = null;
  for (const transfers of hops) {
    const next: Choice[] = [];
    for (const transfer of transfers) {
      let before: Choice | null = null;
      for (const choice of choices ?? []) {
        if (timeOrdered && !mayPrecede(choice.arrival, transfer)) continue;
        if (before === null || choice.bottleneck > before.bottleneck) before = choice;
      }
      if (choices !== null && before === null) continue;
      const bottleneck = Math.min(transfer.usd, before?.bottleneck ?? Number.POSITIVE_INFINITY);
      next.push({ transfer, arrival: arrivalOf(transfer), bottleneck, before });
    }
    choices = next;
    if (choices.length === 0) return null;
  }
  const best = (choices ?? []).reduce<Choice | null>(
    (widest, choice) => (widest === null || choice.bottleneck > widest.bottleneck ? choice : widest),
    null,
  );
  if (best === null) return null;
  const chosen: T[] = [];
  for (let choice: Choice | null = best; choice !== null; choice = choice.before) chosen.unshift(choice.transfer);
  return chosen;
}
