import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';

/** An input or an output; null for scripts that have not exactly one address. */
interface InputOrOutput {
  address: string | null;
  value: bigint;
}

interface Sides {
  coinbase: boolean;
  inputs: readonly InputOrOutput[];
  outputs: readonly InputOrOutput[];
}

/** With fewer equal outputs it is easy to guess. */
const EQUAL_MIN = 5;
/** The part of a payer's input that may go to fees where a change output is taken as his. */
const FEE_PART = 100n;

/**
 * The value of the equal outputs of a CoinJoin: five or more, half of all, to different addresses, from as many payers. Null
 * for other transactions.
 */
export function equalOutput({ coinbase, inputs, outputs }: Sides): bigint | null {
  const paid = outputs.filter(({ value }) => value > 0n);
  const payers = new Set(inputs.map(({ address }) => address)).size;
  if (coinbase || paid.length < EQUAL_MIN || payers < EQUAL_MIN) return null;
  for (const [value, equal] of groupBy(paid, (output) => output.value)) {
    const count = new Set(equal.map(({ address }) => address)).size;
    if (count >= EQUAL_MIN && count === equal.length && 2 * count >= paid.length && payers >= count) return value;
  }
  return null;
}

/** By the address of a change output its payer: the only one whose input both outputs use up, and who has no other. */
export function payersOfChange(
  { inputs, outputs }: Pick<Sides, 'inputs' | 'outputs'>,
  equal: bigint,
): Map<string, string> {
  const put = sumByAddress(inputs);
  const payers = [...put].sort(byValue);
  const changes = [...sumByAddress(outputs)].filter(([address, value]) => value !== equal && !put.has(address));
  let next = 0;
  const pairs = changes.sort(byValue).flatMap(([address, change]) => {
    const spent = equal + change;
    while (next < payers.length && payers[next]![1] < spent) next += 1;
    // Where a payer fits, those between it and the change fit too.
    const fitting = payers.slice(next, next + 2).filter(([, value]) => (value - spent) * FEE_PART <= value);
    return fitting.length === 1 ? fitting.map(([payer]) => ({ address, payer })) : [];
  });
  const byPayer = [...groupBy(pairs, ({ payer }) => payer).values()];
  return new Map(byPayer.flatMap((own) => (own.length === 1 ? own.map(({ address, payer }) => [address, payer]) : [])));
}

function byValue([, a]: [string, bigint], [, b]: [string, bigint]): number {
  return compare(a, b);
}

function sumByAddress(parties: readonly InputOrOutput[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { address, value } of parties) {
    if (address !== null) sums.set(address, (sums.get(address) ?? 0n) + value);
  }
  return sums;
}
