import { type Money, scaled } from '../../../domain/tracing/flow-portion.ts';
import type { Rule } from '../../../domain/tracing/rule.ts';
import type { ReplayStep } from '../replay-step.ts';
import { type Mark, TaintBalance, type Weight } from './taint-balance.ts';

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

  /** Takes out so many units, in the order of the rule. */
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
