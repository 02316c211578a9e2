import { DAY_MS } from '../../domain/time.ts';
import type { Payment } from '../ledger/movements.ts';
import { numberOwners } from './payment-window.ts';

const WEEK_MS = 7 * DAY_MS;

export interface WindowRule {
  windowMs: number;
  parties: number;
  totalFromUsd: number;
  /** 0-1: no single party may give more of the sum. */
  topShareMax?: number;
}

export interface DenseWindow {
  payments: Payment[];
  parties: number;
  usd: number;
  topShare: number;
  /** Weeks (since 1970) in which a window that meets the rule ended. */
  weeks: ReadonlySet<number>;
}

/** The window with the most distinct parties among those that meet the rule, the earliest of equals; linearithmic. */
export function densestWindow(payments: readonly Payment[], rule: WindowRule): DenseWindow | null {
  const { owners, count } = numberOwners(payments);
  const sums = new MaxTree(count);
  const counts = new Int32Array(count);
  let parties = 0;
  let usd = 0;
  let start = 0;
  const weeks = new Set<number>();
  let best: { start: number; end: number; parties: number; usd: number; topShare: number } | null = null;
  for (let end = 0; end < payments.length; end++) {
    const added = payments[end]!;
    usd += added.usd;
    if (counts[owners[end]!]!++ === 0) parties++;
    sums.set(owners[end]!, sums.get(owners[end]!) + added.usd);
    while (payments[start]!.at < added.at - rule.windowMs) {
      const owner = owners[start]!;
      const gone = payments[start++]!.usd;
      const left = --counts[owner]!;
      usd -= gone;
      if (left === 0) parties--;
      sums.set(owner, left === 0 ? 0 : sums.get(owner) - gone);
    }
    const topShare = sums.max / usd;
    if (parties < rule.parties || usd < rule.totalFromUsd || topShare > (rule.topShareMax ?? 1)) continue;
    weeks.add(Math.floor(added.at / WEEK_MS));
    if (best !== null && parties < best.parties) continue;
    if (best !== null && parties === best.parties && start !== best.start) continue;
    best = { start, end: end + 1, parties, usd, topShare };
  }
  return best && { ...best, weeks, payments: payments.slice(best.start, best.end) };
}

/** Largest of many numbers under single changes; a search through 20,000 parties at each of 75,000 payments takes 20 s. */
class MaxTree {
  readonly #size: number;
  readonly #nodes: Float64Array;

  constructor(slots: number) {
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(1, slots)));
    this.#nodes = new Float64Array(2 * this.#size);
  }

  get max(): number {
    return this.#nodes[1]!;
  }

  get(slot: number): number {
    return this.#nodes[this.#size + slot]!;
  }

  set(slot: number, value: number): void {
    let node = this.#size + slot;
    this.#nodes[node] = value;
    for (node >>= 1; node >= 1; node >>= 1) {
      this.#nodes[node] = Math.max(this.#nodes[2 * node]!, this.#nodes[2 * node + 1]!);
    }
  }
}
