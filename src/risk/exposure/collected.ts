import { groupBy } from '../../domain/group-by.ts';
import { DAY_MS, firstAfter, HOUR_MS } from '../../domain/time.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Movement, type Payment, usdOf } from '../ledger/movements.ts';
import { between, received } from '../ledger/payments.ts';
import { perLedger } from '../ledger/per-ledger.ts';
import { VICTIM } from '../rules.ts';

/** True where payments to one party were made, once at least, mostly of what a few unlabelled senders had just paid. */
export function passedSoon(ledger: Ledger, paid: readonly Movement[]): boolean {
  const { payments, usdBefore, sendersFrom } = fromUnlabelled(ledger);
  return paid.some(({ at, usd }) => {
    const start = firstAfter(payments, at - VICTIM.passed_on_hours * HOUR_MS - 1);
    const end = firstAfter(payments, at);
    const paidIn = usdBefore[end]! - usdBefore[start]!;
    return end > start && sendersFrom[end - 1]! >= start && paidIn >= VICTIM.passed_on_share * (usd ?? 0);
  });
}

/** True where the subject collects for a party that it paid so, oldest first. */
export function collected(ledger: Ledger, paid: readonly Movement[]): boolean {
  return payersFor(strangers(ledger), paid).length > 0;
}

/** The same of any address, of receipts from unlabelled parties. */
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
 * Returns the receipts from strangers that went on to a party time after time: of a few each time within a day any part, or of many
 * over days most. Empty where that was not so. Both are oldest first.
 */
function payersFor<T extends Receipt>(fromStrangers: readonly T[], paid: readonly Paid[]): T[] {
  const { collected_payments, collected_share, passed_on_hours, passed_on_senders, passed_on_share } = VICTIM;
  const { collected_hours, collected_senders, collected_taken_share } = VICTIM;
  if (paid.length < collected_payments) return [];
  const [fast, slow] = [passed_on_hours, collected_hours].map((hours) => {
    const rounds = paid.map((payment, i) => {
      const earliest = Math.max(payment.at - hours * HOUR_MS, (paid[i - 1]?.at ?? Number.NEGATIVE_INFINITY) + 1);
      return { payment, before: between(fromStrangers, earliest, payment.at) };
    });
    const covered = rounds.filter(({ payment, before }) => usdOf(before) >= passed_on_share * (payment.usd ?? 0));
    const payers = covered.flatMap(({ before }) => before);
    const paidOn = usdOf(covered.map(({ payment }) => payment));
    return {
      isMost: covered.length >= collected_payments && paidOn >= collected_share * usdOf(paid),
      senders: new Set(payers.map(({ owner }) => owner)).size,
      paidShare: paidOn / usdOf(payers),
      payers,
    };
  });
  // A shop pays on a schedule of its own, with takings of that day by chance: who collects pays after most of them.
  const since = paid[0]!.at - passed_on_hours * HOUR_MS;
  const takings = usdOf(between(fromStrangers, since, paid.at(-1)!.at));
  const isAfterEach = usdOf(fast!.payers) >= collected_taken_share * takings;
  if (fast!.isMost && fast!.senders >= passed_on_senders && isAfterEach) return fast!.payers;
  const isSlow = slow!.isMost && slow!.senders >= collected_senders && slow!.paidShare >= passed_on_share;
  return isSlow ? slow!.payers : [];
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

/** Payments of unlabelled parties that paid on one day only. */
const strangers = perLedger((ledger): Payment[] => {
  return onOneDay(fromUnlabelled(ledger).payments);
});

/** Receipts from those who paid on one day only, oldest first. */
function onOneDay<T extends Receipt>(receipts: readonly T[]): T[] {
  return [...groupBy(receipts, ({ owner }) => owner).values()]
    .filter((part) => part.at(-1)!.at - part[0]!.at <= DAY_MS)
    .flat()
    .sort((a, b) => a.at - b.at);
}
