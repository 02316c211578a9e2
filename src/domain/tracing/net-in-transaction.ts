import { withoutRoundTrips } from '../transfers/round-trips.ts';
import { assetPartName, type TracedTransfer } from './traced-transfer.ts';

interface History {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
  /** Names (`assetPartName`) of transactions and assets of which a part went round and is not listed. */
  netted?: ReadonlySet<string>;
}
/** Rests of transfers that went round inside their transactions over other parties, by id; null: nothing is left. */
type Rests = ReadonlyMap<string, TracedTransfer | null>;

/**
 * The history of an address without what goes to a party and comes back from it in one transaction and asset. Crossings and what
 * swaps paid out are left as they are.
 */
export function netInTransactions<T extends History>(history: T): T {
  const { received, sent } = history;
  const left = withoutRoundTrips(
    { received: received.filter(isPlain), sent: sent.filter(isPlain) },
    ({ assetId }) => assetId,
  );
  if (left.size === 0) return history;
  const rest = (transfers: readonly TracedTransfer[]) =>
    transfers.flatMap((one) => {
      const part = left.get(one);
      return part === null ? [] : [part ?? one];
    });
  return { ...history, received: rest(received), sent: rest(sent), netted: withNames(history, left.keys()) };
}

/** The history of an address without what whole transactions show to have gone round. */
export function withoutRounds<T extends History>(history: T, rounds: Rests): T {
  const { received, sent } = history;
  const gone = [...received, ...sent].filter((one) => isPlain(one) && rounds.has(one.id));
  if (gone.length === 0) return history;
  const rest = (transfers: readonly TracedTransfer[]) => transfers.flatMap((one) => restOf(one, rounds) ?? []);
  return { ...history, received: rest(received), sent: rest(sent), netted: withNames(history, gone) };
}

function withNames({ netted }: History, gone: Iterable<TracedTransfer>): ReadonlySet<string> {
  return new Set([...(netted ?? []), ...Array.from(gone, assetPartName)]);
}

/** Returns what is left of a transfer; null: nothing. */
export function restOf(transfer: TracedTransfer, rounds: Rests): TracedTransfer | null {
  const part = isPlain(transfer) ? rounds.get(transfer.id) : undefined;
  if (part === undefined) return transfer;
  return part && { ...transfer, amount: part.amount, usd: part.usd };
}

function isPlain({ bridge, paidOut }: TracedTransfer): boolean {
  return !bridge && !paidOut;
}
