import { DAY_MS } from '../../domain/time.ts';
import type { Payment } from './movements.ts';

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

/** Money that moved, with the other side of it. */
export interface OwnedPayment {
  owner: string;
  at: number;
  usd: number;
}

/** The owner of each payment as a small number, so that windows can count them fast. */
export function numberOwners(payments: readonly OwnedPayment[]): { owners: Int32Array; count: number } {
  const numbers = new Map<string, number>();
  const owners = new Int32Array(payments.length);
  for (const [i, { owner }] of payments.entries()) {
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    owners[i] = number;
  }
  return { owners, count: numbers.size };
}

/** Payments in time order, as columns: a history of 75,000 is gone through dozens of times. */
export interface PaymentColumns<T extends OwnedPayment> {
  payments: readonly T[];
  at: Float64Array;
  usd: Float64Array;
  owners: Int32Array;
  /** The numbers in `owners` are below it. */
  ownerCount: number;
}

/** `owners` holds the number of each payment's owner, below `ownerCount`. */
export function toColumns<T extends OwnedPayment>(
  payments: readonly T[],
  owners: Int32Array,
  ownerCount: number,
): PaymentColumns<T> {
  const at = Float64Array.from(payments, (payment) => payment.at);
  const usd = Float64Array.from(payments, (payment) => payment.usd);
  return { payments, at, usd, owners, ownerCount };
}

/** A stretch of payments in time order whose both ends only move forward, with its sum and its distinct owners. */
export class PaymentWindow<T extends OwnedPayment> {
  usd = 0;
  owners = 0;
  readonly #columns: PaymentColumns<T>;
  readonly #counts: Int32Array;
  #start = 0;
  #end = 0;

  constructor(columns: PaymentColumns<T>) {
    this.#columns = columns;
    this.#counts = new Int32Array(columns.ownerCount);
  }

  /** Of the oldest payment in it. */
  get startsAt(): number {
    return this.#columns.at[this.#start]!;
  }

  payments(): T[] {
    return this.#columns.payments.slice(this.#start, this.#end);
  }

  /** Moves to the payments from `from` up to `until`, both included; neither may go back. */
  slide(from: number, until: number): void {
    const { at, usd, owners } = this.#columns;
    for (; this.#end < at.length && at[this.#end]! <= until; this.#end++) {
      this.usd += usd[this.#end]!;
      if (this.#counts[owners[this.#end]!]!++ === 0) this.owners++;
    }
    for (; this.#start < this.#end && at[this.#start]! < from; this.#start++) {
      this.usd -= usd[this.#start]!;
      if (--this.#counts[owners[this.#start]!]! === 0) this.owners--;
    }
    // Sums and differences of fractions drift; an empty window starts afresh.
    if (this.#start === this.#end) this.usd = 0;
  }
}
