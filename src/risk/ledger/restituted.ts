import { groupBy } from '../../domain/group-by.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { VICTIM } from '../rules.ts';
import type { Ledger } from './ledger.ts';
import type { Movement } from './movements.ts';
import { perLedger } from './per-ledger.ts';
import { categoryThen, sanctionStanding } from './sanction-standing.ts';

/**
 * How a movement with a taker leaves nothing of his with the address: `returned`, the address's own money that he paid back, by the
 * replay or as a small part of what he was paid; `handed_back`, his money that went back to him. Null for all others.
 */
export function settled(ledger: Ledger, movement: Movement): 'returned' | 'handed_back' | null {
  if (isReturned(ledger, movement)) return 'returned';
  return handedBack(ledger).has(movement) ? 'handed_back' : null;
}

function isReturned(ledger: Ledger, movement: Movement): boolean {
  return ledger.returned.has(movement.transfer) || smallReturns(ledger).has(movement);
}

/** What takers paid after they had been paid, where all of it is at most a fifth of that: a loss with a little back. */
const smallReturns = perLedger((ledger: Ledger): ReadonlySet<Movement> => {
  const { movements, returned } = ledger;
  const dealt = movements.filter((movement) => isWithTaker(ledger, movement));
  const small = [...groupBy(dealt, (movement) => partyOf(ledger, movement)).values()].flatMap((part) => {
    const paid = part.filter(({ direction }) => direction === 'out');
    const back = part.filter(({ direction, transfer }) => direction === 'in' && !returned.has(transfer));
    if (paid.length === 0 || usdOf(back) > VICTIM.returned_share_max * usdOf(paid)) return [];
    return back.filter(({ at, usd }) => usd !== null && at >= paid[0]!.at);
  });
  return new Set(small);
});

/**
 * Finds what takers sent and the address sent back where it came from, all of it and in its own asset: nothing was gained. By
 * address, not by owner: money that goes on to another wallet of the same taker is laundered.
 */
const handedBack = perLedger((ledger: Ledger): ReadonlySet<Movement> => {
  const dealt = ledger.movements.filter((one) => isWithTaker(ledger, one) && !isReturned(ledger, one));
  const byAsset = groupBy(dealt, ({ counterparty, transfer }) => `${counterparty} ${transfer.token ?? ''}`);
  const back = [...byAsset.values()].filter((part) => {
    const received = amountOf(part, 'in');
    const isAll = Math.abs(received - amountOf(part, 'out')) <= VICTIM.handed_back_apart_max * received;
    return part[0]!.direction === 'in' && isAll;
  });
  return new Set(back.flat());
});

function amountOf(part: readonly Movement[], way: Movement['direction']): number {
  return part.reduce((sum, { direction, transfer }) => (direction === way ? sum + Number(transfer.amount) : sum), 0);
}

function isWithTaker(ledger: Ledger, movement: Movement): boolean {
  const category = categoryThen(ledger, movement);
  return category !== null && SCAM_CATEGORIES.includes(category) && sanctionStanding(ledger, movement) === null;
}

/** Addresses of one named owner are one party. */
export function partyOf(ledger: Ledger, { counterparty, owner }: Movement): string {
  const named = ledger.labelsOf(counterparty).find(({ entity }) => entity !== null);
  return named?.entity ?? owner;
}

function usdOf(part: readonly Movement[]): number {
  return part.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}
