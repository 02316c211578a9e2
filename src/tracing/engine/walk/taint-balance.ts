import {
  type Direction,
  type FlowPortion,
  leavesMoreTime,
  type Money,
  scaled,
  type UnattributedReason,
} from '../../../domain/tracing/flow-portion.ts';
import type { Rule } from '../../../domain/tracing/rule.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import type { ReplayStep } from '../replay-step.ts';

/** Money that waits at a step for its turn. */
export interface Weight extends Money {
  onto: FlowPortion;
  conversions: FlowPortion['conversions'];
  /** The transfers that brought it, but for what a swap brought. */
  arrived: readonly FlowPortion[];
  /** The part of it that a contract account keeps for its owner: it leaves nothing here. */
  kept: Kept;
}

/** Money of contract accounts: US dollars, and a part of the transfer's quantity. */
export interface Kept {
  usd: number;
  fraction: number;
}

export const NOTHING_KEPT: Kept = { usd: 0, fraction: 0 };

/** Money without that which contract accounts keep. */
export function less(money: Money, kept: Kept): Money {
  return { ...money, usd: Math.max(0, money.usd - kept.usd), fraction: Math.max(0, money.fraction - kept.fraction) };
}

/** Money that waits at one step together. */
export function addedTo(a: Weight, b: Weight): Weight {
  return {
    ...(a.usd >= b.usd ? a : b),
    arrived: [...a.arrived, ...b.arrived],
    usd: a.usd + b.usd,
    unreadUsd: a.unreadUsd + b.unreadUsd,
    recentUsd: a.recentUsd + b.recentUsd,
    fraction: a.fraction + b.fraction,
    kept: { usd: a.kept.usd + b.kept.usd, fraction: a.kept.fraction + b.kept.fraction },
  };
}

/** Marks money that an address moved while its balance was not known: what this many of its units stand for. */
export type Mark = (money: Money, units: number) => void;

/**
 * Money in one asset at one moment of the replay: for each unit held (received), or in all (sent). A payment draws on all of it
 * pro rata; by other rules on layers of it (`LayeredBalance`).
 */
export class TaintBalance {
  private usd = 0;
  private unreadUsd = 0;
  private recentUsd = 0;
  private fraction = 0;
  /** Units that contract accounts keep. */
  private kept: Kept = NOTHING_KEPT;
  /** The weight that most of it belongs to. */
  best: Weight | null = null;
  /** A transfer of the asset with its quantity in units: what a unit is. */
  sample: { transfer: TracedTransfer; units: number } | null = null;
  private bestUsd = 0;

  /** Sent side: adds a receipt, with the money that came by it. */
  receive(step: ReplayStep, weight: Weight | undefined, _earlier: number): void {
    if (weight) this.add(weight, 1, step.units);
  }

  /** Sent side: takes out what a step moved. The fraction is a part of `per` units. */
  pay(step: ReplayStep, per: number, _goesBack: boolean): Money {
    const money = this.times(step.part, step.part / per);
    this.keep(1 - step.part);
    return money;
  }

  /** Sent side: what a step moved goes into another pool. */
  payInto(step: ReplayStep, into: TaintBalance, mark: Mark, _goesBack: boolean): void {
    const moved = this.times(step.part, step.part);
    mark(moved, 1);
    into.mix(this, moved, 1);
    this.keep(1 - step.part);
  }

  /** Received side: goes back over a payment, with the money that it was. */
  unpay(step: ReplayStep, weight: Weight | undefined, _earlier: number): void {
    this.keep(1 - step.part);
    if (weight) this.add(weight, step.part / step.units, step.part);
  }

  /** Received side: goes back over what brought `units`, and returns the money that came with them. The fraction is a part of `per` units. */
  unreceive(units: number, per: number): Money {
    return this.times(units, units / per);
  }

  /** Received side: what a step moved into this pool came out of that one. */
  unpayInto(step: ReplayStep, from: TaintBalance, mark: Mark): void {
    const brought = this.times(1, 1);
    mark(brought, step.units);
    from.keep(1 - step.part);
    from.mix(this, brought, step.part);
  }

  /** Adds units without any of the money. */
  fill(_units: number): void {}

  /** Sent side: all that lies there. */
  all(): Money {
    return this.times(1, 1);
  }

  /** True where none of the money is left, whatever a step took. */
  isEmpty(): boolean {
    return false;
  }

  private add(weight: Weight, usdScale: number, fractionScale: number): void {
    this.usd += weight.usd * usdScale;
    this.unreadUsd += weight.unreadUsd * usdScale;
    this.recentUsd += weight.recentUsd * usdScale;
    this.fraction += weight.fraction * fractionScale;
    if (this.best === null || weight.usd * usdScale > this.bestUsd) {
      this.bestUsd = weight.usd * usdScale;
      this.best = weight;
    }
  }

  /** Adds money of another pool. */
  private mix(other: TaintBalance, { usd, unreadUsd, recentUsd, fraction }: Money, part: number): void {
    this.usd += usd * part;
    this.unreadUsd += unreadUsd * part;
    this.recentUsd += recentUsd * part;
    this.fraction += fraction * part;
    if (other.best !== null && (this.best === null || usd * part > this.bestUsd)) {
      this.bestUsd = usd * part;
      this.best = other.best;
    }
    this.sample ??= other.sample;
  }

  /** Notes what a contract account keeps of a weight, until it is taken back. */
  keepBack({ kept: { usd, fraction } }: Weight, units: number): void {
    this.kept = { usd: this.kept.usd + usd, fraction: this.kept.fraction + fraction * units };
  }

  takeBack(): Kept {
    const { kept } = this;
    this.kept = NOTHING_KEPT;
    return kept;
  }

  private keep(part: number): void {
    this.usd *= part;
    this.unreadUsd *= part;
    this.recentUsd *= part;
    this.fraction *= part;
    this.bestUsd *= part;
  }

  private times(usdScale: number, fractionScale: number): Money {
    return {
      usd: this.usd * usdScale,
      unreadUsd: this.unreadUsd * usdScale,
      recentUsd: this.recentUsd * usdScale,
      fraction: this.fraction * fractionScale,
    };
  }
}

/** A step as a sample of its asset; null where it moved nothing. */
export function sampleOf({ transfer, units }: ReplayStep): TaintBalance['sample'] {
  return transfer !== null && units > 0 ? { transfer, units } : null;
}

/** Arrivals with this part of the largest one count as large. */
const LARGE_PART = 0.25;

/** Money that could not be followed further. */
interface UnattributedMoney {
  usd: number;
  /** Quantities in whole coins, by asset symbol. */
  quantities: Map<string, number>;
}

/** The money of one pass through an address: that it brought, and that it did not lead on. */
export class PassedMoney {
  arrivedUsd = 0;
  /** Every transfer that brought the money. */
  readonly arrived: FlowPortion[] = [];
  /** Money that could not be followed further, by reason. */
  readonly unattributed = new Map<UnattributedReason, UnattributedMoney>();
  /** US dollars that reading more of the address could attribute better, by what is missing. */
  readonly toRead = new Map<UnattributedReason, number>();

  arrive(portion: FlowPortion, usd: number): void {
    this.arrivedUsd += usd;
    this.arrived.push(portion);
  }

  /**
   * The arrival from which one reading shows most of the money: it goes back from money received and on from money sent, so it
   * begins at the outermost of the large ones. Null without an arrival.
   */
  readFrom(direction: Direction): FlowPortion | null {
    const largest = this.arrived.reduce((most, { usd }) => Math.max(most, usd), 0);
    const large = this.arrived.filter(({ usd }) => usd >= LARGE_PART * largest);
    return large.reduce(
      (outermost: FlowPortion | null, one) =>
        outermost && !leavesMoreTime(one, outermost, direction) ? outermost : one,
      null,
    );
  }

  /** The fraction of `money` is a quantity here, in the units of the pool's asset. */
  leave(
    reason: UnattributedReason,
    { usd, fraction: units }: Money,
    { sample }: { sample: TaintBalance['sample'] },
  ): void {
    if (usd <= 0) return;
    const sum = this.unattributed.get(reason) ?? { usd: 0, quantities: new Map<string, number>() };
    sum.usd += usd;
    this.unattributed.set(reason, sum);
    if (sample === null) return;
    const { asset, amount } = sample.transfer;
    const quantity = (units * Number(amount)) / sample.units;
    sum.quantities.set(asset, (sum.quantities.get(asset) ?? 0) + quantity);
  }

  missHistory(reason: UnattributedReason, usd: number): void {
    if (usd > 0) this.toRead.set(reason, (this.toRead.get(reason) ?? 0) + usd);
  }
}

// By the rules of order a payment draws on some of the receipts that lie in a balance, not on all of them. First in first out and
// last in first out are the same function there and back, so both directions use it; so is the lowest balance, where the followed
// money is what is spent last, or what was there longest.

/** How payments draw on the balance of an address. */
export interface Layers {
  rule: Exclude<Rule, 'pro_rata' | 'poison'>;
  /** True for those whose money is followed: what they get back is first of all their own, as far as it is still there. */
  isOwn: (key: string) => boolean;
}

/** Units that came together; inside a layer the money lies pro rata. */
interface Layer {
  units: number;
  /** Its fraction is in units; null where none of it is followed. */
  money: Money | null;
  weight: Weight | null;
  isOwn: boolean;
  /** Followed in an earlier pass, which said where it went. */
  isEarlier: boolean;
}

const NO_MONEY: Money = { usd: 0, unreadUsd: 0, recentUsd: 0, fraction: 0 };
/** Units are rounded: next to all of a layer is all of it. */
const NEXT_TO_ALL = 1 - 1e-12;

/** Money in one asset at one moment of the replay, in layers. */
export class LayeredBalance extends TaintBalance {
  private readonly rule: Layers['rule'];
  private readonly isOwner: Layers['isOwn'];
  private layers: Layer[] = [];

  constructor(rule: Layers['rule'], units: number, isOwn: Layers['isOwn']) {
    super();
    this.rule = rule;
    this.isOwner = isOwn;
    this.fill(units);
  }

  override receive({ units, transfer }: ReplayStep, weight: Weight | undefined, earlier: number): void {
    this.put(units, weight, { earlier, isOwn: transfer !== null && this.isOwner(transfer.from) });
  }

  override unpay({ units }: ReplayStep, weight: Weight | undefined, earlier: number): void {
    this.put(units, weight, { earlier, isOwn: false });
  }

  override pay({ units, part }: ReplayStep, per: number, goesBack: boolean): Money {
    return this.sumOf(this.take(part === 1 ? Number.POSITIVE_INFINITY : units, goesBack), per);
  }

  override unreceive(units: number, per: number): Money {
    return this.sumOf(this.take(units, false), per);
  }

  override payInto({ units, part }: ReplayStep, into: TaintBalance, mark: Mark, goesBack: boolean): void {
    const taken = this.take(part === 1 ? Number.POSITIVE_INFINITY : units, goesBack);
    if (into instanceof LayeredBalance) into.addAll(taken, mark);
  }

  override unpayInto({ units }: ReplayStep, from: TaintBalance, mark: Mark): void {
    if (from instanceof LayeredBalance) from.addAll(this.take(units, false), mark);
  }

  override fill(units: number): void {
    if (units > 0) this.push({ units, money: null, weight: null, isOwn: false, isEarlier: false });
  }

  override all(): Money {
    return this.sumOf(this.layers, 1);
  }

  override isEmpty(): boolean {
    return !this.layers.some(({ money, isOwn, isEarlier }) => money !== null || isOwn || isEarlier);
  }

  private put(
    units: number,
    weight: Weight | undefined,
    { earlier, isOwn }: { earlier: number; isOwn: boolean },
  ): void {
    const money = weight
      ? { usd: weight.usd, unreadUsd: weight.unreadUsd, recentUsd: weight.recentUsd, fraction: weight.fraction * units }
      : null;
    const plain = { money: null, weight: null, isOwn, isEarlier: false };
    const followed = { money, weight: weight ?? null, isOwn, isEarlier: false };
    if (this.rule !== 'lowest_balance') {
      this.push({ units, ...(money ? followed : plain) });
      return;
    }
    const followedUnits = Math.min(units, money?.fraction ?? 0);
    const earlierUnits = Math.min(units - followedUnits, earlier);
    if (money) this.push({ units: followedUnits, ...followed });
    if (earlierUnits > 0) this.push({ ...plain, units: earlierUnits, isEarlier: true });
    const rest = units - followedUnits - earlierUnits;
    if (rest > 0) this.push({ units: rest, ...plain });
  }

  /** Adds layers that were taken out of another pool, in the order in which they lay there. */
  private addAll(taken: readonly Layer[], mark: Mark): void {
    for (const layer of this.rule === 'lifo' ? taken.toReversed() : taken) {
      if (layer.money) mark(layer.money, 1);
      this.push(layer);
    }
  }

  private push(layer: Layer): void {
    const isOrdered = this.rule !== 'lowest_balance';
    const alike = isOrdered ? this.layers.at(-1) : this.layers.find((one) => isAlike(one, layer));
    // Of layers with money the order says which is which.
    if (!alike || !isAlike(alike, layer) || (isOrdered && layer.money)) {
      this.layers.push({ ...layer });
      return;
    }
    alike.units += layer.units;
    if (!alike.money || !layer.money) return;
    if (layer.money.usd > alike.money.usd) alike.weight = layer.weight;
    alike.money = plus(alike.money, layer.money);
  }

  /** Takes out `units`, in the order of the rule. */
  private take(units: number, goesBack: boolean): Layer[] {
    const taken: Layer[] = [];
    for (let missing = units; missing > 0 && this.layers.length > 0; ) {
      const place = this.nextPlace(goesBack);
      const layer = this.layers[place] as Layer;
      if (missing >= layer.units * NEXT_TO_ALL) {
        this.layers.splice(place, 1);
        taken.push(layer);
        missing -= layer.units;
      } else {
        const part = missing / layer.units;
        taken.push({ ...layer, units: missing, money: layer.money && scaled(layer.money, part) });
        layer.units -= missing;
        layer.money = layer.money && scaled(layer.money, 1 - part);
        missing = 0;
      }
    }
    this.noteBest(taken);
    return taken;
  }

  private nextPlace(goesBack: boolean): number {
    const isFirst = ({ isOwn }: Layer) => !goesBack || isOwn;
    const own = this.rule === 'lifo' ? this.layers.findLastIndex(isFirst) : this.layers.findIndex(isFirst);
    const first = own >= 0 ? own : this.rule === 'lifo' ? this.layers.length - 1 : 0;
    if (this.rule !== 'lowest_balance') return first;
    const hasOwn = own >= 0;
    let best = first;
    for (const [place, layer] of this.layers.entries()) {
      if (hasOwn && !isFirst(layer)) continue;
      if (rankOf(layer) < rankOf(this.layers[best] as Layer)) best = place;
    }
    return best;
  }

  private noteBest(taken: readonly Layer[]): void {
    let most = -1;
    for (const { money, weight } of taken) {
      if (!money || !weight || money.usd <= most) continue;
      most = money.usd;
      this.best = weight;
    }
  }

  private sumOf(layers: readonly Layer[], per: number): Money {
    const sum = layers.reduce((all, { money }) => (money ? plus(all, money) : all), NO_MONEY);
    return { ...sum, fraction: sum.fraction / per };
  }
}

/**
 * The order of the lowest balance: other money goes first, and then what this pass follows before what an earlier one did, which took
 * this pass's money for other.
 */
function rankOf({ money, isEarlier }: Layer): number {
  return money ? 1 : isEarlier ? 2 : 0;
}

function isAlike(a: Layer, b: Layer): boolean {
  return rankOf(a) === rankOf(b) && a.isOwn === b.isOwn;
}

function plus(a: Money, b: Money): Money {
  return {
    usd: a.usd + b.usd,
    unreadUsd: a.unreadUsd + b.unreadUsd,
    recentUsd: a.recentUsd + b.recentUsd,
    fraction: a.fraction + b.fraction,
  };
}
