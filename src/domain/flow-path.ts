import { isEarlier, type TracedTransfer } from './exposure.ts';

// Search for money paths between two addresses. The graph is opened from both ends, one hop at a time, the
// smaller front first; what was opened is a set of pairs in which every path up to the opened length lies.

/** Pairs of addresses opened so far, in the direction of the money. */
export interface OpenedPairs {
  /** From an address to the addresses it paid, with the sum in USD. */
  payees: Map<string, Map<string, number>>;
}

export function addPair(pairs: OpenedPairs, from: string, to: string, usd: number): void {
  const payees = pairs.payees.get(from) ?? new Map<string, number>();
  payees.set(to, usd);
  pairs.payees.set(from, payees);
}

/** Most steps of one enumeration; a denser neighbourhood is cut, and the answer says so. */
const STEPS_MAX = 50_000;

/**
 * Sequences of addresses from `from` to `to` of exactly `length` hops, none visited twice, widest pairs first,
 * at most `max` of them. `cut` is true when there may be more.
 */
export function sequences(
  pairs: OpenedPairs,
  from: string,
  to: string,
  length: number,
  max: number,
): { found: string[][]; cut: boolean } {
  const distance = distancesTo(pairs, to);
  const found: string[][] = [];
  let steps = 0;
  const walk = (path: string[]): boolean => {
    const last = path[path.length - 1] as string;
    const left = length - (path.length - 1);
    if (left === 0) {
      if (last === to) found.push([...path]);
      return found.length < max;
    }
    const payees = [...(pairs.payees.get(last) ?? [])].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    for (const [next] of payees) {
      if (++steps > STEPS_MAX) return false;
      if (path.includes(next) || (next === to && left > 1)) continue;
      if ((distance.get(next) ?? Number.POSITIVE_INFINITY) > left - 1) continue;
      path.push(next);
      const goOn = walk(path);
      path.pop();
      if (!goOn) return false;
    }
    return true;
  };
  return { cut: !walk([from]), found };
}

function distancesTo(pairs: OpenedPairs, to: string): Map<string, number> {
  const payers = new Map<string, string[]>();
  for (const [from, payees] of pairs.payees) {
    for (const payee of payees.keys()) payers.set(payee, [...(payers.get(payee) ?? []), from]);
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
 * One transfer per hop so that the smallest of them is as large as can be; with `timeOrdered` each one is later
 * than the one before. Null when no such choice exists. Unpriced transfers count as 0.
 */
export function widestChoice<T extends TracedTransfer>(hops: T[][], timeOrdered: boolean): T[] | null {
  interface Choice {
    transfer: T;
    bottleneck: number;
    before: Choice | null;
  }
  let choices: Choice[] | null = null;
  for (const transfers of hops) {
    const next: Choice[] = [];
    for (const transfer of transfers) {
      let before: Choice | null = null;
      for (const choice of choices ?? []) {
        if (timeOrdered && !isEarlier(choice.transfer, transfer)) continue;
        if (before === null || choice.bottleneck > before.bottleneck) before = choice;
      }
      if (choices !== null && before === null) continue;
      const bottleneck = Math.min(transfer.usd, before?.bottleneck ?? Number.POSITIVE_INFINITY);
      next.push({ transfer, bottleneck, before });
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
