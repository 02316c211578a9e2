import { type Carried, type Direction, type LeftReason, type Money, Pool, type Weight } from './carried.ts';
import { knowsBalance } from './reading.ts';
import type { Replay, ReplayStep, Swap } from './replay.ts';

// Haircut (pro rata) by replay: each payment of an address has the same mix of origins as the balance at that moment,
// by quantity within one asset. One pass over the steps of an address serves all transfers that carry money.

/** Result of following the money through one address. */
export interface Passage {
  carried: Carried[];
  /** US dollars that could not be followed further. */
  left: Map<LeftReason, number>;
  /** US dollars that reading more of the address could attribute better, by what is missing. */
  toRead: Map<LeftReason, number>;
}

export interface PassageOptions {
  /** False when the caller may not learn what was read; the whole address then counts as not read. */
  isReadKnown: boolean;
  /** Epoch ms: an address read then or later is taken to still hold what it has not paid on. */
  heldSince: number;
  /** Also lists transfers that a path in time order reaches, even if none of the money does. */
  withPaths: boolean;
}

/** Follows the subject's money through one address: payments back to receipts, or receipts on to payments. */
export function attributeThrough(
  replay: Replay,
  arriving: readonly Carried[],
  direction: Direction,
  options: PassageOptions,
): Passage {
  const passage: Passage = { carried: [], left: new Map(), toRead: new Map() };
  const sweep = new Sweep(arriving, passage, options);
  const { steps } = replay;
  if (direction === 'received') {
    for (let i = steps.length - 1; i >= 0; i--) sweep.backward(steps[i] as ReplayStep);
  } else {
    for (const step of steps) sweep.forward(step);
    sweep.leaveHeld(replay);
  }
  return passage;
}

class Sweep {
  private readonly passage: Passage;
  private readonly options: PassageOptions;
  private readonly weights = new Map<string, Weight>();
  private readonly pools = new Map<string, Pool>();
  private readonly hops: number;

  constructor(arriving: readonly Carried[], passage: Passage, options: PassageOptions) {
    this.passage = passage;
    this.options = options;
    this.hops = (arriving[0]?.hops ?? 0) + 1;
    for (const carried of arriving) {
      const { usd, unreadUsd, fraction } = carried;
      this.weights.set(carried.transfer.id, { usd, unreadUsd, fraction, onto: carried, conversions: [] });
    }
  }

  /** Received side, newest first: a payment draws on the balance before it; each receipt gets its part by units. */
  backward(step: ReplayStep): void {
    const pool = this.poolOf(step.asset);
    if (step.kind === 'receipt') {
      this.emit(step, pool.times(step.units, 1), pool);
      return;
    }
    if (step.kind === 'gap') {
      const reason = this.known('partial_history');
      this.leave(reason, pool.usd * step.units);
      add(this.passage.toRead, reason, pool.usd * step.units);
      this.pools.delete(step.asset);
      return;
    }
    pool.keep(1 - step.part);
    const weight = this.weightOf(step);
    if (weight) {
      if (!this.knowsBalanceAt(step)) {
        add(this.passage.toRead, this.missingAt(step), weight.usd);
        weight.unreadUsd = weight.usd;
      }
      pool.add(weight, step.part / step.units, step.part);
    }
    if (step.uncovered > 0) this.leave(this.originOf(step), pool.usd * step.uncovered);
  }

  /** Sent side, oldest first: money of a receipt leaves with each later payment, in proportion to the balance. */
  forward(step: ReplayStep): void {
    const pool = this.poolOf(step.asset);
    if (step.kind === 'receipt') {
      const weight = this.weightOf(step);
      if (weight) pool.add(weight, 1, step.units);
      return;
    }
    if (step.kind === 'gap') {
      const reason = this.known('partial_history');
      this.leave(this.known('spent_unseen'), pool.usd * (1 - step.part));
      this.leave(reason, pool.usd * step.part);
      add(this.passage.toRead, reason, pool.usd);
      this.pools.delete(step.asset);
      return;
    }
    const money = pool.times(step.part, step.part / step.units);
    if (step.kind === 'fee') this.leave('burned', money.usd);
    else if (step.kind === 'unseen') this.leave(this.known('spent_unseen'), money.usd);
    else {
      if (!this.knowsBalanceAt(step)) {
        add(this.passage.toRead, this.missingAt(step), money.usd);
        money.unreadUsd = money.usd;
      }
      this.emit(step, money, pool);
    }
    pool.keep(1 - step.part);
  }

  /** Sent side, at the end: money that no payment moved on. */
  leaveHeld({ reading }: Replay): void {
    for (const [asset, { usd }] of this.pools) {
      const spans = this.options.isReadKnown ? reading(asset) : [];
      const last = spans.at(-1);
      const isHeld = last !== undefined && last.to >= this.options.heldSince;
      const reason = last === undefined ? 'not_read' : isHeld ? 'held' : 'not_read_since';
      this.leave(reason, usd);
      if (!isHeld) add(this.passage.toRead, reason, usd);
    }
  }

  private poolOf(asset: string): Pool {
    let pool = this.pools.get(asset);
    if (!pool) {
      pool = new Pool();
      this.pools.set(asset, pool);
    }
    return pool;
  }

  private weightOf({ transfer }: ReplayStep): Weight | undefined {
    return transfer === null ? undefined : this.weights.get(transfer.id);
  }

  private leave(reason: LeftReason, usd: number): void {
    add(this.passage.left, reason, usd);
  }

  /** What a reading showed, for callers who may learn of it. */
  private known(reason: LeftReason): LeftReason {
    return this.options.isReadKnown ? reason : 'not_read';
  }

  private knowsBalanceAt({ span }: ReplayStep): boolean {
    return this.options.isReadKnown && knowsBalance(span);
  }

  private missingAt({ span }: ReplayStep): LeftReason {
    return this.options.isReadKnown && span ? 'partial_history' : 'not_read';
  }

  private originOf(step: ReplayStep): LeftReason {
    return this.options.isReadKnown && step.span?.from === Number.NEGATIVE_INFINITY
      ? 'unknown_origin'
      : this.missingAt(step);
  }

  /** Money that reaches an outer transfer: it leaves the address with it, or crosses its swap to the other legs. */
  private emit(step: ReplayStep, money: Money, { best }: Pool): void {
    if (best === null || step.transfer === null) return;
    if (money.usd <= 0 && money.fraction <= 0 && !this.options.withPaths) return;
    const { swap } = step;
    const isReachedLeg = swap !== null && (step.kind === 'receipt' ? swap.got : swap.given).includes(step);
    if (swap !== null && isReachedLeg) this.convert(step, swap, money, best);
    else {
      const { usd, unreadUsd, fraction } = money;
      const { onto, conversions } = best;
      // Spelled out: a spread costs more than the rest of the step.
      this.passage.carried.push({
        transfer: step.transfer,
        hops: this.hops,
        usd,
        unreadUsd,
        fraction,
        onto,
        conversions,
      });
    }
  }

  /** Splits the money among the legs on the other side: by quantity if they are of one asset, else by US dollars. */
  private convert(step: ReplayStep, swap: Swap, money: Money, best: Weight): void {
    const [reached, targets] = step.kind === 'receipt' ? [swap.got, swap.given] : [swap.given, swap.got];
    const shares = sharesOf(targets);
    if (shares === null) {
      this.leave('unpriced', money.usd);
      return;
    }
    const place = reached.indexOf(step);
    const fraction = money.fraction * ((sharesOf(reached) ?? reached.map(() => 1 / reached.length))[place] as number);
    const conversion = {
      txHash: swap.txHash,
      from: swap.given[0]?.transfer?.asset ?? '',
      to: swap.got[0]?.transfer?.asset ?? '',
    };
    for (const [i, { transfer }] of targets.entries()) {
      const share = shares[i] as number;
      const weight = { usd: money.usd * share, unreadUsd: money.unreadUsd * share, fraction };
      this.weigh(transfer?.id as string, {
        ...weight,
        onto: best.onto,
        conversions: [...best.conversions, conversion],
      });
    }
  }

  private weigh(id: string, weight: Weight): void {
    const known = this.weights.get(id);
    if (!known) {
      this.weights.set(id, weight);
      return;
    }
    const main = known.usd >= weight.usd ? known : weight;
    this.weights.set(id, {
      ...main,
      usd: known.usd + weight.usd,
      unreadUsd: known.unreadUsd + weight.unreadUsd,
      fraction: known.fraction + weight.fraction,
    });
  }
}

/** The share of each leg, 0-1, adding up to 1; null when legs of several assets are not all priced. */
export function sharesOf(legs: readonly ReplayStep[]): number[] | null {
  const isOneAsset = new Set(legs.map(({ asset }) => asset)).size === 1;
  if (!isOneAsset && !legs.every(({ transfer }) => transfer?.priced)) return null;
  const sizes = legs.map(({ units, transfer }) => (isOneAsset ? units : (transfer?.usd ?? 0)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > 0 ? sizes.map((size) => size / total) : null;
}

function add(sums: Map<LeftReason, number>, reason: LeftReason, usd: number): void {
  if (usd > 0) sums.set(reason, (sums.get(reason) ?? 0) + usd);
}
