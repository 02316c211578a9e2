import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preparation } from '../../fixtures/coinjoin-rounds.ts';
import { parseUnits } from '../../src/domain/amount.ts';
import { payersOfChange } from '../../src/domain/coinjoin/shape.ts';
import { type UtxoParty, type UtxoTransaction, utxoTransfers } from '../../src/domain/transfers/utxo.ts';

const HASH = 'ab'.repeat(32);

function transaction(inputs: UtxoParty[], outputs: UtxoParty[], coinbase = false): UtxoTransaction {
  return { txHash: HASH, block: 7, blockHash: 'cd'.repeat(32), at: 1_600_000_000_000, coinbase, inputs, outputs };
}

function party(address: string | null, value: number): UtxoParty {
  return { address, value: BigInt(value) };
}

/** `from>to` to satoshi. */
function edges(tx: UtxoTransaction, touching?: string): Record<string, number> {
  const { transfers } = utxoTransfers(tx, touching);
  return Object.fromEntries(transfers.map((t) => [`${t.from}>${t.to}`, Number(t.amountRaw)]));
}

describe('one sender', () => {
  it('pays exact amounts, and change to itself is not a transfer', () => {
    const tx = transaction([party('a', 1_000)], [party('b', 600), party('a', 390)]);
    const { transfers, reasons } = utxoTransfers(tx);
    expect(transfers).toHaveLength(1);
    expect(transfers[0]).toMatchObject({
      index: 'out:0',
      from: 'a',
      to: 'b',
      asset: 'BTC',
      amount: '0.000006',
      amountRaw: '600',
      decimals: 8,
      fee: '0.0000001',
      apportioned: false,
      txSender: 'a',
      kind: 'native',
      failed: false,
      usd: null,
    });
    expect(reasons).toEqual([]);
  });

  it('pays the fee, and its transfers stand where their transaction stands in the block', () => {
    const tx = { ...transaction([party('a', 1_000)], [party('b', 600), party('a', 390)]), position: 3 };
    const [transfer] = utxoTransfers(tx).transfers;
    expect(transfer).toMatchObject({ position: 3, fee: '0.0000001', txSender: 'a', feeShare: null });
  });

  it('counts several outputs to one receiver once, under its first output', () => {
    const tx = transaction([party('a', 1_000)], [party('a', 100), party('b', 300), party('b', 500)]);
    expect(utxoTransfers(tx).transfers).toMatchObject([{ index: 'out:1', amountRaw: '800' }]);
  });

  it('pays nobody when all comes back to it', () => {
    expect(edges(transaction([party('a', 1_000)], [party('a', 900), party('a', 90)]))).toEqual({});
  });
});

describe('several senders', () => {
  it('share each output by what they put in, after their change', () => {
    const tx = transaction(
      [party('a', 3_000), party('b', 1_500)],
      [party('c', 3_600), party('b', 500), party('d', 400)],
    );
    expect(edges(tx)).toEqual({ 'a>c': 2_700, 'b>c': 900, 'a>d': 300, 'b>d': 100 });
    for (const transfer of utxoTransfers(tx).transfers) {
      expect(transfer).toMatchObject({ apportioned: true, txSender: null });
    }
  });

  it('get the left-over satoshi by largest remainder, on a tie in the order of their addresses', () => {
    const tx = transaction([party('c', 1), party('a', 1), party('b', 1)], [party('d', 2)]);
    expect(edges(tx)).toEqual({ 'a>d': 1, 'b>d': 1 });
  });

  it('seen from one of them, are shown by what they gave to the largest output, under the same ids', () => {
    const tx = transaction([party('a', 3_000), party('b', 1_000)], [party('c', 3_600), party('d', 400)]);
    expect(edges(tx, 'a')).toEqual({ 'a>c': 2_700, 'b>c': 900, 'a>d': 300 });
    expect(edges(tx, 'd')).toEqual({ 'a>d': 300, 'b>d': 100 });
    const whole = new Set(utxoTransfers(tx).transfers.map(({ id }) => id));
    expect(utxoTransfers(tx, 'a').transfers.filter(({ id }) => !whole.has(id))).toEqual([]);
  });

  it('that end with more than they put in are receivers', () => {
    const tx = transaction([party('a', 1_000), party('b', 100)], [party('b', 500), party('c', 600)]);
    expect(edges(tx)).toEqual({ 'a>b': 400, 'a>c': 600, 'b>b': 100 });
  });
});

describe('scripts without an address', () => {
  it('weigh in as senders but get no transfer', () => {
    const tx = transaction([party('a', 600), party(null, 400)], [party('b', 500)]);
    const { transfers, reasons } = utxoTransfers(tx);
    expect(transfers).toMatchObject([{ from: 'a', to: 'b', amountRaw: '300', apportioned: true }]);
    expect(reasons).toEqual(['input_without_address']);
  });

  it('leave nothing to transfer when no sender has one', () => {
    expect(utxoTransfers(transaction([party(null, 500)], [party('b', 400)]))).toEqual({
      transfers: [],
      reasons: ['input_without_address'],
    });
  });

  it('take their part of the outputs, which nobody is paid', () => {
    const tx = transaction([party('a', 1_000)], [party('b', 500), party(null, 400)]);
    expect(edges(tx)).toEqual({ 'a>b': 500 });
    expect(utxoTransfers(tx).transfers[0]!.fee).toBe('0.000001');
  });
});

it('a coinbase pays from the pseudo address coinbase, exactly and without a fee', () => {
  const { transfers } = utxoTransfers(transaction([], [party('miner', 625), party(null, 0), party('pool', 5)], true));
  expect(transfers).toMatchObject([
    { from: 'coinbase', to: 'miner', amountRaw: '625', apportioned: false, txSender: null, fee: '0' },
    { from: 'coinbase', to: 'pool', amountRaw: '5', apportioned: false },
  ]);
});

describe('a transaction of very many parties', () => {
  const senders = Array.from({ length: 201 }, (_, i) => party(`s${i}`, 1_000 + i));
  const receivers = Array.from({ length: 100 }, (_, i) => party(`r${i}`, 500 + i));
  const tx = transaction(senders, receivers);

  it('is shown as everybody meeting in it, amounts exact and the reason given', () => {
    expect(senders.length * receivers.length).toBeGreaterThan(20_000);
    const { transfers, reasons } = utxoTransfers(tx);
    expect(reasons).toEqual(['many_party_transaction']);
    expect(transfers).toHaveLength(301);
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(301);
    const hub = `tx:${HASH}`;
    expect(transfers.filter(({ to }) => to === hub).every(({ seq }) => seq === 0)).toBe(true);
    expect(transfers.filter(({ from }) => from === hub).every(({ seq }) => seq! > 0)).toBe(true);
    expect(edges(tx, 's5')).toEqual({ [`s5>${hub}`]: 1_005 });
    expect(edges(tx, 'r9')).toEqual({ [`${hub}>r9`]: 509 });
  });

  it('stays in pairs just below the limit', () => {
    const below = transaction(senders.slice(0, 200), receivers);
    expect(utxoTransfers(below).reasons).toEqual([]);
    // Its own to each receiver, and what the other 199 gave to one of them.
    expect(Object.keys(edges(below, 's5'))).toHaveLength(100 + 199);
  });
});

describe('whatever the transaction', () => {
  const address = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { nil: null, freq: 8 });
  const value = fc.oneof(fc.bigInt(0n, 12n), fc.bigInt(0n, 2_100_000_000_000_000n));
  const parties = fc.array(fc.record({ address, value }), { minLength: 1, maxLength: 9 });
  const runs = { numRuns: 700 };

  it("every receiver's transfers and the share of unknown senders add up to its amount", () => {
    fc.assert(
      fc.property(parties, parties, (inputs, outputs) => {
        const net = new Map<string, bigint>();
        for (const one of inputs) if (one.address) net.set(one.address, (net.get(one.address) ?? 0n) - one.value);
        for (const one of outputs) if (one.address) net.set(one.address, (net.get(one.address) ?? 0n) + one.value);
        const known = [...net.values()].reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n);
        const unknown = inputs.reduce((sum, one) => (one.address === null ? sum + one.value : sum), 0n);
        const { transfers } = utxoTransfers(transaction(inputs, outputs));
        for (const [receiver, amount] of net) {
          const got = transfers
            .filter(({ from, to }) => from !== to && to === receiver)
            .reduce((sum, t) => sum + BigInt(t.amountRaw!), 0n);
          if (amount <= 0n || known === 0n) expect(got).toBe(0n);
          else if (unknown === 0n) expect(got).toBe(amount);
          else {
            const exact = (amount * known) / (known + unknown);
            const apart = got > exact ? got - exact : exact - got;
            expect(apart <= BigInt(net.size)).toBe(true);
            expect(got <= amount).toBe(true);
          }
        }
        const putIn = (one: string) =>
          inputs.reduce((sum, { address, value }) => (address === one ? sum + value : sum), 0n);
        const payers = new Set(inputs.flatMap(({ address }) => address ?? []));
        const kept = [...net].filter(([one, value]) => payers.size > 1 && value >= 0n && putIn(one) > 0n);
        const loops = transfers
          .filter(({ from, to }) => from === to)
          .map(({ from, amountRaw }) => [from, BigInt(amountRaw!)]);
        const whole = transfers.every(({ to }) => !to.startsWith('coinjoin:'));
        if (whole)
          expect(new Map(loops as [string, bigint][])).toEqual(new Map(kept.map(([one]) => [one, putIn(one)])));
      }),
      runs,
    );
  });

  it('the order of inputs changes nothing, the order of outputs no amount', () => {
    const shuffled = fc.tuple(parties, parties).chain(([inputs, outputs]) =>
      fc.record({
        inputs: fc.constant(inputs),
        outputs: fc.constant(outputs),
        otherInputs: fc.shuffledSubarray(inputs, { minLength: inputs.length }),
        otherOutputs: fc.shuffledSubarray(outputs, { minLength: outputs.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ inputs, outputs, otherInputs, otherOutputs }) => {
        const first = utxoTransfers(transaction(inputs, outputs));
        expect(utxoTransfers(transaction(otherInputs, outputs))).toEqual(first);
        expect(edges(transaction(inputs, otherOutputs))).toEqual(edges(transaction(inputs, outputs)));
      }),
      runs,
    );
  });

  it('ids are unique, and seen from one address its transfers are the same ones', () => {
    fc.assert(
      fc.property(parties, parties, (inputs, outputs) => {
        const tx = transaction(inputs, outputs);
        const all = utxoTransfers(tx).transfers;
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        const sumOf = (parts: typeof inputs, one: string) =>
          parts.reduce((sum, { address, value }) => (address === one ? sum + value : sum), 0n);
        for (const subject of 'abcdefg') {
          const own = all.filter(({ from, to }) => from === subject || to === subject);
          const seen = utxoTransfers(tx, subject).transfers;
          expect(seen.filter(({ from, to }) => from === subject || to === subject)).toEqual(own);
          const beside = seen.filter((one) => !own.some(({ id }) => id === one.id));
          expect(all).toEqual(expect.arrayContaining(beside));
          const receivers = new Set(beside.flatMap(({ from, to }) => (from === to ? [] : [to])));
          const hasGained = sumOf(outputs, subject) > sumOf(inputs, subject);
          expect(receivers.size).toBeLessThanOrEqual(hasGained || own.some(({ to }) => to === subject) ? 2 : 1);
          if (beside.length > 0) expect(inputs.some(({ address }) => address === subject)).toBe(true);
        }
      }),
      runs,
    );
  });
});

it('several senders share the fee by what they put in, so that each loses its inputs exactly', () => {
  const amounts = fc.array(fc.integer({ min: 1_000, max: 1e8 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 999 }), (values, fee) => {
      const inputs = values.map((value, i) => party(`s${i}`, value));
      const sent = values.reduce((sum, value) => sum + value, 0) - fee;
      const { transfers } = utxoTransfers(transaction(inputs, [party('r', sent)]));
      const shares = transfers.map((transfer) => parseUnits(transfer.feeShare!, 8));
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(BigInt(fee));
      for (const [i, transfer] of transfers.entries()) {
        const lost =
          BigInt(transfer.amountRaw!) + shares[i]! - inputs.find((one) => one.address === transfer.from)!.value;
        expect(lost * lost <= 1n).toBe(true);
      }
    }),
  );
});

describe('a CoinJoin', () => {
  const coinJoin = `coinjoin:${HASH}`;
  const equal = (count: number) => Array.from({ length: count }, (_, i) => party(`out${i}`, 1_000));
  const payers = (count: number) => Array.from({ length: count }, (_, i) => party(`p${i}`, 1_002));
  const isCoinjoin = (tx: UtxoTransaction) => utxoTransfers(tx).transfers.some(({ to }) => to.startsWith('coinjoin:'));

  it('is a party that the payers pay and that pays the equal outputs, whole from whichever side it is seen', () => {
    const tx = transaction(payers(5), equal(5));
    const paid = Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`p${i}>${coinJoin}`, 1_000]));
    const got = Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`${coinJoin}>out${i}`, 1_000]));
    expect(edges(tx)).toEqual({ ...paid, ...got });
    expect(utxoTransfers(tx, 'out3')).toEqual(utxoTransfers(tx));
    expect(utxoTransfers(tx).transfers.map(({ apportioned, feeShare }) => [apportioned, feeShare])).toEqual([
      ...Array(5).fill([false, '0.00000002']),
      ...Array(5).fill([false, null]),
    ]);
  });

  it('has five equal outputs to different addresses or more, at least half of all, and as many payers', () => {
    expect(isCoinjoin(transaction(payers(4), equal(4)))).toBe(false);
    expect(isCoinjoin(transaction(payers(5), equal(6)))).toBe(false);
    const others = (count: number) => Array.from({ length: count }, (_, i) => party(`x${i}`, 50 + i));
    expect(isCoinjoin(transaction(payers(9), [...equal(5), ...others(5)]))).toBe(true);
    expect(isCoinjoin(transaction(payers(9), [...equal(5), ...others(6)]))).toBe(false);
    expect(isCoinjoin(transaction(payers(5), [...equal(4), party('out0', 1_000)]))).toBe(false);
    expect(isCoinjoin(transaction([], equal(9), true))).toBe(false);
  });

  it('gives change to the one payer whom it fits, else it comes from the CoinJoin', () => {
    const rich = (name: string, value: number) => party(name, value);
    const one = transaction([...payers(4), rich('r', 1_510)], [...equal(5), party('change', 500)]);
    expect(edges(one)).toMatchObject({ 'r>change': 500, [`r>${coinJoin}`]: 1_006 });
    const two = [rich('r', 1_510), rich('q', 1_512), ...payers(3)];
    expect(edges(transaction(two, [...equal(5), party('change', 500)]))).toMatchObject({ [`${coinJoin}>change`]: 500 });
    // What pays an address that put money in itself is nobody else's change.
    const own = transaction([...payers(4), rich('r', 1_510), party('own', 1)], [...equal(5), party('own', 500)]);
    expect(edges(own)).toMatchObject({ [`${coinJoin}>own`]: 499 });
  });

  it('distinguishes whose change is whose among as many payers as a block holds, without comparing each with each', () => {
    const changes = Array.from({ length: 7_500 }, (_, i) => party(`c${i}`, 2_000 + Math.floor(1.004 ** i)));
    const inputs = changes.map(({ value }, i) => party(`p${i}`, 1_000 + Number(value)));
    const payerOf = payersOfChange({ inputs, outputs: [...equal(7_500), ...changes] }, 1_000n);
    expect(payerOf.get('c7499')).toEqual(['p7499']);
    expect(payerOf.get('c0')).toBeUndefined();
  });

  it('loses and makes nothing: each payer his inputs, each receiver his outputs', () => {
    const sizes = fc.record({
      mixed: fc.integer({ min: 1_000, max: 1e8 }),
      changes: fc.array(fc.integer({ min: 600, max: 1e8 }), { minLength: 5, maxLength: 30 }),
      fees: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 30, maxLength: 30 }),
    });
    fc.assert(
      fc.property(sizes, ({ mixed, changes, fees }) => {
        const inputs = changes.map((change, i) => party(`p${i}`, mixed + change + (fees[i] ?? 0)));
        const outputs = changes.flatMap((change, i) => [
          party(`o${i}`, mixed),
          party(`c${i}`, change + (change === mixed ? 1 : 0)),
        ]);
        const paid = inputs.reduce((sum, { value }) => sum + value, 0n);
        fc.pre(outputs.reduce((sum, { value }) => sum + value, 0n) <= paid);
        const { transfers } = utxoTransfers(transaction(inputs, outputs));
        const sumOf = (side: 'from' | 'to', name: string) =>
          transfers.reduce((sum, one) => sum + (one[side] === name ? BigInt(one.amountRaw ?? 0) : 0n), 0n);
        for (const { address, value } of inputs) {
          const share = transfers.find(({ from }) => from === address)?.feeShare ?? '0';
          expect(sumOf('from', address ?? '') + parseUnits(share, 8)).toBe(value);
        }
        for (const { address, value } of outputs) expect(sumOf('to', address ?? '')).toBe(value);
        expect(sumOf('to', coinJoin)).toBe(sumOf('from', coinJoin));
      }),
    );
  });
});

describe('whether the payers of a transaction are one owner', () => {
  const jointOf = (tx: UtxoTransaction) => [...new Set(utxoTransfers(tx).transfers.map(({ joint }) => joint))];
  const inputs = [party('a', 1_000), party('b', 500)];

  it('is not asked of one payer', () => {
    expect(jointOf(transaction([party('a', 1_000)], [party('c', 900)]))).toEqual([null]);
  });

  it('is taken for true where all inputs were needed, and where nothing is left over', () => {
    expect(jointOf(transaction(inputs, [party('c', 1_200), party('d', 250)]))).toEqual([true]);
    expect(jointOf(transaction(inputs, [party('c', 1_490)]))).toEqual([true]);
    expect(jointOf(transaction(inputs, [party('c', 400), party('d', 400), party('e', 600)]))).toEqual([true]);
    expect(jointOf(transaction(inputs, [party('c', 400), party('a', 1_050)]))).toEqual([true]);
  });

  it("is taken for false in a payjoin's shape: one payer alone could have paid either output", () => {
    expect(jointOf(transaction(inputs, [party('c', 800), party('b', 690)]))).toEqual([false]);
    expect(jointOf(transaction(inputs, [party('c', 800), party('d', 690)]))).toEqual([false]);
  });

  it('is taken for false where a signature lets others add inputs, also of inputs that came back', () => {
    const [first, second] = inputs as [UtxoParty, UtxoParty];
    const open = [first, { ...second, open: true }];
    expect(jointOf(transaction(open, [party('c', 1_490)]))).toEqual([false]);
    expect(jointOf(transaction(open, [party('c', 980), party('b', 510)]))).toEqual([false]);
    expect(jointOf(transaction([...open, party('b', 90)], [party('c', 1_490)]))).toEqual([true]);
  });

  const equal = (names: string[]) => names.map((name) => party(`${name}2`, 1_000));

  it.each([
    ['without change', 3, []],
    ['one of them with change', 3, [400]],
    ['each with change', 3, [101, 202, 303]],
    ['each with change, beside a fee of the coordinator', 3, [101, 202, 303, 20]],
    ['of four beside a fee', 4, [101, 202, 303, 404, 20]],
    ['of two, each with change', 2, [101, 202]],
  ])('is taken for false where strangers may have mixed: %s', (_, count, others) => {
    const names = ['a', 'b', 'c', 'd'].slice(0, count);
    const outputs = [...equal(names), ...others.map((value, i) => party(`x${i}`, value))];
    const payers = names.map((name, i) => party(name, 1_050 + 150 * i + (others.length > 1 ? 100 : 0)));
    expect(jointOf(transaction(payers, outputs))).toEqual([false]);
  });

  it.each([
    ['two alike beside one change', [party('a', 1_200), party('b', 1_100)], ['x', 'y'], [200]],
    ['three alike from fewer payers', [party('a', 2_200), party('b', 1_100)], ['x', 'y', 'z'], [200]],
    [
      'three alike that small inputs could not pay',
      [party('a', 2_900), ...['b', 'c', 'd'].map((name) => party(name, 100))],
      ['x', 'y', 'z'],
      [150],
    ],
    [
      'three alike beside five others',
      ['a', 'b', 'c'].map((name) => party(name, 1_500)),
      ['x', 'y', 'z'],
      [201, 202, 203, 204, 205],
    ],
  ])('is taken for true of a wallet that pays %s', (_, payers, paid, others) => {
    const outputs = [...equal(paid), ...others.map((value, i) => party(`own${i}`, value))];
    expect(jointOf(transaction(payers, outputs))).toEqual([true]);
  });

  const collectible = party('seller', 546);
  const script = (letter: string) => party(`bc1q${letter.repeat(58)}`, 1_000_000);
  const note: UtxoParty = { address: null, value: 0n, data: true };

  it.each<[string, UtxoParty[], UtxoParty[]]>([
    [
      'buyer and seller, in full',
      [collectible, party('buyer', 90_000)],
      [party('buyer2', 546), party('seller2', 60_000), party('rest', 29_000)],
    ],
    [
      'buyer and seller, behind what the buyer put before it to keep places',
      [party('buyer', 600), party('buyer', 600), collectible, party('buyer', 90_000)],
      [party('buyer', 1_200), party('buyer2', 546), party('seller2', 60_000), party('rest', 28_000)],
    ],
    [
      'both sides of a channel',
      [party('a', 900_000), party('b', 700_000)],
      [party('a2', 350_000), script('q'), party('b2', 249_000)],
    ],
    ['both sides of an escrow', [party('a', 600_000), party('b', 410_000)], [script('q'), note]],
    ['both sides of an old escrow', [party('a', 600_000), party('b', 410_000)], [party('3escrow', 1_000_000), note]],
  ])('is taken for false where they may be %s', (_, payers, outputs) => {
    expect(jointOf(transaction(payers, outputs))).toEqual([false]);
  });

  it.each<[string, UtxoParty[], UtxoParty[]]>([
    [
      'sends a collectible beside the change alone',
      [collectible, party('own', 9_000), party('own2', 9_000)],
      [party('friend', 546), party('rest', 17_000)],
    ],
    [
      'pays two, one of them into a script, from a coin that the change alone is above',
      [party('a', 1_590_000), party('b', 10_000)],
      [party('x', 350_000), script('q'), party('rest', 249_000)],
    ],
    [
      'pays two out of such scripts, with change to another',
      [
        { ...script('z'), value: 900_000n },
        { ...script('y'), value: 700_000n },
      ],
      [party('x', 350_000), script('q'), party('y', 249_000)],
    ],
    [
      'pays into a script, with change',
      [party('a', 900_000), party('b', 300_000)],
      [script('q'), party('rest', 199_000)],
    ],
    [
      'sends a collectible out of an address from which it pays, too',
      [party('a', 50_000), party('a', 546), party('b', 60_000)],
      [party('x', 546), party('y', 80_000), party('rest', 29_000)],
    ],
    ['pays with a note', [party('a', 900_000), party('b', 300_000)], [party('vault', 1_199_000), note]],
  ])('is taken for true of a wallet that %s', (_, payers, outputs) => {
    expect(jointOf(transaction(payers, outputs))).toEqual([true]);
  });

  it('is taken for true of what a wallet prepares for a CoinJoin', () => {
    const { inputs, outputs } = preparation(1, { inputs: 4, outputs: 3 });
    expect(jointOf(transaction(inputs, outputs))).toEqual([true]);
  });

  it('has no answer in a CoinJoin', () => {
    const parties = ['a', 'b', 'c', 'd', 'e'];
    const payers = parties.map((name, i) => party(name, 1_100 + i));
    expect(jointOf(transaction(payers, [...parties.map((name) => party(`${name}2`, 1_000)), party('x', 400)]))).toEqual(
      [null],
    );
  });
});
