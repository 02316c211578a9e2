import { groupBy } from '../group-by.ts';
import { firstInFirstOut } from './contract-account.ts';
import { divide } from './divide.ts';
import type { TracedTransfer } from './traced-transfer.ts';

/** A contract keeps the money of depositors apart where so many of them take out what they put in. */
const DEPOSITORS = 3;

interface Transfers {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/**
 * The transfers of a contract that keeps the money of its depositors, without what it lent to contracts of its own and took back, as a
 * vault does with its strategies: the money stays its depositors', first in first out by quantity. What did not come back was paid,
 * and what came back beyond that is a receipt.
 */
export function withoutLent({ received, sent }: Transfers, isOwnContract: (key: string) => boolean): Transfers {
  const paid = groupBy(
    sent.filter((one) => isPlain(one) && isOwnContract(one.to)),
    ({ to, assetId }) => `${to} ${assetId}`,
  );
  if (paid.size === 0) return { received, sent };
  const came = groupBy(received.filter(isPlain), ({ from, assetId }) => `${from} ${assetId}`);
  const gone = groupBy(sent.filter(isPlain), ({ to, assetId }) => `${to} ${assetId}`);
  const startsWith = (first: readonly TracedTransfer[] = [], later: readonly TracedTransfer[] = []) =>
    first.length > 0 && later.length > 0 && earliest(first) < earliest(later);
  const depositors = [...came].filter(([key, put]) => startsWith(put, gone.get(key)));
  if (new Set(depositors.map(([, [put]]) => put?.from)).size < DEPOSITORS) return { received, sent };
  const parts = new Map<string, number>();
  const byTime = (a: TracedTransfer, b: TracedTransfer) => a.at - b.at || a.seq - b.seq;
  for (const [key, lent] of paid) {
    const back = came.get(key) ?? [];
    if (!startsWith(lent, back)) continue;
    const pairs = firstInFirstOut(lent.toSorted(byTime), back.toSorted(byTime), ({ amount }) => Number(amount));
    for (const [loan, receipt, units] of pairs) {
      for (const one of [loan, receipt]) parts.set(one.id, (parts.get(one.id) ?? 0) + units / Number(one.amount));
    }
  }
  const rest = (transfers: readonly TracedTransfer[]) =>
    transfers.flatMap((one) => {
      const part = parts.get(one.id);
      return part === undefined ? [one] : (divide(one, [part]).rest ?? []);
    });
  return { received: rest(received), sent: rest(sent) };
}

function earliest(transfers: readonly TracedTransfer[]): number {
  return transfers.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
}

function isPlain({ bridge, paidOut, amount }: TracedTransfer): boolean {
  return !bridge && !paidOut && Number(amount) > 0;
}
