import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';

/** An input or an output; a script that has not exactly one address is null, or the pseudo address of it. */
interface InputOrOutput {
  address: string | null;
  value: bigint;
  /** True for an output behind OP_RETURN. */
  data?: true;
  /** True for an input whose signature lets others add theirs. */
  open?: boolean;
}

interface Sides {
  inputs: readonly InputOrOutput[];
  outputs: readonly InputOrOutput[];
}

interface Transaction extends Sides {
  coinbase: boolean;
}

/** The method of transfers to outputs that a wallet prepares for a CoinJoin. */
export const PREPARATION = 'coinjoin_preparation';
/** The method of what those pay who may have sold to the other payers. */
export const SALE = 'sale';

/** Least outputs of one value: with fewer it is easy to guess. */
const EQUAL_MIN = 5;
/** Payers from which a smaller part of the outputs has values that others have too: many wallets split what they put in. */
const LARGE_ROUND = 20;
/** The part of a payer's input that may go to fees where a change output is taken as his. */
const FEE_PART = 100n;
/** Beside the outputs that a wallet prepares for a CoinJoin: the fee of the coordinator and what is left over. */
const LEFT_OVER_MAX = 3;
/** Collectibles lie on coins of so few satoshi. */
const POSTAGE_MAX = 20_000n;
/** A script of several signers: P2WSH, and P2SH, of which one key may also make one. */
const SCRIPT_OF_MANY = /^bc1q.{58}$/;
const SCRIPT_OF_SOME = /^(?:3|bc1q.{58}$)/;

/**
 * The values that outputs of a CoinJoin share, of the most outputs first. Outputs of one value go to two different addresses or
 * more, of the commonest to five or more and from as many payers who could each pay one; the largest leave each of five payers his
 * own; all together they are half of the outputs, or a third with many payers. Null for other transactions.
 */
export function equalValues(tx: Transaction): bigint[] | null {
  const { coinbase, inputs } = tx;
  const paid = paidOutputs(tx.outputs);
  const payers = new Set(inputs.map(({ address }) => address)).size;
  if (coinbase || paid.length < EQUAL_MIN || payers < EQUAL_MIN || preparedValue(tx) !== null) return null;
  const groups = groupsOfEqual(paid);
  const [first] = groups;
  if (
    !first ||
    first.addresses.size < EQUAL_MIN ||
    first.addresses.size > Math.min(payers, affordable(tx, first.value)) ||
    !leavesToOthers(tx, first.value)
  ) {
    return null;
  }
  const equal = new Set(groups.flatMap(({ addresses }) => [...addresses])).size;
  const isMost = 2 * equal >= paid.length || (payers >= LARGE_ROUND && 3 * equal >= paid.length);
  return isMost ? groups.map(({ value }) => value) : null;
}

/**
 * The value of the outputs that a wallet prepares for a CoinJoin (Whirlpool's Tx0): two or more to different addresses, beside a
 * note behind OP_RETURN, a fee and what is left over. They are its owner's own money. Null for other transactions.
 */
export function preparedValue({ coinbase, outputs }: Transaction): bigint | null {
  const paid = paidOutputs(outputs);
  const hasNote =
    paid.length === outputs.length - 1 && outputs.some(({ value, data }) => value === 0n && data === true);
  if (coinbase || !hasNote) return null;
  const [first, second] = groupsOfEqual(paid);
  if (!first || second) return null;
  const leftOver = paid.length - first.addresses.size;
  return leftOver >= 1 && leftOver <= Math.min(LEFT_OVER_MAX, first.addresses.size) ? first.value : null;
}

/**
 * True where the shape or a signature of a transaction of several payers, no CoinJoin, speaks against one owner of them all: payer and
 * payee, few who mix, buyer and seller, or two who fund a script of both may have signed together.
 */
export function hasShapeOfStrangers(tx: Transaction): boolean {
  // What a wallet prepares for a CoinJoin has equal outputs too, all its own.
  if (hasSmallRoundShape(tx) && preparedValue(tx) === null) return true;
  return hasPayjoinShape(tx) || sellersIn(tx).size > 0 || hasFundingShape(tx);
}

/**
 * True where payer and payee may have spent together: outputs to two addresses, neither above what one payer put in, so that the
 * others were not needed.
 */
function hasPayjoinShape({ inputs, outputs }: Sides): boolean {
  const [put, paid] = [totals(inputs), totals(outputs).filter((value) => value > 0n)];
  return paid.length === 2 && put.some((most) => paid.every((value) => value <= most));
}

/**
 * True where as many payers as outputs of one value, each with change or without, may have spent together beside a coordinator's
 * fee: a CoinJoin of two to four. Too few to call it one, and enough not to call its payers one owner.
 */
function hasSmallRoundShape(tx: Sides): boolean {
  const paid = paidOutputs(tx.outputs);
  const payers = new Set(tx.inputs.map(({ address }) => address)).size;
  return groupsOfEqual(paid).some(({ value, addresses: { size } }) => {
    const others = paid.length - size;
    // Two of one value beside fewer or more than two others: a wallet that pays two people alike.
    const isRound = size > 2 ? others <= size + 1 : others === size;
    return (
      isRound && size <= payers && size <= affordable(tx, value) && (size < EQUAL_MIN || leavesToOthers(tx, value))
    );
  });
}

/**
 * Returns who may have sold to the other payers: whose every input lets others add theirs, or is a coin of a collectible's value that
 * goes on whole to another, as the collectible does with it, beside two outputs or more: what its seller gets and what is left of the
 * buyer's. Then both may sign in full. With one output beside it the owner sends it. Who puts in more than such coins signs for the others.
 */
export function sellersIn({ inputs, outputs }: Sides): Set<string | null> {
  const paid = paidOutputs(outputs);
  const goesOn = ({ address, value }: InputOrOutput) =>
    paid.length > 2 &&
    value <= POSTAGE_MAX &&
    paid.some((output) => output.value === value && output.address !== address);
  const byPayer = [...groupBy(inputs, ({ address }) => address)];
  return new Set(byPayer.flatMap(([payer, own]) => (own.every((one) => one.open || goesOn(one)) ? [payer] : [])));
}

/**
 * True where two may have put coins into a script that both sign for: one output to such a script, from which no input comes, beside
 * the change of each (a channel, a contract of two), or beside nothing but a note (an escrow).
 */
function hasFundingShape(tx: Sides): boolean {
  const paid = paidOutputs(tx.outputs);
  const isFrom = (form: RegExp) => tx.inputs.some(({ address }) => address !== null && form.test(address));
  const to = (form: RegExp) => paid.filter(({ address }) => address !== null && form.test(address)).length;
  if (paid.length === 1) {
    return tx.outputs.some(({ data }) => data === true) && to(SCRIPT_OF_SOME) === 1 && !isFrom(SCRIPT_OF_SOME);
  }
  if (paid.length !== 3 || to(SCRIPT_OF_MANY) !== 1 || isFrom(SCRIPT_OF_MANY)) return false;
  const [less] = paid
    .filter(({ address }) => address === null || !SCRIPT_OF_MANY.test(address))
    .map(({ value }) => value)
    .sort(compare);
  return affordable(tx, less!) > 1;
}

function paidOutputs(outputs: readonly InputOrOutput[]): InputOrOutput[] {
  return outputs.filter(({ value }) => value > 0n);
}

/** Satoshi of each address, and of all that have none. */
function totals(parties: readonly InputOrOutput[]): bigint[] {
  return [...groupBy(parties, ({ address }) => address).values()].map(total);
}

function total(parties: readonly InputOrOutput[]): bigint {
  return sumOf(parties.map(({ value }) => value));
}

/** Outputs of one value to two different addresses or more, the largest group first. */
function groupsOfEqual(outputs: readonly InputOrOutput[]): { value: bigint; addresses: Set<string | null> }[] {
  return [...groupBy(outputs, ({ value }) => value)]
    .map(([value, group]) => ({ value, addresses: new Set(group.map(({ address }) => address)) }))
    .filter(({ addresses }) => addresses.size > 1)
    .sort((a, b) => b.addresses.size - a.addresses.size || compare(b.value, a.value));
}

/** How many owners at most could each pay the value: whose input is enough alone, and those who would put smaller ones together. */
function affordable({ inputs }: Pick<Sides, 'inputs'>, value: bigint): number {
  const { large, together } = payersOf(inputs, value);
  return large.length + Number(together);
}

/** Lists what addresses put in that is enough for the value alone, and how often all else is enough together. */
function payersOf(inputs: readonly InputOrOutput[], value: bigint): { large: bigint[]; together: bigint } {
  const puts = sumsOf(inputs);
  const large = puts.filter((put) => put >= value);
  return { large, together: (sumOf(puts) - sumOf(large)) / value };
}

/**
 * True where the largest outputs leave five owners: one gets the largest, two at most the two largest, and so on, and each of the
 * others put in what pays an output of the value, in one address's coins at least: with coins that are worth less, an owner of all
 * would stand for four others. Of how many more there were, equal outputs say nothing: a wallet may get several.
 */
function leavesToOthers({ inputs, outputs }: Sides, value: bigint): boolean {
  const { large, together } = payersOf(inputs, value);
  const small = Array.from({ length: Math.min(EQUAL_MIN, Number(together)) }, () => value);
  const least = [...small, ...large].sort(compare);
  const largest = sumsOf(outputs).sort(compare).reverse();
  const all = sumOf(sumsOf(inputs));
  return Array.from({ length: EQUAL_MIN - 1 }, (_, i) => i + 1).every(
    (owners) => sumOf(largest.slice(0, owners)) + sumOf(least.slice(0, EQUAL_MIN - owners)) <= all,
  );
}

/** Satoshi of each address, and of each input or output without one. */
function sumsOf(parties: readonly InputOrOutput[]): bigint[] {
  const unknown = parties.filter(({ address }) => address === null).map(({ value }) => value);
  return [...sumByAddress(parties).values(), ...unknown];
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/**
 * Maps the address of a change output to those whose it is: the payers without whom it cannot be paid, who are one owner then; with
 * `equal`, else the only one whose input it uses up together with one equal output, and who has no other change.
 */
export function payersOfChange({ inputs, outputs }: Sides, equal: bigint | null): Map<string, readonly string[]> {
  const put = sumByAddress(inputs);
  const payers = [...put].sort(byValue);
  const changes = [...sumByAddress(outputs)].filter(([address]) => !put.has(address)).sort(byValue);
  const known = new Map<string, readonly string[]>();
  const taken = new Set<string>();
  const all = sumOf(sumsOf(inputs));
  const most = payers.at(-1)?.[1] ?? 0n;
  for (const [address, change] of changes.filter(([, value]) => value > all - most).reverse()) {
    const needed = payers.filter(([, value]) => value > all - change);
    const owner = needed.map(([payer]) => payer);
    if (sumOf(needed.map(([, value]) => value)) < change || owner.some((payer) => taken.has(payer))) continue;
    known.set(address, owner);
    for (const payer of owner) taken.add(payer);
  }
  if (equal === null) return known;
  let next = 0;
  const pairs = changes.flatMap(([address, change]) => {
    if (change === equal) return [];
    const spent = equal + change;
    while (next < payers.length && payers[next]![1] < spent) next += 1;
    // Where a payer fits, those between it and the change fit too.
    const fitting = payers.slice(next, next + 2).filter(([, value]) => (value - spent) * FEE_PART <= value);
    return fitting.length === 1 ? fitting.map(([payer]) => ({ address, payer })) : [];
  });
  for (const own of groupBy(pairs, ({ payer }) => payer).values()) {
    const [{ address, payer }] = own as [(typeof own)[number]];
    if (own.length === 1 && !known.has(address) && !taken.has(payer)) known.set(address, [payer]);
  }
  return known;
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
