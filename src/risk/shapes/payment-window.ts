/** Money that moved, with the other side of it. */
export interface Money {
  owner: string;
  at: number;
  usd: number;
}

/** The owner of each payment as a small number, so that windows can count them fast. */
export function numberOwners(payments: readonly Money[]): { owners: Int32Array; count: number } {
  const numbers = new Map<string, number>();
  const owners = new Int32Array(payments.length);
  for (const [i, { owner }] of payments.entries()) {
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    owners[i] = number;
  }
  return { owners, count: numbers.size };
}

/** A stretch of payments in time order whose both ends only move forward, with its sum and its distinct owners. */
export class PaymentWindow<T extends Money> {
  usd = 0;
  owners = 0;
  readonly #payments: readonly T[];
  readonly #owners: Int32Array;
  readonly #counts: Int32Array;
  #start = 0;
  #end = 0;

  /** `owners` holds the number of each payment's owner, below `count`. */
  constructor(payments: readonly T[], owners: Int32Array, count: number) {
    this.#payments = payments;
    this.#owners = owners;
    this.#counts = new Int32Array(count);
  }

  /** Of the oldest payment in it. */
  get startsAt(): number {
    return this.#payments[this.#start]!.at;
  }

  payments(): T[] {
    return this.#payments.slice(this.#start, this.#end);
  }

  /** Moves to the payments from `from` up to `until`, both included; neither may go back. */
  slide(from: number, until: number): void {
    for (; this.#end < this.#payments.length && this.#payments[this.#end]!.at <= until; this.#end++) {
      this.usd += this.#payments[this.#end]!.usd;
      if (this.#counts[this.#owners[this.#end]!]!++ === 0) this.owners++;
    }
    for (; this.#start < this.#end && this.#payments[this.#start]!.at < from; this.#start++) {
      this.usd -= this.#payments[this.#start]!.usd;
      if (--this.#counts[this.#owners[this.#start]!]! === 0) this.owners--;
    }
    // Sums and differences of fractions drift; an empty window starts afresh.
    if (this.#start === this.#end) this.usd = 0;
  }
}
