import { SERVICE_CATEGORIES } from '../../domain/label.ts';
import { type Ledger, type Movement, type Payment, perLedger } from './ledger.ts';

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

export function totalUsd(payments: readonly Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.usd, 0);
}

/** Payments of a moment after `from` (itself included) and up to `to`. */
export function between(payments: readonly Payment[], from: number, to: number): Payment[] {
  return payments.filter((payment) => payment.at >= from && payment.at <= to);
}

export function movementsOf(payments: readonly Payment[]): Movement[] {
  return payments.flatMap((payment) => payment.movements);
}
