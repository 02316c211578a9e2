import {
  type Direction,
  type FlowPortion,
  type GivenUpReason,
  keptPart,
  type Money,
  scaled,
  type UnattributedReason,
} from '../../../domain/tracing/flow-portion.ts';
import { knowsBalance } from '../../../domain/tracing/reading.ts';
import type { Replay } from '../replay.ts';
import type { ReplayStep, Swap } from '../replay-step.ts';
import { convertedPart, swapShares } from '../swaps.ts';
import {
  addedTo,
  type Kept,
  LayeredBalance,
  type Layers,
  less,
  type Mark,
  NOTHING_KEPT,
  PassedMoney,
  sampleOf,
  TaintBalance,
  type Weight,
} from './taint-balance.ts';

// Haircut (pro rata) by replay: each payment of an address has the same mix of origins as the balance at that moment,
// by quantity within one asset. By another rule a payment draws on layers of the balance. One pass over the steps of an address
// serves all transfers that carry money.

/** One step of an address with the money that came to it from nearer to the subject, and that which goes on from it. */
export interface Move {
  address: string;
  /** The pass that it belongs to: an address may have two. */
  pass: object;
  step: ReplayStep;
  arrived: readonly FlowPortion[];
  gone: FlowPortion | null;
}

export interface PassOptions {
  direction: Direction;
  /** False when the caller may not learn what was read; the whole address then counts as not read. */
  isReadKnown: boolean;
  /** Epoch ms: an address read then or later is taken to still hold what it has not paid on. */
  heldSince: number;
  /** Also lists transfers that a path in time order reaches, even if none of the money does. */
  withPaths: boolean;
  /** Money of the address's own that goes on here ends below this. */
  smallestUsd: number;
  budget: StepBudget;
  /** The rule by which payments draw on layers of the balance; default: pro rata. */
  layers?: Layers | undefined;
  /** True where a path ends with the balance that it lay in; default: it goes on from the address as long as that pays. */
  endsWithBalance?: boolean;
}

/** Steps that all passes of one trace may still visit. Without any no money enters a pass. */
export interface StepBudget {
  left: number;
}

/** Money on its way to a step. */
interface Entry {
  place: number;
  weight: Weight;
  /** The transfer that brought it to the address. */
  broughtBy: FlowPortion;
  /** False for what came to the address before and goes on at another step. */
  isNew: boolean;
}

const NONE: readonly FlowPortion[] = [];

/**
 * Follows the subject's money through one address, step by step: payments back to receipts, newest first, or receipts on
 * to payments, oldest first.
 */
export class HaircutReplay {
  readonly address: string;
  /** How the address pays on: what a contract account keeps of a deposit is what this never leads on. */
  readonly replay: Replay;
  private readonly options: PassOptions;
  private readonly reasons: ReadingReasons;
  private readonly weights = new Map<number, Weight>();
  private readonly pools = new Map<string, TaintBalance>();
  /** Units that contract accounts keep, by asset. */
  private readonly kept = new Map<string, Kept>();
  /** The first place that money or a path ever entered, by asset; later ones add no path. */
  private readonly entered = new Map<string, number>();
  private covered = new Map<string, number>();
  /**
   * Units by place, where layers begin though no new money comes there: the address's own receipts from those whose money it is, and
   * by the rule of the lowest balance all that earlier passes followed.
   */
  private readonly earlier = new Map<number, number>();
  private passed = new PassedMoney();
  /** Money for steps that this pass has visited already. */
  private late: Entry[] = [];
  /** Steps count from the one that is visited first. */
  private cursor = 0;
  private visited = 0;
  private lastWeight = -1;

  constructor(address: string, replay: Replay, options: PassOptions) {
    this.address = address;
    this.replay = replay;
    this.options = options;
    this.reasons = new ReadingReasons(options.isReadKnown);
    if (options.layers && options.direction === 'sent') {
      for (const [place, { kind, transfer }] of replay.steps.entries())
        if (kind === 'receipt' && transfer && options.layers.isOwn(transfer.from)) this.earlier.set(place, 0);
    }
  }

  /** False where nothing is left to visit. */
  get isActive(): boolean {
    return this.cursor < this.replay.steps.length && (this.pools.size > 0 || this.cursor <= this.lastWeight);
  }

  /** The place of the next step. */
  get place(): number {
    return this.cursor;
  }

  get next(): ReplayStep {
    return this.stepAt(this.cursor);
  }

  /** Brings money to its step; false where the replay lacks it. */
  arrive(portion: FlowPortion): boolean {
    const place = this.placeOf(portion.transfer.id);
    if (place === null) return false;
    // What a contract account keeps for its owner went in too: it is among that which never leaves. By order it may not be: the account
    // has it first.
    const part = this.options.layers ? 0 : keptPart(portion);
    const { usd, unreadUsd, recentUsd, fraction } = part > 0 ? scaled(portion, 1 / (1 - part)) : portion;
    const kept = { usd: usd * part, fraction: fraction * part };
    const isPathOnly = usd <= 0 && fraction <= 0;
    if (isPathOnly && (this.entered.get(this.stepAt(place).asset) ?? Number.POSITIVE_INFINITY) <= place) return true;
    const money = { usd, unreadUsd, recentUsd, fraction };
    const weight = { ...money, onto: portion, conversions: [], kept, arrived: [portion] };
    this.enter({ place, weight, broughtBy: portion, isNew: true });
    return true;
  }

  /** Goes on with the address's own money on the transfer by which it came back, or had gone away. */
  goOn(back: FlowPortion): void {
    const { transfer, onto, conversions, usd, unreadUsd, recentUsd, fraction } = back;
    const place = this.placeOf(transfer.id);
    if (place === null || onto === null) return;
    const money = { usd, unreadUsd, recentUsd, fraction };
    const weight = { ...money, onto, conversions, kept: NOTHING_KEPT, arrived: [back] };
    const entry = { place, weight, broughtBy: onto, isNew: false };
    if (usd < this.options.smallestUsd) this.giveUp(entry, 'small_share');
    else this.enter(entry);
  }

  /** The one way in: each pass visits a step once, so that what comes for it later waits for the next pass. */
  private enter(entry: Entry): void {
    const { place, weight } = entry;
    if (this.options.budget.left <= 0) {
      this.giveUp(entry, 'limit');
      return;
    }
    if (place < this.visited) {
      this.late.push(entry);
      return;
    }
    if (!this.isActive || place < this.cursor) this.cursor = this.beginningOf(place);
    this.lastWeight = Math.max(this.lastWeight, place);
    const { asset } = this.stepAt(place);
    this.entered.set(asset, Math.min(this.entered.get(asset) ?? place, place));
    const known = this.weights.get(place);
    this.weights.set(place, known ? addedTo(known, weight) : weight);
    this.bring(entry);
  }

  /** Ends money at the step that it does not enter. */
  private giveUp(entry: Entry, reason: GivenUpReason): void {
    const { place, weight } = entry;
    const step = this.stepAt(place);
    const { usd, fraction, ...rest } = less(weight, weight.kept);
    this.passed.leave(reason, { ...rest, usd, fraction: fraction * step.units }, { sample: sampleOf(step) });
    if (reason === 'limit') this.passed.missHistory(reason, usd);
    this.bring(entry);
  }

  /** Lists what brought the money: once in a pass. */
  private bring({ weight, broughtBy, isNew }: Entry): void {
    if (isNew || this.visited === 0) this.passed.arrive(broughtBy, Math.max(0, weight.usd - weight.kept.usd));
  }

  /** Visits the next step; null where it moved nothing. */
  visit(): Move | null {
    const place = this.cursor;
    const step = this.stepAt(place);
    this.cursor += 1;
    this.visited = this.cursor;
    this.options.budget.left -= 1;
    const weight = this.weights.get(place);
    const pool = this.pools.get(step.pool);
    const isMoved = step.into !== null && this.pools.has(step.into);
    if (!weight && !pool && !isMoved && !this.earlier.has(place)) return null;
    const gone =
      this.options.direction === 'received' ? this.backward(step, pool, weight) : this.forward(step, pool, weight);
    for (const name of [step.pool, step.into ?? '']) if (this.pools.get(name)?.isEmpty()) this.pools.delete(name);
    return { address: this.address, pass: this, step, arrived: weight?.arrived ?? NONE, gone };
  }

  /** Ends the pass and begins a new one with what came too late, or gives that up: the money of the one that ended. */
  finish(goesOn: boolean): PassedMoney {
    if (this.options.direction === 'sent') this.leaveHeld();
    const { late } = this;
    this.late = [];
    if (!goesOn) for (const entry of late) this.giveUp(entry, 'limit');
    const { passed } = this;
    if (this.options.layers?.rule === 'lowest_balance') {
      for (const [place, { fraction }] of this.weights)
        this.earlier.set(place, this.earlierAt(place) + fraction * this.stepAt(place).units);
    }
    this.weights.clear();
    this.pools.clear();
    this.kept.clear();
    this.covered = new Map(this.entered);
    this.passed = new PassedMoney();
    this.cursor = 0;
    this.visited = 0;
    this.lastWeight = -1;
    if (goesOn) for (const entry of late) this.enter(entry);
    return passed;
  }

  /** Received side, newest first: a payment draws on the balance before it; each receipt gets its part by units. */
  private backward(step: ReplayStep, known: TaintBalance | undefined, weight: Weight | undefined): FlowPortion | null {
    if (step.into !== null) return this.moveBack(step, step.into);
    const pool = known ?? this.newPool(step.pool, step.before - step.units);
    if (step.kind === 'receipt') return this.emit(step, pool.unreceive(step.units, step.units), pool);
    if (step.kind === 'gap') {
      const reason = this.reasons.shown('partial_history');
      const money = pool.unreceive(step.units, 1);
      this.passed.leave(reason, money, pool);
      this.passed.missHistory(reason, money.usd);
      this.pools.delete(step.pool);
      return null;
    }
    // What draws on a pool of its own rests on the common balance as far as that filled it.
    const isOfBalance = step.pool === step.asset;
    if (weight && isOfBalance) this.noteUnread(step, weight);
    pool.unpay(step, weight, this.earlierAt(this.cursor - 1));
    if (!weight) this.drop(step);
    pool.sample = sampleOf(step) ?? pool.sample;
    if (step.uncovered > 0 && weight) pool.keepBack(weight, step.units);
    if (isOfBalance) this.leaveUncovered(step, pool, pool);
    return null;
  }

  /** Money of a pool came, by the part of it that a move brought, out of the one that it drew on. */
  private moveBack(step: ReplayStep, into: string): null {
    const target = this.pools.get(into);
    if (step.part === 0 && !this.options.withPaths) return null;
    const source = this.pools.get(step.pool) ?? this.newPool(step.pool, step.before - step.units);
    (target ?? new TaintBalance()).unpayInto(step, source, this.markMoved(step));
    if (!target) source.fill(step.units);
    this.leaveUncovered(step, source, target ?? source);
    return null;
  }

  /** Marks as passed unread what a move took out of the common balance. */
  private markMoved(step: ReplayStep): Mark {
    const isMarked = step.pool === step.asset && step.units > 0;
    return (money, units) => isMarked && this.noteUnread(step, money, units);
  }

  /** Marks what an address paid while its balance was not known as passed unread. */
  private noteUnread(step: ReplayStep, money: Money, units = 1): void {
    if (this.reasons.knowsBalanceAt(step)) return;
    this.passed.missHistory(this.reasons.missingAt(step), money.usd * units);
    money.unreadUsd = money.usd;
  }

  /** The money of units that no receipt covers, but for what a contract account keeps. */
  private leaveUncovered(step: ReplayStep, pool: TaintBalance, keeper: TaintBalance): void {
    if (step.uncovered <= 0) return;
    const reason = this.reasons.originOf(step, this.replay);
    const money = less(pool.unreceive(step.uncovered, 1), keeper.takeBack());
    this.passed.leave(reason, money, pool);
    if (reason === 'received_unseen') this.passed.missHistory(reason, money.usd);
  }

  /** Sent side, oldest first: money of a receipt leaves with each later payment, in proportion to the balance. */
  private forward(step: ReplayStep, known: TaintBalance | undefined, weight: Weight | undefined): FlowPortion | null {
    if (step.into !== null) return this.moveOn(step, step.into);
    const pool = known ?? this.newPool(step.pool, step.before);
    if (step.kind === 'receipt') {
      pool.receive(step, weight, this.earlierAt(this.cursor - 1));
      if (weight) {
        this.keepHere(step, weight);
        pool.sample = sampleOf(step);
      }
      return null;
    }
    if (step.kind === 'gap') {
      const reason = this.reasons.shown('partial_history');
      const money = pool.all();
      this.passed.leave(this.reasons.shown('spent_unseen'), scaled(money, 1 - step.part), pool);
      this.passed.leave(reason, scaled(money, step.part), pool);
      this.passed.missHistory(reason, money.usd);
      this.pools.delete(step.pool);
      return null;
    }
    let gone: FlowPortion | null = null;
    if (step.kind === 'fee') this.passed.leave('fees', pool.pay(step, 1, false), pool);
    else if (step.kind === 'unseen') {
      this.passed.leave(this.reasons.shown('spent_unseen'), pool.pay(step, 1, false), pool);
    } else {
      const money = pool.pay(step, step.units, this.goesBack());
      if (step.pool === step.asset) this.noteUnread(step, money);
      gone = this.emit(step, money, pool);
    }
    this.drop(step);
    return gone;
  }

  /** Part of the money of one pool goes into another one. */
  private moveOn(step: ReplayStep, into: string): null {
    const source = this.pools.get(step.pool);
    if (step.part === 0 && !this.options.withPaths) return null;
    const target = this.pools.get(into) ?? this.newPool(into, step.intoBefore);
    if (source) source.payInto(step, target, this.markMoved(step), this.goesBack());
    else target.fill(step.units);
    this.drop(step);
    return null;
  }

  /** Notes what a contract account keeps of a receipt: it stays, whatever payments draw on. */
  private keepHere({ asset, units }: ReplayStep, { kept }: Weight): void {
    const { usd, fraction } = this.kept.get(asset) ?? NOTHING_KEPT;
    this.kept.set(asset, { usd: usd + kept.usd, fraction: fraction + kept.fraction * units });
  }

  /** Sent side, at the end: money that no payment moved on. */
  private leaveHeld(): void {
    for (const [asset, pool] of this.pools) {
      const spans = this.options.isReadKnown ? this.replay.reading(asset) : [];
      const last = spans.at(-1);
      const isHeld = last !== undefined && last.to >= this.options.heldSince;
      const reason = last === undefined ? 'not_read' : isHeld ? 'held' : 'not_read_since';
      const money = less(pool.all(), this.kept.get(asset) ?? NOTHING_KEPT);
      this.passed.leave(reason, money, pool);
      if (!isHeld) this.passed.missHistory(reason, money.usd);
    }
  }

  /** Ends a pool of which a payment left nothing. Of a path it is not asked how much. */
  private drop(step: ReplayStep): void {
    const { withPaths, endsWithBalance } = this.options;
    if (step.part === 1 && (!withPaths || endsWithBalance)) this.pools.delete(step.pool);
  }

  private newPool(name: string, units: number): TaintBalance {
    const { layers } = this.options;
    const pool = layers ? new LayeredBalance(layers.rule, units, layers.isOwn) : new TaintBalance();
    this.pools.set(name, pool);
    return pool;
  }

  private earlierAt(place: number): number {
    return this.earlier.get(place) ?? 0;
  }

  /** The place from which the layers are known that lie there when money enters at this one. */
  private beginningOf(place: number): number {
    let first = place;
    for (const earlier of this.earlier.keys()) if (earlier >= this.visited) first = Math.min(first, earlier);
    return first;
  }

  /** True where the step under way pays who the money belongs to, or fills the pool from which the next step does. */
  private goesBack(): boolean {
    const { layers } = this.options;
    if (!layers) return false;
    const step = this.stepAt(this.cursor - 1);
    const { steps } = this.replay;
    const paid = step.into === null ? step : steps[this.cursor];
    return paid?.transfer ? paid.kind === 'payment' && layers.isOwn(paid.transfer.to) : false;
  }

  private stepAt(place: number): ReplayStep {
    return this.replay.steps[this.indexOf(place)] as ReplayStep;
  }

  private placeOf(transferId: string): number | null {
    const index = this.replay.places.get(transferId);
    return index === undefined ? null : this.indexOf(index);
  }

  /** Places count from the end on the received side: the same function there and back. */
  private indexOf(place: number): number {
    return this.options.direction === 'received' ? this.replay.steps.length - 1 - place : place;
  }

  /** Money that reaches an outer transfer: it leaves the address with it, or crosses its swap to the other legs. */
  private emit(step: ReplayStep, money: Money, { best }: TaintBalance): FlowPortion | null {
    if (best === null || step.transfer === null) return null;
    if (money.usd <= 0 && money.fraction <= 0 && !this.addsPath(step)) return null;
    const across = convertedPart(step);
    if (step.swap !== null && across > 0) {
      // Of the other side's quantity only what this one is worth came of it.
      const otherPart = step.kind === 'receipt' ? step.swap.givenPart : step.swap.gotPart;
      const converted = { ...scaled(money, across), fraction: money.fraction * otherPart };
      this.convert(step, step.swap, converted, best);
    }
    if (across === 1) return null;
    const { usd, unreadUsd, recentUsd, fraction } = scaled(money, 1 - across);
    const { onto, conversions } = best;
    // Spelled out: a spread costs more than the rest of the step.
    return { transfer: step.transfer, hops: onto.hops + 1, usd, unreadUsd, recentUsd, fraction, onto, conversions };
  }

  /** False for a path that an earlier pass found. */
  private addsPath({ asset }: ReplayStep): boolean {
    return this.options.withPaths && this.visited <= (this.covered.get(asset) ?? Number.POSITIVE_INFINITY);
  }

  /** Splits the money among the legs on the other side: by quantity if they are of one asset, else by US dollars. */
  private convert(step: ReplayStep, swap: Swap, money: Money, best: Weight): void {
    const [reached, targets] = step.kind === 'receipt' ? [swap.got, swap.given] : [swap.given, swap.got];
    const shares = swapShares(targets);
    if (shares === null) {
      this.passed.leave('unpriced', { ...money, fraction: money.fraction * step.units }, { sample: sampleOf(step) });
      return;
    }
    const place = reached.indexOf(step);
    const fraction = money.fraction * ((swapShares(reached) ?? reached.map(() => 1 / reached.length))[place] as number);
    const conversion = {
      txHash: swap.txHash,
      from: swap.given[0]?.transfer?.asset ?? '',
      to: swap.got[0]?.transfer?.asset ?? '',
      isAccount: swap.isAccount,
    };
    const { onto } = best;
    const conversions = [...best.conversions, conversion];
    for (const [i, { transfer }] of targets.entries()) {
      const part = { ...scaled(money, shares[i] as number), fraction };
      const weight = { ...part, onto, conversions, kept: NOTHING_KEPT, arrived: NONE };
      this.enter({
        place: this.placeOf(transfer?.id as string) as number,
        weight,
        broughtBy: onto,
        isNew: false,
      });
    }
  }
}

/** Why money could not be followed at an address, as the caller may know it: not where others alone have read it. */
class ReadingReasons {
  private readonly isReadKnown: boolean;

  constructor(isReadKnown: boolean) {
    this.isReadKnown = isReadKnown;
  }

  shown(reason: UnattributedReason): UnattributedReason {
    return this.isReadKnown ? reason : 'not_read';
  }

  knowsBalanceAt({ span }: ReplayStep): boolean {
    return this.isReadKnown && knowsBalance(span);
  }

  missingAt({ span }: ReplayStep): UnattributedReason {
    return this.isReadKnown && span ? 'partial_history' : 'not_read';
  }

  /** Returns why no known receipt covers a step. Where much was paid so, receipts were not read, whatever the reading says. */
  originOf(step: ReplayStep, { overspent }: Replay): UnattributedReason {
    if (!this.isReadKnown || step.span?.from !== Number.NEGATIVE_INFINITY) return this.missingAt(step);
    return overspent.has(step) ? 'received_unseen' : 'unknown_origin';
  }
}
