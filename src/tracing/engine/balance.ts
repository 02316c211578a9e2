import { knowsBalance, type ReadSpan, spanAt } from '../../domain/tracing/reading.ts';
import { type ExactStep, newStep, type ReplayStep } from './replay-step.ts';

// The balance of an asset lies in one pool, from which each payment draws in proportion, but for what is kept apart: what came in
// within the transaction, which its payments draw on first, and what a depositor will take out again, which is its own.

/** A balance that is short by less than this part (1/n) of all that came in: fees that no source lists. */
const UNLISTED_FEES = 100n;

/** How much of an asset each depositor takes out of an address again. */
export type Withdrawals = Map<string, bigint>;

interface BalanceOptions {
  asset: string;
  spans: readonly ReadSpan[];
  units: (amount: string) => bigint;
  /** Withdrawals of the whole history. */
  withdrawals: Withdrawals;
}

/** The balance of an address in one asset, replayed: it adds its steps to `steps`. */
export class Balance {
  private readonly asset: string;
  private readonly spans: readonly ReadSpan[];
  private readonly units: (amount: string) => bigint;
  private readonly withdrawals: Withdrawals;
  private readonly steps: ReplayStep[];
  /** Units held by pool; the common pool bears the asset's name. */
  private readonly held = new Map<string, bigint>();
  /** The pool of the transaction under way, and who paid into it; null where nothing passes through. */
  private passing: { pool: string; payers: Set<string> } | null = null;
  /** All that came in since the balance was last known. */
  private cameIn = 0n;
  private next = 0;
  private isInside = false;

  constructor({ asset, spans, units, withdrawals }: BalanceOptions, steps: ReplayStep[]) {
    this.asset = asset;
    this.spans = spans;
    this.units = units;
    this.withdrawals = withdrawals;
    this.steps = steps;
  }

  get holds(): bigint {
    let sum = 0n;
    for (const units of this.held.values()) sum += units;
    return sum;
  }

  /** Adds the steps for the beginnings and ends of spans that the replay passes on its way to the moment. */
  passEdges(at: number): void {
    for (let span = this.spans[this.next]; span !== undefined; span = this.spans[this.next]) {
      if (!this.isInside) {
        if (span.from !== null && span.from > at) return;
        this.isInside = true;
        if (span.from !== null && span.from !== Number.NEGATIVE_INFINITY) this.open(span);
      }
      if (span.to >= at) return;
      this.close(span);
      this.isInside = false;
      this.next += 1;
    }
  }

  private open(span: ReadSpan): void {
    this.pool(span.from as number);
    const before = this.of(this.asset);
    if (span.opening !== null) this.held.set(this.asset, this.units(span.opening));
    this.cameIn = this.of(this.asset);
    const [gap] = newStep('gap', null, this.asset, this.cameIn);
    gap.at = span.from as number;
    gap.part = before > this.cameIn ? Number(this.cameIn) / Number(before) : 1;
    this.steps.push(gap);
  }

  private close(span: ReadSpan): void {
    if (span.closing === null || !knowsBalance(span)) return;
    const missing = this.holds - this.units(span.closing);
    if (missing <= 0n || missing * UNLISTED_FEES < this.cameIn) return;
    this.pool(span.to);
    const [unseen] = newStep('unseen', null, this.asset, missing);
    this.draw(unseen, missing);
    unseen.at = span.to;
    unseen.span = span;
    this.steps.push(unseen);
  }

  /** Begins a transaction through which money passes: its payments draw first on what came in before them. */
  begin(hash: string): void {
    this.passing = { pool: `${this.asset} in ${hash}`, payers: new Set() };
  }

  /** Adds a receipt; the party is null where it cannot be a deposit. */
  receive(exact: ExactStep, party: string | null): void {
    const [step, units] = exact;
    this.cameIn += units;
    const { passing } = this;
    if (passing) {
      passing.payers.add(party ?? '');
      this.add(step, passing.pool, units);
    } else if (party !== null && this.withdrawals.has(party)) {
      this.add(step, this.poolOf(party), units);
      this.keepApart(party, step.at);
    } else this.add(step, this.asset, units);
  }

  pay(exact: ExactStep, party: string | null): void {
    const [step, units] = exact;
    const own = party !== null && this.of(this.poolOf(party)) > 0n ? this.poolOf(party) : null;
    const pool = own ?? this.passing?.pool ?? this.asset;
    const missing = () => maximum(0n, units - this.of(pool));
    const { at } = step;
    if (own && this.passing) this.move(this.passing.pool, own, minimum(missing(), this.of(this.passing.pool)), at);
    if (missing() > (pool === this.asset ? 0n : this.of(this.asset))) this.pool(at, pool);
    step.span = spanAt(this.spans, at);
    if (pool !== this.asset) step.uncovered = this.move(this.asset, pool, missing(), at);
    else if (missing() > 0n) {
      step.uncovered = Number(missing());
      this.held.set(pool, units);
    }
    step.pool = pool;
    this.draw(step, units);
    this.steps.push(step);
    const later = party === null ? undefined : this.withdrawals.get(party);
    if (party !== null && later !== undefined) this.withdrawals.set(party, maximum(0n, later - units));
  }

  /** Ends a transaction: what did not pass through stays. */
  end(at: number): void {
    if (this.passing === null) return;
    const { pool, payers } = this.passing;
    this.passing = null;
    const [payer = ''] = payers;
    const isOfOne = payers.size === 1 && this.withdrawals.has(payer);
    this.move(pool, isOfOne ? this.poolOf(payer) : this.asset, this.of(pool), at);
    this.held.delete(pool);
    if (isOfOne) this.keepApart(payer, at);
  }

  /** Puts all that was kept apart into the common pool, but for one. */
  pool(at: number, but?: string): void {
    for (const [pool, units] of [...this.held]) {
      if (pool === this.asset || pool === but || pool === this.passing?.pool) continue;
      this.move(pool, this.asset, units, at);
      this.held.delete(pool);
    }
  }

  /** Leaves in the pool of a depositor no more than it takes out later. */
  private keepApart(party: string, at: number): void {
    const pool = this.poolOf(party);
    this.move(pool, this.asset, maximum(0n, this.of(pool) - (this.withdrawals.get(party) ?? 0n)), at);
  }

  private add(step: ReplayStep, pool: string, units: bigint): void {
    step.pool = pool;
    step.before = Number(this.of(pool));
    this.held.set(pool, this.of(pool) + units);
    this.steps.push(step);
  }

  /** A move of nothing is a step too: a path in time order leads over it. Returns the units that no receipt covers. */
  private move(from: string, into: string, units: bigint, at: number): number {
    const [step] = newStep('move', null, this.asset, units);
    step.pool = from;
    step.into = into;
    step.at = at;
    step.span = spanAt(this.spans, at);
    if (units > this.of(from)) {
      step.uncovered = Number(units - this.of(from));
      this.held.set(from, units);
    }
    step.intoBefore = Number(this.of(into));
    this.draw(step, units);
    this.held.set(into, this.of(into) + units);
    this.steps.push(step);
    return step.uncovered;
  }

  private draw(step: ReplayStep, units: bigint): void {
    const held = this.of(step.pool);
    step.before = Number(held);
    step.part = held === 0n ? 0 : Number(units) / Number(held);
    this.held.set(step.pool, held - units);
  }

  private of(pool: string): bigint {
    return this.held.get(pool) ?? 0n;
  }

  private poolOf(party: string): string {
    return `${this.asset} of ${party}`;
  }
}

function minimum(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
