import { groupBy } from '../../domain/group-by.ts';
import { dollarOrAsset } from '../../domain/tokens/stablecoins.ts';
import { type Ledger, uncircledUsd } from '../ledger/ledger.ts';
import { bothWays, type Movement } from '../ledger/movements.ts';
import { serviceTraffic } from '../ledger/payments.ts';
import { perLedger } from '../ledger/per-ledger.ts';

/**
 * USD by which each movement enters the total of a share. Swaps, what returns within its own transaction and the
 * subject's own money that a party or a trace shows to have returned are left out, so that moving money in circles
 * changes no share.
 */
export const flowUsd = perLedger(
  (ledger): ReadonlyMap<Movement, number> =>
    // Both ways of seeing it may find the same money.
    new Map([...unreturnedUsd(ledger)].map(([one, usd]) => [one, Math.min(usd, uncircledUsd(ledger, one))])),
);

/** US dollars that came back to the subject as the trace alone shows: from another wallet than they went to. */
export function circledUsd(ledger: Ledger): number {
  const left = flowUsd(ledger);
  return [...unreturnedUsd(ledger)].reduce(
    (sum, [movement, usd]) => (movement.direction === 'in' ? sum + usd - left.get(movement)! : sum),
    0,
  );
}

/** The same without what only a trace shows. */
const unreturnedUsd = perLedger((ledger): ReadonlyMap<Movement, number> => {
  const left = new Map(ledger.movements.map((movement) => [movement, movement.swap ? 0 : (movement.usd ?? 0)]));
  for (const group of groupBy(ledger.twoWay, ({ transfer }) => `${transfer.txHash} ${transfer.asset}`).values()) {
    cancelWithinTransaction(group, left);
  }
  // The customers of a service bring back what they withdrew: that money is theirs.
  if (ledger.serviceLabel === null && serviceTraffic(ledger) === null) {
    const returning = bothWays(ledger.movements, ({ owner }) => owner);
    const between = groupBy(returning, ({ owner, transfer }) => `${owner} ${dollarOrAsset(transfer.asset)}`);
    for (const group of between.values()) cancelReturned(group, left);
  }
  return left;
});

function cancelWithinTransaction(group: readonly Movement[], left: Map<Movement, number>): void {
  const sums = { in: 0, out: 0 };
  for (const movement of group) sums[movement.direction] += left.get(movement)!;
  const returned = Math.min(sums.in, sums.out);
  if (returned === 0) return;
  for (const movement of group) left.set(movement, left.get(movement)! * (1 - returned / sums[movement.direction]));
}

/** Sets what was paid to a party against what the party pays back later, the oldest payment first. */
export function cancelReturned(group: readonly Movement[], left: Map<Movement, number>): void {
  const paid: Movement[] = [];
  let next = 0;
  for (const movement of group) {
    if (movement.direction === 'out') {
      paid.push(movement);
      continue;
    }
    while (next < paid.length && left.get(movement)! > 0) {
      const earlier = paid[next]!;
      const returned = Math.min(left.get(movement)!, left.get(earlier)!);
      left.set(movement, left.get(movement)! - returned);
      left.set(earlier, left.get(earlier)! - returned);
      if (left.get(earlier)! <= 0) next++;
    }
  }
}
