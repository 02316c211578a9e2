import { LAWFUL_SERVICE_CATEGORIES, SERVICE_CATEGORIES } from '../../domain/label.ts';
import { firstAfter, MINUTE_MS } from '../../domain/time.ts';
import type { Ledger } from './ledger.ts';
import type { Movement, Payment } from './movements.ts';
import { perLedger } from './per-ledger.ts';

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
  return payment.movements.some(({ counterparty }) => {
    const category = ledger.categoryOf(counterparty);
    return category !== null && LAWFUL_SERVICE_CATEGORIES.includes(category);
  });
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
