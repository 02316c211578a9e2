import { addToGroup } from '../group-by.ts';
import { divide } from './divide.ts';
import { type Payout, shareSide } from './payouts.ts';
import type { AddressTransfers, TracedTransfer } from './traced-transfer.ts';

/** The parts that stand in the histories of both parties for a transfer with the market, by its id. */
export type PaidOutParts = ReadonlyMap<string, Record<'given' | 'got', readonly TracedTransfer[]>>;

/** The parts into which the payouts of a transaction divide its transfers, what was not paid out as the last of them. */
export function partsOf(payouts: readonly Payout[]): PaidOutParts {
  const portions = { given: portionsOf(payouts, 'given'), got: portionsOf(payouts, 'got') };
  const parts = new Map<string, { given: TracedTransfer[]; got: TracedTransfer[] }>();
  const add = (id: string, side: 'given' | 'got', part: TracedTransfer) => {
    const sides = parts.get(id) ?? { given: [], got: [] };
    sides[side].push(part);
    parts.set(id, sides);
  };
  for (const [i, { given, got }] of payouts.entries()) {
    const there = { given: portions.given.of[i] as TracedTransfer, got: portions.got.of[i] as TracedTransfer };
    const shares = shareSide({ given, got });
    // The other party's history keeps its own transfer, whose id is then the payout's.
    const id = shares === null ? `${given.id}>${got.id}` : shares === 'given' ? got.id : given.id;
    for (const side of ['given', 'got'] as const) {
      if (shares !== null && shares !== side) continue;
      const { id: replaces } = there[side];
      add(replaces, side, { ...there[side], id, from: given.from, to: got.to, paidOut: { ...there, replaces } });
    }
  }
  for (const side of ['given', 'got'] as const) {
    for (const rest of portions[side].rests) if (parts.has(rest.id)) add(rest.id, side, rest);
  }
  return parts;
}

/**
 * The history of an address in which one transfer, from who gave to who got, stands for each swap that was paid out to
 * another party. It has one id and on each side that side's asset and quantity, so a share of what was given is the same
 * share of what was got. The market's own transfers stay: they are its swap.
 */
export function withPaidOut<T extends AddressTransfers>(history: T, parts: PaidOutParts): T {
  if (parts.size === 0) return history;
  const replaced = (transfers: readonly TracedTransfer[], side: 'given' | 'got') =>
    transfers.flatMap((transfer) => {
      const those = parts.get(transfer.id)?.[side] ?? [];
      // What a crossing explains is the bridge's.
      return those.length === 0 || transfer.bridge ? [transfer] : those;
    });
  return { ...history, received: replaced(history.received, 'got'), sent: replaced(history.sent, 'given') };
}

/** The portion of a transfer that each payout takes, and what is left of the transfers. */
function portionsOf(payouts: readonly Payout[], side: 'given' | 'got') {
  const of: TracedTransfer[] = [];
  const rests: TracedTransfer[] = [];
  const byTransfer = new Map<string, number[]>();
  for (const [i, payout] of payouts.entries()) addToGroup(byTransfer, payout[side].id, i);
  for (const places of byTransfer.values()) {
    const transfer = (payouts[places[0] as number] as Payout)[side];
    const { parts, rest } = divide(
      transfer,
      places.map((place) => (payouts[place] as Payout)[`${side}Part`]),
    );
    for (const [i, place] of places.entries()) of[place] = parts[i] as TracedTransfer;
    if (rest) rests.push(rest);
  }
  return { of, rests };
}
