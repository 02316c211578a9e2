import { assetPartName, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { withoutRoundTrips } from '../../domain/transfers/round-trips.ts';

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

/** Largest part of a payment that a router may keep as its fee. */
const FEE_MAX = 0.03;
/** Least part of what passed it that the one party behind it gave, or got. */
const LEAST_PART = 0.9;

/**
 * Finds who stands behind a party that a transaction leaves as it was, as a router: who gave what it paid on with the transfer, or got what
 * the transfer brought it. Null where it keeps more than a fee, or several stand there. By dollars, without a price by quantity.
 */
export function behindOf(router: string, transfer: TracedTransfer, together: readonly TracedTransfer[]): string | null {
  const alike = transfer.priced ? together : together.filter(({ assetId }) => assetId === transfer.assetId);
  const worthOf = ({ usd, amount }: TracedTransfer) => (transfer.priced ? usd : Number(amount));
  const isPayer = transfer.from === router;
  const other = isPayer ? transfer.to : transfer.from;
  /** Above zero: it stands on the other side of the router than the transfer. */
  const nets = new Map<string, number>();
  for (const one of alike) {
    if ((one.from === router) === (one.to === router)) continue;
    const far = one.from === router ? one.to : one.from;
    nets.set(far, (nets.get(far) ?? 0) + worthOf(one) * ((one.to === router) === isPayer ? 1 : -1));
  }
  const kept = [...nets.values()].reduce((sum, net) => sum + net, 0);
  nets.delete(other);
  const behind = [...nets].filter(([, net]) => net > 0).sort(([, a], [, b]) => b - a);
  const whole = behind.reduce((sum, [, net]) => sum + net, 0);
  const [largest] = behind;
  if (!largest || Math.abs(kept) > FEE_MAX * whole || largest[1] < LEAST_PART * whole) return null;
  return largest[0];
}
