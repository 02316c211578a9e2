import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { isLawfulService, SERVICE_CATEGORIES } from '../../domain/label.ts';
import { DAY_MS, firstAfter, MINUTE_MS } from '../../domain/time.ts';
import { dollarOrAsset } from '../../domain/tokens/stablecoins.ts';
import { DEPOSIT_ADDRESS, SERVICE_LIKE } from '../rules.ts';
import { type Ledger, perLedger, uncircledUsd } from './ledger.ts';
import { bothWays, type Movement, type Payment } from './movements.ts';

export const received = perLedger((ledger): readonly Payment[] =>
  ledger.payments.filter((payment) => payment.direction === 'in'),
);

export const sent = perLedger((ledger): readonly Payment[] =>
  ledger.payments.filter((payment) => payment.direction === 'out'),
);

/** True when the other side is a labelled service. */
export function withService(ledger: Ledger, payment: Payment): boolean {
  return payment.movements.some(({ counterparty }) => {
    const category = ledger.categoryOf(counterparty);
    return category !== null && SERVICE_CATEGORIES.includes(category);
  });
}

/** True when the other side is a labelled lawful service. */
export function withLawfulService(ledger: Ledger, payment: Payment): boolean {
  return payment.movements.some(({ counterparty }) => isLawfulService(ledger.categoryOf(counterparty)));
}

export function totalUsd(payments: readonly Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.usd, 0);
}

/** Of payments that are oldest first, those of a moment after `from` (itself included) and up to `to`. */
export function between<T extends { at: number }>(payments: readonly T[], from: number, to: number): readonly T[] {
  return payments.slice(firstAfter(payments, from - 1), firstAfter(payments, to));
}

/** From the first payment to the last, in whole minutes, at least one; payments oldest first. */
export function spanMinutes(payments: readonly Payment[]): number {
  const span = (payments.at(-1)?.at ?? 0) - (payments[0]?.at ?? 0);
  return Math.max(1, Math.ceil(span / MINUTE_MS));
}

/** The side whose payments add up to more: money that passed through counts once. */
export function largerSide(payments: readonly Payment[]): Payment[] {
  const [ins, outs] = (['in', 'out'] as const).map((way) => payments.filter(({ direction }) => direction === way));
  return totalUsd(outs!) > totalUsd(ins!) ? outs! : ins!;
}

export function movementsOf(payments: readonly Payment[]): Movement[] {
  return payments.flatMap((payment) => payment.movements);
}

/** The first movement of each transaction of the activity, oldest first. */
export const firstOfTransactions = perLedger(({ activity }): readonly Movement[] => {
  const seen = new Set<string>();
  return activity.filter(({ transfer }) => seen.size < seen.add(transfer.txHash).size);
});

/**
 * Whether an address has the traffic of a service without being labelled as one: `many_owners` pay it or are paid by
 * it; `service_like` where this goes on for half a year and no owner stands out.
 */
export const serviceTraffic = perLedger((ledger: Ledger): 'service_like' | 'many_owners' | null => {
  const sides = [received(ledger), sent(ledger)];
  const counts = sides.map((side) => new Set(side.filter(isOfNote).map(({ owner }) => owner)).size);
  if (Math.max(...counts) < SERVICE_LIKE.owners) return null;
  const days = new Set(ledger.payments.map(({ at }) => Math.floor(at / DAY_MS)));
  const spanDays = (ledger.payments.at(-1)!.at - ledger.payments[0]!.at) / DAY_MS;
  const lasts = days.size >= SERVICE_LIKE.active_days && spanDays >= SERVICE_LIKE.span_days;
  const spread = sides.every((side) => topOwnerShare(side) <= SERVICE_LIKE.top_owner_share_max);
  return lasts && spread ? 'service_like' : 'many_owners';
});

function isOfNote({ usd }: Payment): boolean {
  return usd >= SERVICE_LIKE.each_from_usd;
}

function topOwnerShare(side: readonly Payment[]): number {
  const byOwner = new Map<string, number>();
  for (const { owner, usd } of side) byOwner.set(owner, (byOwner.get(owner) ?? 0) + usd);
  const sums = [...byOwner.values()];
  const total = sums.reduce((sum, usd) => sum + usd, 0);
  return total > 0 ? sums.reduce((most, usd) => Math.max(most, usd), 0) / total : 0;
}

/** True where nearly everything that leaves goes to one labelled exchange, as from a customer's deposit address. */
export const isDepositAddress = perLedger((ledger: Ledger): boolean => {
  const byExchange = new Map<string, Payment[]>();
  for (const payment of sent(ledger)) {
    const address = payment.movements[0]!.counterparty;
    if (ledger.categoryOf(address) !== 'exchange') continue;
    const name = ledger.labelsOf(address).find(({ entity }) => entity !== null)?.entity ?? address;
    addToGroup(byExchange, name, payment);
  }
  const total = totalUsd(sent(ledger));
  return [...byExchange.values()].some(
    (part) => part.length >= DEPOSIT_ADDRESS.payments && totalUsd(part) >= DEPOSIT_ADDRESS.exchange_share * total,
  );
});

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
