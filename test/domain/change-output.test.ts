import { describe, expect, it } from 'vitest';
import { changeOutput, utxoTransfers } from '../../src/domain/transfers/utxo.ts';

const [own, other] = ['bc1qown', '1other'];
const party = (address: string | null, value: number) => ({ address, value: BigInt(value) });
/** Kind of script and round amounts point to `bc1qow2`. */
const clear = { inputs: [party(own, 1_000_000)], outputs: [party(other, 300_000), party('bc1qow2', 699_001)] };

describe('the change of a transaction', () => {
  it.each([
    ['kind of script and amount', clear, 'bc1qow2'],
    [
      'kind of script and need of each input',
      {
        inputs: [party(own, 500_000), party('bc1qowm', 400_000)],
        outputs: [party(other, 801_001), party('bc1qow2', 98_001)],
      },
      'bc1qow2',
    ],
    [
      'amount and need of each input',
      { inputs: [party('3a', 500_000), party(own, 400_000)], outputs: [party(other, 800_000), party('3b', 99_001)] },
      '3b',
    ],
    ['one sign alone', { ...clear, outputs: [party(other, 300_001), party('bc1qow2', 699_001)] }, null],
    ['signs that contradict', { ...clear, outputs: [party(other, 300_001), party('bc1qow2', 600_000)] }, null],
    [
      'an output of the kind of the inputs beside the one that others name',
      {
        inputs: [party(own, 500_000), party('bc1qowm', 400_000)],
        outputs: [party('bc1qow2', 400_000), party('bc1qow3', 400_000), party(other, 99_001)],
      },
      null,
    ],
    ['change to the payer', { ...clear, outputs: [party(own, 699_001), party(other, 300_000)] }, null],
    ['one output', { ...clear, outputs: [party('bc1qow2', 999_001)] }, null],
    ['an input without an address', { ...clear, inputs: [party(null, 1_000_000)] }, null],
  ])('is found by %s', (_, tx, expected) => {
    expect(changeOutput(tx)).toBe(expected);
  });

  it('marks the transfers to it, not those of a payjoin, of a sale or of new coins', () => {
    const place = { txHash: 'a'.repeat(64), block: 1, blockHash: 'b', at: 1, coinbase: false };
    const marked = (tx: object) =>
      utxoTransfers({ ...place, ...clear, ...tx }).transfers.flatMap(({ to, change }) => (change ? [to] : []));
    expect(marked({})).toEqual(['bc1qow2']);
    expect(marked({ inputs: clear.inputs.map((input) => ({ ...input, open: true })) })).toEqual([]);
    const payjoin = { inputs: [party(own, 1_000_000), party('bc1qpal', 50_000)] };
    expect(marked({ ...payjoin, outputs: [party(other, 800_000), party('bc1qow2', 49_001)] })).toEqual([]);
    expect(marked({ coinbase: true, inputs: [] })).toEqual([]);
  });
});
