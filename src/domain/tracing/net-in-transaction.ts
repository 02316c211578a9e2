import { withoutRoundTrips } from '../transfers/round-trips.ts';
import type { TracedTransfer } from './traced-transfer.ts';

/**
 * The history of an address without what goes to a party and comes back from it in one transaction and asset. Crossings and what
 * swaps paid out are left as they are.
 */
export function netInTransactions<T extends Record<'received' | 'sent', readonly TracedTransfer[]>>(history: T): T {
  const plain = ({ bridge, paidOut }: TracedTransfer) => !bridge && !paidOut;
  const { received, sent } = history;
  const left = withoutRoundTrips(
    { received: received.filter(plain), sent: sent.filter(plain) },
    ({ assetId }) => assetId,
  );
  if (left.size === 0) return history;
  const rest = (transfers: readonly TracedTransfer[]) =>
    transfers.flatMap((one) => {
      const part = left.get(one);
      return part === null ? [] : [part ?? one];
    });
  return { ...history, received: rest(received), sent: rest(sent) };
}
