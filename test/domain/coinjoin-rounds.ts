import { Dice } from '../../fixtures/anomaly/dice.ts';
import type { UtxoParty, UtxoTransaction } from '../../src/domain/transfers/utxo.ts';

/** Rounds in the shape of the known CoinJoin protocols, with invented numbers. The first payers and receivers can be named. */
export type Round = Pick<UtxoTransaction, 'inputs' | 'outputs'>;

class Builder {
  readonly dice: Dice;
  readonly inputs: UtxoParty[] = [];
  readonly outputs: UtxoParty[] = [];

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  /** Returns the sum of what one owner puts in, over several addresses. */
  put(count: number, low: number, high: number): number {
    const values = Array.from({ length: count }, () => this.dice.int(low, high));
    for (const value of values) this.pay('inputs', value);
    return values.reduce((sum, value) => sum + value, 0);
  }

  pay(
    side: 'inputs' | 'outputs',
    value: number,
    address = `bc1q${side === 'inputs' ? 'payer' : 'out'}${this[side].length}`,
  ): void {
    this[side].push({ address, value: BigInt(value) });
  }

  /** Orders the sides as a coordinator does. */
  round(): Round {
    const { inputs, outputs } = this;
    return { inputs, outputs: outputs.toSorted((a, b) => Number(b.value - a.value)) };
  }
}

/** Wasabi 1: about 0.1 coins to each, twice and four times as much to the rich, change, and one fee of the coordinator. */
export function wasabiOne(seed: number, members = 70): Round {
  const build = new Builder(seed);
  const base = 10_012_743;
  let fees = 0;
  for (let i = 0; i < members; i++) {
    let left = build.put(build.dice.int(1, 3), 10_100_000, build.dice.share() < 0.3 ? 120_000_000 : 21_000_000);
    const fee = Math.floor(left * 0.002);
    fees += fee;
    left -= fee + 3_000;
    for (let level = base; level <= left; level *= 2) {
      build.pay('outputs', level);
      left -= level;
    }
    if (left > 5_000) build.pay('outputs', left);
  }
  build.pay('outputs', fees);
  return build.round();
}

/** The values that wallets of WabiSabi divide their money into, largest first. */
function standardValues(): number[] {
  const values = new Set<number>();
  const add = (base: number, factor: number) => {
    for (let value = factor; value < 20_000_000_000; value *= base) if (value >= 5_000) values.add(value);
  };
  for (const [base, factors] of [
    [2, [1]],
    [3, [1, 2]],
    [10, [1, 2, 5]],
  ] as const)
    for (const one of factors) add(base, one);
  return [...values].sort((a, b) => b - a);
}

/** Wasabi 2: each wallet puts in a few coins and takes standard values that add up to them, with a rest of its own. */
export function wasabiTwo(seed: number, members = 60): Round {
  const build = new Builder(seed);
  const values = standardValues();
  for (let i = 0; i < members; i++) {
    const rich = build.dice.share() < 0.2 ? 300_000_000 : 8_000_000;
    let left = build.put(build.dice.int(1, 6), 20_000, rich) - 4_000;
    for (let outputs = 0; outputs < 4 && left > 9_000; outputs++) {
      const fitting = values.filter((value) => value <= left);
      const value = fitting[build.dice.int(0, Math.min(30, fitting.length - 1))]!;
      build.pay('outputs', value);
      left -= value;
    }
    if (left > 9_000) build.pay('outputs', left);
  }
  return build.round();
}

/** Whirlpool: as many equal outputs as inputs, of which those that come for the first time bring the fee of the miner. */
export function whirlpool(seed: number, size = 5): Round {
  const build = new Builder(seed);
  for (let i = 0; i < size; i++) {
    build.pay('inputs', 1_000_000 + (i % 2 === 0 ? build.dice.int(200, 900) : 0));
    build.pay('outputs', 1_000_000);
  }
  return build.round();
}

/** JoinMarket: a taker and its makers get the amount of the taker each, and change, which holds what the makers earn. */
export function joinMarket(seed: number, makers = 6): Round {
  const build = new Builder(seed);
  const amount = build.dice.int(30_000_000, 90_000_000);
  for (let i = 0; i <= makers; i++) {
    const put = build.put(build.dice.int(1, 3), amount + 700_000, 3 * amount);
    build.pay('outputs', amount);
    build.pay('outputs', put - amount + (i === 0 ? -40_000 : 900 + i));
  }
  return build.round();
}

/** Divides what one wallet has for Whirlpool: equal outputs, a fee, what is left over, and a note without an address. */
export function preparation(seed: number, { inputs = 1, outputs = 30 } = {}): Round {
  const build = new Builder(seed);
  const put = build.put(inputs, Math.ceil((outputs * 1_000_400 + 90_000) / inputs), 40_000_000);
  for (let i = 0; i < outputs; i++) build.pay('outputs', 1_000_400);
  build.pay('outputs', 50_000);
  build.pay('outputs', put - outputs * 1_000_400 - 52_000);
  build.outputs.push({ address: null, value: 0n });
  return build.round();
}
