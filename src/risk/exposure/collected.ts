import { groupBy } from '../../domain/group-by.ts';
import { DAY_MS, firstAfter, HOUR_MS } from '../../domain/time.ts';
import { type Ledger, perLedger } from '../ledger/ledger.ts';
import { type Movement, type Payment, usdOf } from '../ledger/movements.ts';
import { between, received } from '../ledger/payments.ts';
import { VICTIM } from '../rules.ts';
import { isContract } from './share-of-flow.ts';

/**
 * True where payments to one party, oldest first, were made, once at least, mostly of what a few unlabelled senders had just paid, and
 * those of a week are most of what such senders paid meanwhile: an evening's payment alone may be a shop's.
 */
export function passedSoon(ledger: Ledger, paid: readonly Movement[]): boolean {
  const { payments, usdBefore, sendersFrom } = fromUnlabelled(ledger);
  const { passed_on_hours, passed_on_share, collected_hours } = VICTIM;
  let [first, paidOn] = [0, 0];
  return paid.some(({ at, usd }) => {
    paidOn += usd ?? 0;
    while (paid[first]!.at < at - collected_hours * HOUR_MS) paidOn -= paid[first++]!.usd ?? 0;
    const end = firstAfter(payments, at);
    const startOf = (hours: number) => firstAfter(payments, at - hours * HOUR_MS - 1);
    const paidIn = (hours: number) => usdBefore[end]! - usdBefore[startOf(hours)]!;
    return (
      end > startOf(passed_on_hours) &&
      sendersFrom[end - 1]! >= startOf(passed_on_hours) &&
      paidIn(passed_on_hours) >= passed_on_share * (usd ?? 0) &&
      (usd === null || paidOn >= passed_on_share * paidIn(collected_hours))
    );
  });
}

/** True where the subject collects for a party that it paid so, oldest first. A contract may change what it got. */
export function collected(ledger: Ledger, paid: readonly Movement[]): boolean {
  const receipts = isContract(ledger) ? [strangers, changed, brought] : [strangers];
  return receipts.some((of) => payersFor(of(ledger), paid).length > 0);
}

/** Receipts of strangers, and those of them that are a side of an exchange. */
const brought = perLedger((ledger): Receipt[] =>
  [...strangers(ledger), ...changed(ledger)].sort((a, b) => a.at - b.at),
);

/** Receipts of strangers that are a side of an exchange. */
const changed = perLedger((ledger): Receipt[] => {
  const receipts = ledger.movements.flatMap(({ direction, counterparty, owner, at, usd, swap }) =>
    swap && direction === 'in' && usd && ledger.categoryOf(counterparty) === null ? [{ owner, at, usd }] : [],
  );
  return onOneDay(receipts);
});

/**
 * Returns how many strangers paid the subject before its payments to one party, oldest first, where these were mostly made of their money:
 * what a shop does with a supplier, and a collector that passes a small part on. 0 for all others.
 */
export function strangersBefore(ledger: Ledger, paid: readonly Movement[]): number {
  const { collected_payments, collected_hours, collected_senders } = VICTIM;
  if (paid.length < collected_payments) return 0;
  const { isMost, senders } = roundsOf(strangers(ledger), paid, collected_hours);
  return isMost && senders >= collected_senders ? senders : 0;
}

/** `collected` of any address, of receipts from unlabelled parties. */
export function collectedFrom<T extends Receipt>(receipts: readonly T[], paid: readonly Paid[]): T[] {
  return payersFor(onOneDay(receipts), paid);
}

interface Paid {
  at: number;
  usd: number | null;
}

/** A payment of an unlabelled party, in US dollars. */
interface Receipt {
  owner: string;
  at: number;
  usd: number;
}

/**
 * Returns the receipts from strangers that went on to a party time after time, empty where that was not so: of a few each time a part
 * within a day, or after days the same part; or of many over days most. A fixed part of the takings of many is what a shop pays a
 * supplier too, so that does not count. Both are oldest first.
 */
function payersFor<T extends Receipt>(fromStrangers: readonly T[], paid: readonly Paid[]): T[] {
  const { collected_payments, collected_taken_share, collected_hours, collected_senders } = VICTIM;
  const { passed_on_hours, passed_on_senders, passed_on_share } = VICTIM;
  if (paid.length < collected_payments) return [];
  const slow = roundsOf(fromStrangers, paid, collected_hours);
  const isOfMany = slow.isMost && slow.senders >= collected_senders && slow.paidShare >= passed_on_share;
  if (isOfMany) return slow.payers;
  const since = paid[0]!.at - passed_on_hours * HOUR_MS;
  const takings = between(fromStrangers, since, paid.at(-1)!.at);
  if (likeEqual(takings) > VICTIM.collected_receipts_max * paid.length) return [];
  // Money that he sends himself just after a payment makes the next one another part of all, not of what came last.
  const windows = [passed_on_hours, VICTIM.collected_last_hours, collected_hours];
  const found = windows
    .map((hours) => roundsOf(fromStrangers, paid, hours))
    .find(({ isMost, senders, payers, isSamePart }, i) => {
      const isAfterEach = i === 0 && usdOf(payers) >= collected_taken_share * usdOf(takings);
      return isMost && senders >= passed_on_senders && (isAfterEach || isSamePart);
    });
  return found?.payers ?? [];
}

/** Compares each payment with what strangers paid since the one before, within a number of hours. */
function roundsOf<T extends Receipt>(fromStrangers: readonly T[], paid: readonly Paid[], hours: number) {
  const { collected_payments, collected_share, passed_on_share, collected_part_apart_max } = VICTIM;
  const rounds = paid.map((payment, i) => {
    const earliest = Math.max(payment.at - hours * HOUR_MS, (paid[i - 1]?.at ?? Number.NEGATIVE_INFINITY) + 1);
    return { payment, before: between(fromStrangers, earliest, payment.at) };
  });
  const covered = rounds.filter(({ payment, before }) => usdOf(before) >= passed_on_share * (payment.usd ?? 0));
  const payers = covered.flatMap(({ before }) => before);
  const paidOn = usdOf(covered.map(({ payment }) => payment));
  const parts = covered.map(({ payment, before }) => (payment.usd ?? 0) / usdOf(before)).sort((a, b) => a - b);
  const usual = parts[Math.floor(parts.length / 2)] ?? 0;
  const alike = parts.filter((part) => Math.abs(part - usual) <= collected_part_apart_max * usual);
  return {
    isMost: covered.length >= collected_payments && paidOn >= collected_share * usdOf(paid),
    isSamePart: alike.length >= Math.max(collected_payments, collected_share * paid.length),
    senders: new Set(payers.map(({ owner }) => owner)).size,
    paidShare: paidOn / usdOf(payers),
    payers,
  };
}

/** Returns how many equal receipts these are like, so that dust adds none. */
function likeEqual(receipts: readonly Receipt[]): number {
  const squares = receipts.reduce((sum, { usd }) => sum + usd ** 2, 0);
  return squares > 0 ? usdOf(receipts) ** 2 / squares : 0;
}

/**
 * Payments of unlabelled parties, oldest first, with what had come in before each of them, and for each the latest one from
 * which on, up to it, there are enough senders; -1 without. So a payment looks at none of them singly.
 */
const fromUnlabelled = perLedger((ledger) => {
  const payments = received(ledger).filter((payment) =>
    payment.movements.every(({ counterparty }) => ledger.categoryOf(counterparty) === null),
  );
  const usdBefore = [0];
  const sendersFrom: number[] = [];
  const counts = new Map<string, number>();
  const count = (owner: string, by: number) => {
    const now = (counts.get(owner) ?? 0) + by;
    if (now === 0) counts.delete(owner);
    else counts.set(owner, now);
  };
  let start = 0;
  for (const { owner, usd } of payments) {
    usdBefore.push(usdBefore.at(-1)! + usd);
    count(owner, 1);
    // Down to one sender too few: the one dropped last began the shortest stretch that has enough.
    while (counts.size >= VICTIM.passed_on_senders) count(payments[start++]!.owner, -1);
    sendersFrom.push(start - 1);
  }
  return { payments, usdBefore, sendersFrom };
});

/** Returns the payments of unlabelled parties that paid on one day only: regular payers and own wallets come again. */
export const strangers = perLedger((ledger): Payment[] => {
  return onOneDay(fromUnlabelled(ledger).payments);
});

/** Receipts from those who paid on one day only, oldest first. */
function onOneDay<T extends Receipt>(receipts: readonly T[]): T[] {
  return [...groupBy(receipts, ({ owner }) => owner).values()]
    .filter((part) => part.at(-1)!.at - part[0]!.at <= DAY_MS)
    .flat()
    .sort((a, b) => a.at - b.at);
}
