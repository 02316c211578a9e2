import { describe, expect, it } from 'vitest';
import {
  joinMarket,
  preparation,
  type Round,
  wasabiOne,
  wasabiTwo,
  whirlpool,
} from '../../fixtures/coinjoin-rounds.ts';
import { isDataScript, scriptAddress } from '../../src/domain/address/script-address.ts';
import { equalValues } from '../../src/domain/coinjoin/shape.ts';
import { type UtxoParty, utxoTransfers } from '../../src/domain/transfers/utxo.ts';

const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1);

const isCoinJoin = (round: Round) => equalValues({ coinbase: false, ...round }) !== null;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const party = (address: string, coins: number): UtxoParty => ({ address, value: BigInt(Math.round(coins * 1e8)) });
const transfersOf = (round: Round) =>
  utxoTransfers({ txHash: 'ab'.repeat(32), block: 7, blockHash: 'cd'.repeat(32), at: 1, coinbase: false, ...round });

describe('a CoinJoin is recognised', () => {
  it.each<[string, (seed: number) => Round]>([
    ['with several levels of outputs and change (Wasabi 1)', wasabiOne],
    ['of few members with levels', (seed) => wasabiOne(seed, 12)],
    ['with many standard values and few of each (Wasabi 2)', wasabiTwo],
    ['with hundreds of inputs and outputs', (seed) => wasabiTwo(seed, 130)],
    ['of five (Whirlpool)', whirlpool],
    ['of nine (Whirlpool)', (seed) => whirlpool(seed, 9)],
    ['of a taker and makers who earn a little (JoinMarket)', joinMarket],
    ['of a taker and four makers', (seed) => joinMarket(seed, 4)],
  ])('%s', (_, roundOf) => {
    expect(SEEDS.filter((seed) => !isCoinJoin(roundOf(seed)))).toEqual([]);
  });

  it('where the outputs of values that others have too are a third only, from twenty payers on', () => {
    const unequal = (count: number) => times(count, (i) => party(`x${i}`, 0.11 + i / 1e5));
    const outputs = [...times(6, (i) => party(`a${i}`, 0.1)), ...times(4, (i) => party(`b${i}`, 0.05))];
    const round = (payers: number, others: number) => ({
      inputs: times(payers, (i) => party(`p${i}`, 0.3)),
      outputs: [...outputs, ...unequal(others)],
    });
    expect(isCoinJoin(round(20, 20))).toBe(true);
    expect(isCoinJoin(round(20, 21))).toBe(false);
    expect(isCoinJoin(round(19, 20))).toBe(false);
    expect(isCoinJoin(round(10, 10))).toBe(true);
  });

  it('however large, as a party that its payers pay, and loses nothing', () => {
    const round = wasabiTwo(4, 200);
    expect(round.inputs.length * round.outputs.length).toBeGreaterThan(20_000);
    const { transfers, reasons } = transfersOf(round);
    expect(reasons).toEqual([]);
    const parties = new Set(transfers.flatMap(({ from, to }) => [from, to]));
    expect([...parties].filter((one) => one.startsWith('tx:'))).toEqual([]);
    expect(transfers.every(({ from, to }) => from.startsWith('coinjoin:') || to.startsWith('coinjoin:'))).toBe(true);
  });
});

describe('in a CoinJoin', () => {
  it('an output that cannot be paid without some payers is theirs, however they add coins of others or of their own', () => {
    const five = times(5, (i) => party(`own${i}`, 10 + i));
    const round = {
      inputs: [...five, ...times(4, (i) => party(`small${i}`, 0.1001))],
      outputs: [...times(5, (i) => party(`a${i}`, 0.1)), party('gathered', 59.899)],
    };
    expect(isCoinJoin(round)).toBe(true);
    const { transfers } = transfersOf(round);
    const kept = transfers.filter(({ to }) => to === 'gathered');
    expect(kept.map(({ from }) => from).sort()).toEqual(five.map(({ address }) => address));
    expect(kept.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(59.899);
    const mixed = transfers.filter(({ to }) => to.startsWith('coinjoin:'));
    expect(mixed.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(0.5);
  });

  it("an output that each of two could have paid is nobody's", () => {
    const round = {
      inputs: [party('a', 10), party('b', 9), ...times(3, (i) => party(`p${i}`, 0.2))],
      outputs: [...times(5, (i) => party(`o${i}`, 0.1)), party('x', 8.5), party('y', 8.4)],
    };
    expect(isCoinJoin(round)).toBe(true);
    const to = transfersOf(round).transfers.filter(({ from }) => from.startsWith('coinjoin:'));
    expect(to.map((one) => one.to)).toEqual(expect.arrayContaining(['x', 'y']));
  });
});

describe('no CoinJoin is', () => {
  const payout = (inputs: UtxoParty[], outputs: UtxoParty[]): Round => ({ inputs, outputs });
  const customers = (count: number, coins: number) => times(count, (i) => party(`${coins} to ${i}`, coins));
  it.each<[string, Round]>([
    ['a batch of equal payouts from one wallet', payout([party('hot', 50)], [...customers(40, 0.5), party('hot', 29)])],
    [
      'one from a few addresses',
      payout(
        times(6, (i) => party(`hot${i}`, 9)),
        [...customers(40, 1), party('rest', 13)],
      ),
    ],
    [
      'one from a rich address among many poor ones',
      payout(
        [party('hot', 50), ...times(30, (i) => party(`dust${i}`, 0.002))],
        [...customers(25, 1), party('rest', 25)],
      ),
    ],
    [
      'one of mostly unequal amounts',
      payout(
        times(30, (i) => party(`deposit${i}`, 1 + i / 100)),
        [...customers(6, 0.5), ...customers(5, 0.2), ...times(30, (i) => party(`c${i}`, 0.301 + i / 1e4))],
      ),
    ],
    [
      'the payout of a faucet to many',
      payout(
        times(8, (i) => party(`f${i}`, 0.01)),
        customers(300, 0.0001),
      ),
    ],
    [
      'a consolidation',
      payout(
        times(200, (i) => party(`own${i}`, 0.1)),
        [party('cold', 19.9)],
      ),
    ],
    [
      'one with two results',
      payout(
        times(90, (i) => party(`own${i}`, 0.1)),
        [party('a', 4.4), party('b', 4.4)],
      ),
    ],
    [
      'one whose largest output no payer could have paid, had each of the equal ones an owner of its own',
      payout(
        times(6, (i) => party(`own${i}`, 10)),
        [...times(6, (i) => party(`a${i}`, 0.1)), party('gathered', 59.3)],
      ),
    ],
    [
      'salaries from as many coins, with change',
      payout(
        times(6, (i) => party(`own${i}`, 0.08)),
        [...times(6, (i) => party(`a${i}`, 0.05)), party('change', 0.179)],
      ),
    ],
    [
      'a payment of one value to one address',
      payout(
        times(9, (i) => party(`p${i}`, 1)),
        times(8, () => party('shop', 1)),
      ),
    ],
  ])('%s', (_, round) => {
    expect(isCoinJoin(round)).toBe(false);
  });

  it.each([
    ['in one output', ['g']],
    ['in four', ['g', 'h', 'i', 'j']],
    ['in five to one address', ['g', 'g', 'g', 'g', 'g']],
  ])('a gathering of coins beside equal outputs, %s: no one else could have paid it', (_, to) => {
    const gathering = payout(
      times(20, (i) => party(`mule${i}`, 0.5)),
      [
        ...times(5, (i) => party(`a${i}`, 0.000_3)),
        ...to.map((address, i) => party(address, 9.99 / to.length - i / 1e4)),
      ],
    );
    expect(isCoinJoin(gathering)).toBe(false);
    expect(transfersOf(gathering).transfers.map(({ joint }) => joint)).not.toContain(false);
  });

  it.each([
    ['two', 2, 0.000_1],
    ['four', 4, 0.000_1],
    ['forty', 40, 0.000_1],
    ['three that pay one of the equal outputs together', 3, 0.04],
  ])('a gathering beside %s tiny coins of the same owner, who would stand for others', (_, count, coins) => {
    const gathering = payout(
      [...times(6, (i) => party(`own${i}`, 10)), ...times(count, (i) => party(`tiny${i}`, coins))],
      [...times(6, (i) => party(`a${i}`, 0.1)), party('gathered', 59.3)],
    );
    expect(isCoinJoin(gathering)).toBe(false);
    expect(transfersOf(gathering).transfers.map(({ joint }) => joint)).not.toContain(false);
  });

  it('what a wallet prepares for one: its owner pays each output, with or without several inputs', () => {
    for (const inputs of [1, 4, 12]) {
      const round = preparation(inputs, { inputs, outputs: 8 });
      expect(isCoinJoin(round)).toBe(false);
      const prepared = transfersOf(round).transfers.filter(({ method }) => method === 'coinjoin_preparation');
      expect(new Set(prepared.map(({ to }) => to)).size).toBe(8);
      expect(new Set(prepared.map(({ from }) => from)).size).toBe(inputs);
    }
  });

  it('its preparation where data behind OP_RETURN stands beside equal outputs and a fee, but one with another output of no value', () => {
    const scripted = (script: string): UtxoParty => ({
      address: scriptAddress(script),
      value: 0n,
      ...(isDataScript(script) && { data: true as const }),
    });
    const round = (...more: UtxoParty[]): Round => ({
      inputs: times(6, (i) => party(`p${i}`, 0.11)),
      outputs: [...times(6, (i) => party(`a${i}`, 0.1)), party('fee', 0.05), ...more],
    });
    expect(isCoinJoin(round(scripted('6a0401020304')))).toBe(false);
    expect(isCoinJoin(round(scripted('51')))).toBe(true);
    expect(isCoinJoin(round({ address: null, value: 0n }))).toBe(true);
    expect(isCoinJoin({ ...whirlpool(1), outputs: [...whirlpool(1).outputs, scripted('6a00')] })).toBe(true);
  });
});
