import { addToGroup, groupBy } from '../group-by.ts';
import { divide } from './divide.ts';
import type { TraderOf } from './swaps.ts';
import type { TracedTransfer } from './traced-transfer.ts';

// An order book, a limit order, liquidity: money is put into an exchange in one transaction and comes out in a later one.
// Strangers' money lies there too, so that this is an upper bound.

interface Transfers {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/** A part of a deposit, and the part of a later receipt from the same exchange that returned it, by their ids. */
export type Returned = [deposit: string, receipt: string];

/**
 * The transfers of an address with its deposits at exchanges and what it took out of them later, first in first out and up to
 * the value put in, divided so that each part is one returned deposit or none. Only transactions in which it dealt on one
 * side alone, in assets with a price.
 */
export function withAccounts(
  { received, sent }: Transfers,
  kindOf: TraderOf,
  isExchange: (key: string) => boolean,
): Transfers & { returned: Returned[] } {
  const traded = ({ from, to, paidOut, bridge }: TracedTransfer, isReceipt: boolean) =>
    !paidOut && !bridge && kindOf(isReceipt ? from : to) !== 'none';
  const hashesOf = (transfers: readonly TracedTransfer[], isReceipt: boolean) =>
    new Set(transfers.filter((one) => traded(one, isReceipt)).map(({ txHash }) => txHash));
  const accountsOf = (transfers: readonly TracedTransfer[], others: ReadonlySet<string>, isReceipt: boolean) => {
    const own = transfers.filter(
      (one) =>
        one.usd > 0 && !others.has(one.txHash) && isExchange(isReceipt ? one.from : one.to) && traded(one, isReceipt),
    );
    return groupBy(
      own.sort((a, b) => a.at - b.at || a.seq - b.seq),
      ({ from, to }) => (isReceipt ? from : to),
    );
  };
  const deposits = accountsOf(sent, hashesOf(received, true), false);
  if (deposits.size === 0) return { received, sent, returned: [] };
  const receipts = accountsOf(received, hashesOf(sent, false), true);
  const returned: Returned[] = [];
  const parts = new Map<string, number[]>();
  for (const [exchange, put] of deposits) {
    for (const [deposit, receipt, usd] of firstInFirstOut(put, receipts.get(exchange) ?? [])) {
      const idOf = (one: TracedTransfer) => {
        addToGroup(parts, one.id, usd / one.usd);
        return partId(one.id, (parts.get(one.id)?.length ?? 1) - 1);
      };
      returned.push([idOf(deposit), idOf(receipt)]);
    }
  }
  const divided = (transfers: readonly TracedTransfer[]) =>
    transfers.flatMap((one) => {
      const shares = parts.get(one.id);
      if (shares === undefined) return [one];
      const { parts: named, rest } = divide(one, shares);
      return [...named.map((part, i) => ({ ...part, id: partId(one.id, i) })), ...(rest ? [rest] : [])];
    });
  return { received: divided(received), sent: divided(sent), returned };
}

function* firstInFirstOut(
  deposits: readonly TracedTransfer[],
  receipts: readonly TracedTransfer[],
): Generator<[deposit: TracedTransfer, receipt: TracedTransfer, usd: number]> {
  let [place, taken] = [0, 0];
  for (const receipt of receipts) {
    let missing = receipt.usd;
    for (let deposit = deposits[place]; deposit && deposit.at < receipt.at; deposit = deposits[place]) {
      const usd = Math.min(missing, deposit.usd - taken);
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
