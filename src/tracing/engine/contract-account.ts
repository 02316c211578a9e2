import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { comparePlaces, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { divideTransfer } from './divide-transfer.ts';
import type { TraderOf } from './swaps.ts';

// An order book, a limit order, liquidity, a loan: money is put into a market in one transaction and comes out in a later one.
// Strangers' money lies there too, so that this is an upper bound.

interface Transfers {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/** A part of a deposit, and the part of a later receipt from the same exchange that returned it, by their ids. */
export type ReturnedPair = [deposit: string, receipt: string];

/** Deposits of an address and what it took out, by market: of transactions in which it dealt on one side alone, oldest first. */
export type MarketDealings = Record<'put' | 'taken', ReadonlyMap<string, readonly TracedTransfer[]>>;

export function dealingsOf(
  { received, sent }: Transfers,
  kindOf: TraderOf,
  isMarket: (key: string) => boolean,
): MarketDealings {
  const traded = ({ from, to, paidOut, bridge }: TracedTransfer, isReceipt: boolean) =>
    !paidOut && !bridge && kindOf(isReceipt ? from : to) !== 'none';
  const worthOf = (transfers: readonly TracedTransfer[], isReceipt: boolean) =>
    usdByTransaction(transfers.filter((one) => traded(one, isReceipt)));
  const ofMarkets = (
    transfers: readonly TracedTransfer[],
    others: () => ReadonlyMap<string, number>,
    isReceipt: boolean,
  ) => {
    const withThem = transfers.filter(
      (one) => one.usd > 0 && isMarket(isReceipt ? one.from : one.to) && traded(one, isReceipt),
    );
    const otherSides = withThem.length > 0 ? others() : NONE;
    const own = withThem.filter((one) => !isPaidFor(one, otherSides));
    return groupBy(
      own.sort((a, b) => comparePlaces(a, b) || a.seq - b.seq),
      ({ from, to }) => (isReceipt ? from : to),
    );
  };
  return {
    put: ofMarkets(sent, () => worthOf(received, true), false),
    taken: ofMarkets(received, () => worthOf(sent, false), true),
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
/** A side of a trade is worth this part of the other one, or more: anybody can add a grain, or what has no price. */
const TRADED_SHARE = 0.5;

/** True where the other side of the transaction is worth half or more of a transfer, by its US dollars. */
export function isPaidFor({ txHash, usd }: TracedTransfer, otherUsd: ReadonlyMap<string, number>): boolean {
  const worth = otherUsd.get(txHash) ?? 0;
  return worth > 0 && worth >= TRADED_SHARE * usd;
}

/** Sums US dollars by the hash of the transaction. */
export function usdByTransaction(transfers: readonly TracedTransfer[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { txHash, usd } of transfers) sums.set(txHash, (sums.get(txHash) ?? 0) + usd);
  return sums;
}

/**
 * The transfers of an address with its deposits at exchanges and what it took out of them later, first in first out and up to
 * the value put in, divided so that each part is one returned deposit or none.
 */
export function withAccounts(
  { received, sent }: Transfers,
  kindOf: TraderOf,
  isExchange: (key: string) => boolean,
): Transfers & { returned: ReturnedPair[] } {
  const { put, taken } = dealingsOf({ received, sent }, kindOf, isExchange);
  const returned: ReturnedPair[] = [];
  const parts = new Map<string, number[]>();
  for (const [exchange, deposits] of put) {
    for (const [deposit, receipt, usd] of firstInFirstOut(deposits, taken.get(exchange) ?? [], ({ usd }) => usd)) {
      const idOf = (one: TracedTransfer) => {
        addToGroup(parts, one.id, usd / one.usd);
        return partId(one.id, (parts.get(one.id)?.length ?? 1) - 1);
      };
      returned.push([idOf(deposit), idOf(receipt)]);
    }
  }
  if (returned.length === 0) return { received, sent, returned };
  const divided = (transfers: readonly TracedTransfer[]) =>
    transfers.flatMap((one) => {
      const shares = parts.get(one.id);
      if (shares === undefined) return [one];
      const { parts: named, rest } = divideTransfer(one, shares);
      return [...named.map((part, i) => ({ ...part, id: partId(one.id, i) })), ...(rest ? [rest] : [])];
    });
  return { received: divided(received), sent: divided(sent), returned };
}

/** Which deposit each receipt returned, and how many US dollars of it; a transfer counts with what `worthOf` says. */
export function* firstInFirstOut(
  deposits: readonly TracedTransfer[],
  receipts: readonly TracedTransfer[],
  worthOf: (transfer: TracedTransfer) => number,
): Generator<[deposit: TracedTransfer, receipt: TracedTransfer, usd: number]> {
  let [place, taken] = [0, 0];
  for (const receipt of receipts) {
    let missing = worthOf(receipt);
    for (let deposit = deposits[place]; deposit && comparePlaces(deposit, receipt) < 0; deposit = deposits[place]) {
      const usd = Math.min(missing, worthOf(deposit) - taken);
      if (usd > 0) yield [deposit, receipt, usd];
      missing -= usd;
      taken += usd;
      if (missing <= 0) break;
      place += 1;
      taken = 0;
    }
  }
}

function partId(id: string, place: number): string {
  return `${id}~${place}`;
}

const PAYERS_MAX = 50;
/** Smaller payers are not counted: a crowd of them costs little. */
const PAYER_USD = 10;
const LARGEST_SHARE = 0.2;

interface Receipt {
  from: string;
  usd: number | null;
}

/**
 * True for a contract that pools the money of strangers: it has many payers, and none of them gave more than a fifth. Others
 * pass money on as a wallet does: a forwarder costs a dollar.
 */
export function poolsStrangers(received: readonly Receipt[]): boolean {
  const sums = new Map<string, number>();
  for (const { from, usd } of received) sums.set(from, (sums.get(from) ?? 0) + (usd ?? 0));
  let [total, largest, payers] = [0, 0, 0];
  for (const usd of sums.values()) {
    total += usd;
    largest = Math.max(largest, usd);
    if (usd >= PAYER_USD) payers += 1;
  }
  return payers >= PAYERS_MAX && largest <= LARGEST_SHARE * total;
}
