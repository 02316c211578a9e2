import { groupBy } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { VICTIM } from '../rules.ts';
import type { Ledger } from './ledger.ts';
import type { Movement } from './movements.ts';
import { perLedger } from './per-ledger.ts';
import { categoryThen, sanctionStanding } from './sanction-standing.ts';

/** True for the address's own money that a taker paid back, by the replay or as a small part of what it was paid. */
export function isRestitution(ledger: Ledger, movement: Movement): boolean {
  return ledger.returned.has(movement.transfer) || smallReturns(ledger).has(movement);
}

/** What takers paid after they had been paid, where all of it is at most a fifth of that: a loss with a little back. */
const smallReturns = perLedger((ledger: Ledger): ReadonlySet<Movement> => {
  const { movements, returned } = ledger;
  const dealt = movements.filter(
    (movement) => isTaker(categoryThen(ledger, movement)) && sanctionStanding(ledger, movement) === null,
  );
  const small = [...groupBy(dealt, (movement) => partyOf(ledger, movement)).values()].flatMap((part) => {
    const paid = part.filter(({ direction }) => direction === 'out');
    const back = part.filter(({ direction, transfer }) => direction === 'in' && !returned.has(transfer));
    if (paid.length === 0 || usdOf(back) > VICTIM.returned_share_max * usdOf(paid)) return [];
    return back.filter(({ at, usd }) => usd !== null && at >= paid[0]!.at);
  });
  return new Set(small);
});

function isTaker(category: Category | null): boolean {
  return category !== null && SCAM_CATEGORIES.includes(category);
}

/** Addresses of one named owner are one party. */
export function partyOf(ledger: Ledger, { counterparty, owner }: Movement): string {
  const named = ledger.labelsOf(counterparty).find(({ entity }) => entity !== null);
  return named?.entity ?? owner;
}

function usdOf(part: readonly Movement[]): number {
  return part.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}
