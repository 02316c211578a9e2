import { groupBy } from '../../domain/group-by.ts';
import { RunningSum } from '../../domain/running-sum.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { VICTIM } from '../rules.ts';
import { type Ledger, perLedger } from './ledger.ts';
import { type Movement, usdOf } from './movements.ts';
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

/** Finds payments of takers after they were paid, together at most a fifth of that: a loss with a little back. */
const smallReturns = perLedger((ledger: Ledger): ReadonlySet<Movement> => {
  const { movements, returned } = ledger;
  const dealt = movements.filter((movement) => isWithTaker(ledger, movement));
  const small = [...groupBy(dealt, (movement) => partyOf(ledger, movement)).values()].flatMap((part) => {
    const paid = part.filter(({ direction }) => direction === 'out');
    const back = part.filter(({ direction, transfer }) => direction === 'in' && !returned.has(transfer));
    if (paid.length === 0 || usdOf(back) > VICTIM.returned_share_max * paidUsd(ledger, paid)) return [];
    return back.filter(({ at, usd }) => usd !== null && at >= paid[0]!.at);
  });
  return new Set(small);
});

/**
 * Finds what takers sent and the address sent back where it came from, all of it and in its own asset: nothing was gained. By
 * address, not by owner: money that goes on to another wallet of the same taker is laundered. Paying with what others lent
 * for the transaction hands nothing back.
 */
const handedBack = perLedger((ledger: Ledger): ReadonlySet<Movement> => {
  const dealt = ledger.movements.filter((one) => isWithTaker(ledger, one) && !isReturned(ledger, one));
  const byAsset = groupBy(dealt, ({ counterparty, transfer }) => `${counterparty} ${transfer.token ?? ''}`);
  const back = [...byAsset.values()].filter((part) => {
    const received = sumOf(
      part.filter(({ direction }) => direction === 'in'),
      amountOf,
    );
    const paid = ownSum(
      ledger,
      part.filter(({ direction }) => direction === 'out'),
      amountOf,
    );
    const isAll = Math.abs(received - paid) <= VICTIM.handed_back_apart_max * received;
    return part[0]!.direction === 'in' && isAll;
  });
  return new Set(back.flat());
});

/** US dollars of payments, as far as the address bore them. */
export function paidUsd(ledger: Ledger, paid: readonly Movement[]): number {
  return ownSum(ledger, paid, ({ usd }) => usd ?? 0);
}

/** A sum over payments, of each transaction the part that the address bore. */
function ownSum(ledger: Ledger, paid: readonly Movement[], worthOf: (movement: Movement) => number): number {
  const byTransaction = groupBy(paid, ({ transfer }) => transfer.txHash);
  return [...byTransaction.values()].reduce((sum, part) => sum + ownPart(ledger, part) * sumOf(part, worthOf), 0);
}

/**
 * Returns the part (0-1) of payments of one transaction that the address bore: not what it was lent in it, and paid on. In dollars, or by
 * quantity of the asset where a part of the transaction has no price.
 */
function ownPart(ledger: Ledger, paid: readonly Movement[]): number {
  const [{ transfer }] = paid as [Movement];
  const both = twoWayByTransaction(ledger).get(transfer.txHash);
  if (both === undefined) return 1;
  const isPriced = both.every(({ usd }) => usd !== null);
  const counted = isPriced ? '' : (transfer.token ?? COIN_NAME);
  const owed = (party: string) => owedSums(ledger).get(`${party} ${counted}`)?.before(transfer.at) ?? 0;
  const worthOf = (movement: Movement) =>
    isPriced ? (movement.usd ?? 0) : movement.transfer.token === transfer.token ? amountOf(movement) : 0;
  const [given, got] = (['out', 'in'] as const).map((way) => both.filter(({ direction }) => direction === way)) as [
    Movement[],
    Movement[],
  ];
  const lent = [...groupBy(got, ({ counterparty }) => counterparty)].reduce((sum, [payer, part]) => {
    return sum + Math.max(0, sumOf(part, worthOf) - Math.max(0, owed(payer)));
  }, 0);
  const own = Math.max(0, sumOf(given, worthOf) - lent);
  const whole = sumOf(paid, worthOf);
  return whole > 0 ? Math.min(1, own / whole) : 1;
}

const COIN_NAME = 'coin';

/** By party and what is counted (a token, or nothing for US dollars), what the address had put in with it and not taken out. */
const owedSums = perLedger((ledger: Ledger) => {
  const sums = new Map<string, RunningSum>();
  for (const { at, counterparty, direction, usd, transfer } of ledger.movements) {
    for (const [counted, worth] of [
      ['', usd ?? 0],
      [transfer.token ?? COIN_NAME, Number(transfer.amount)],
    ] as const) {
      const name = `${counterparty} ${counted}`;
      const known = sums.get(name) ?? new RunningSum();
      sums.set(name, known);
      known.add(at, direction === 'out' ? worth : -worth);
    }
  }
  return sums;
});

const twoWayByTransaction = perLedger(({ twoWay }: Ledger) => groupBy(twoWay, ({ transfer }) => transfer.txHash));

function amountOf({ transfer }: Movement): number {
  return Number(transfer.amount);
}

function sumOf(part: readonly Movement[], worthOf: (movement: Movement) => number): number {
  return part.reduce((sum, movement) => sum + worthOf(movement), 0);
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
