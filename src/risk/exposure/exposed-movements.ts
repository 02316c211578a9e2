import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, isSure, isValidAt } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { comparePlaces } from '../../domain/tracing/traced-transfer.ts';
import type { IndirectExposure, TakerDeposit } from '../assessment.ts';
import { type Ledger, perLedger, uncircledUsd } from '../ledger/ledger.ts';
import { isActivity, type Movement, usdOf } from '../ledger/movements.ts';
import { cancelReturned, serviceTraffic } from '../ledger/payments.ts';
import { settled } from '../ledger/restituted.ts';
import { categoryThen, sanctionStanding } from '../ledger/sanction-standing.ts';
import { EXPOSURE_RULES, ORDERED } from '../rules.ts';
import { EXPOSURE_KIND, type ExposureSubject } from './grade-exposure.ts';

/** Returns what went to or came from a category, without what the sanctions rule already counts. */
export function exposedTo(ledger: Ledger, category: Category, direction: 'in' | 'out'): Movement[] {
  return ledger.movements.filter((movement) => movement.direction === direction && isWith(ledger, movement, category));
}

/** The same of what a token contract alone says that the subject sent. */
export function claimedTo(ledger: Ledger, category: Category): Movement[] {
  return ledger.claimed.filter((movement) => isWith(ledger, movement, category));
}

function isWith(ledger: Ledger, movement: Movement, category: Category): boolean {
  return categoryThen(ledger, movement) === category && sanctionStanding(ledger, movement) === null;
}

/** Movements that taint: with adverse parties, but not before a country's sanctions, through a CoinJoin or back from a loss. */
export function illicitMovements(ledger: Ledger, direction: 'in' | 'out'): Movement[] {
  return ledger.movements.filter((movement) => movement.direction === direction && isIllicit(ledger, movement));
}

export function isIllicit(ledger: Ledger, movement: Movement): boolean {
  const standing = sanctionStanding(ledger, movement);
  if (standing !== null) return standing !== 'before_country';
  if (isCoinJoin(movement.counterparty) || settled(ledger, movement) !== null) return false;
  if (isSharedTaking(ledger, movement) || taintedByOrder(ledger).has(movement)) return true;
  const category = categoryThen(ledger, movement);
  return category !== null && EXPOSURE_KIND[category] !== undefined;
}

/** True for what it got in the transactions in which others lost money to listed takers. */
export function isSharedTaking({ accomplice }: Ledger, { direction, transfer }: Movement): boolean {
  return direction === 'in' && accomplice !== null && accomplice.transactions.has(transfer.txHash);
}

/** True for an address of which a source is sure that it takes money: a thief, scam, drainer or ransomware. */
export function isTaker({ labelsOf, asOf }: Ledger, address: string): boolean {
  return labelsOf(address).some((label) => {
    return SCAM_CATEGORIES.includes(label.category) && isSure(label) && isValidAt(label, asOf);
  });
}

/**
 * Receipts by the order of a listed taker, who signed for an unlabelled contract, or by an approval, to pay the subject, and what of each
 * nothing had been paid for (US dollars; without a price, the amount). Not from a party for which others mostly sign, as for a pool.
 */
export const ordered = perLedger((ledger: Ledger): ReadonlyMap<Movement, number> => {
  const worthOf = (one: Movement) => (one.usd === null ? Number(one.transfer.amount) : uncircledUsd(ledger, one));
  const sum = (part: readonly Movement[]) => part.reduce((total, one) => total + worthOf(one), 0);
  const received = ledger.movements.filter((one) => {
    const isOwnCall = one.transfer.txSender === ledger.subject.address;
    return one.direction === 'in' && !one.swap && !isOwnCall && isActivity(one) && settled(ledger, one) === null;
  });
  const byParty = groupBy(received, (one) => `${one.counterparty} ${countedIn(one)}`);
  const orders = new Set(
    [...byParty.values()].flatMap((part) => {
      if (ledger.categoryOf(part[0]!.counterparty) !== null) return [];
      const byOrder = part.filter((one) => isSignedByTaker(ledger, one));
      return sum(byOrder) < ORDERED.ordered_share * sum(part) ? [] : byOrder;
    }),
  );
  if (orders.size === 0) return new Map();
  const known = new Set([...orders].flatMap(({ counterparty, transfer }) => [counterparty, transfer.txSender!]));
  const dealt = ledger.movements.filter(
    ({ counterparty, swap }) => !swap && (known.has(counterparty) || isTaker(ledger, counterparty)),
  );
  const left = new Map(dealt.map((one) => [one, worthOf(one)]));
  for (const group of groupBy(dealt, countedIn).values()) {
    // What came back otherwise, even later, pays for no order.
    cancelReturned(
      group.filter((one) => !orders.has(one)),
      left,
    );
    cancelReturned(
      group.filter((one) => orders.has(one) || one.direction === 'out'),
      left,
    );
  }
  return new Map([...orders].map((one) => [one, left.get(one)!] as const).filter(([, gain]) => gain > 0));
});

function countedIn({ usd, transfer }: Movement): string {
  return usd === null ? (transfer.token ?? transfer.asset) : '';
}

/** Those that taint: not of one transaction alone, for anybody may sign one call by which a raffle pays its winner, nor mostly paid for. */
const taintedByOrder = perLedger((ledger: Ledger): ReadonlySet<Movement> => {
  const gained = [...ordered(ledger)].flatMap(([one, gain]) => {
    const worth = one.usd ?? Number(one.transfer.amount);
    return gain > ORDERED.unpaid_share * worth ? [one] : [];
  });
  return new Set(areCertain(ledger, gained) ? gained : []);
});

/** True for orders of so many transactions that chance does not explain them, or of what takers had put in there before. */
export function areCertain(ledger: Ledger, orders: readonly Movement[]): boolean {
  if (new Set(orders.map(({ transfer }) => transfer.txHash)).size >= ORDERED.ordered_transactions) return true;
  const put = depositsBefore(ledger, orders);
  return put.length > 0 && usdOf(orders) <= ORDERED.deposited_ratio_max * usdOf(put);
}

/** Lists what takers had put into the payers before these orders. */
export function depositsBefore({ takerDeposits }: Ledger, orders: readonly Movement[]): TakerDeposit[] {
  const isBefore = (put: TakerDeposit, { transfer }: Movement) =>
    put.txHash === transfer.txHash || comparePlaces(put, transfer) < 0;
  return takerDeposits.filter((deposit) =>
    orders.some((one) => one.counterparty === deposit.contract && isBefore(deposit, one)),
  );
}

function isSignedByTaker(ledger: Ledger, { transfer }: Movement): boolean {
  const { txSender, from } = transfer;
  return txSender !== null && txSender !== from && txSender !== ledger.subject.address && isTaker(ledger, txSender);
}

/** True for what taints of the money that a trace found. */
export function isIllicitFact({ category, standing, ways }: IndirectExposure): boolean {
  const isMixed = ways.length > 0 && ways.every(({ address }) => isCoinJoin(address));
  return EXPOSURE_KIND[category] !== undefined && standing !== 'before_country' && !isMixed;
}

export function exposureSubject(ledger: Ledger): ExposureSubject {
  if (ledger.isLawfulService) return 'service';
  return serviceTraffic(ledger) === 'service_like' ? 'service_like' : 'address';
}

/** The first coins that the address ever received, where the beginning of its history is known. */
export const firstFunding = perLedger((ledger): Movement | null => {
  const until = ledger.knownUntil;
  if (until === null) return null;
  const receipts = ledger.movements.filter(({ direction, at }) => direction === 'in' && at < until);
  const first = receipts.find(({ transfer }) => transfer.token === null) ?? receipts.find(isActivity);
  return first && (first.usd ?? 0) >= EXPOSURE_RULES.first_funding_from_usd ? first : null;
});
