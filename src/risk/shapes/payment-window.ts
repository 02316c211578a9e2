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
