import { groupBy } from '../../domain/group-by.ts';
import { isValidAt } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import type { IndirectExposure } from '../assessment.ts';
import { findBaits } from '../ledger/baits.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement, Payment } from '../ledger/movements.ts';
import { received } from '../ledger/payments.ts';
import { perLedger } from '../ledger/per-ledger.ts';
import { isRestitution, partyOf } from '../ledger/restituted.ts';
import { categoryThen, sanctionStanding } from '../ledger/sanction-standing.ts';
import { RULES, VICTIM } from '../rules.ts';
import { illicitMovements, isIllicitFact } from './exposed-movements.ts';
import { shareOfFlow } from './share-of-flow.ts';

/** How the subject lost money: it was deceived, its tokens were taken, or it paid a look-alike. */
export type LossKind = 'paid' | 'taken' | 'bait';

/** Movements by which the subject lost money as a victim, and how. */
export const losses = perLedger((ledger: Ledger): ReadonlyMap<Movement, LossKind> => {
  const found = new Map<Movement, LossKind>(paidToLookalikes(ledger).map((movement) => [movement, 'bait']));
  const paid = ledger.movements.filter(
    (movement) =>
      movement.direction === 'out' &&
      SCAM_CATEGORIES.includes(categoryThen(ledger, movement) ?? 'unknown') &&
      sanctionStanding(ledger, movement) === null,
  );
  for (const [party, part] of groupBy(paid, (movement) => partyOf(ledger, movement))) {
    if (sharesOwner(ledger, party)) continue;
    // What a service pays out is its customers' money.
    const isVictim = part.every(wasTaken) || (!ledger.isLawfulService && !isAccomplice(ledger, party, part));
    for (const movement of part) if (isVictim) found.set(movement, wasTaken(movement) ? 'taken' : 'paid');
  }
  return found;
});

/** True for tokens that somebody else moved by an approval or a permit of the subject. */
export function wasTaken({ direction, transfer }: Movement): boolean {
  const { token, txSender, from } = transfer;
  return direction === 'out' && token !== null && txSender !== null && txSender !== from;
}

/** The look-alike payments of a victim of address poisoning. */
export const paidToLookalikes = perLedger((ledger: Ledger): Movement[] => {
  const baitedAt = new Map<string, number>();
  for (const { lookalike, transfer } of findBaits(ledger)) {
    if (!baitedAt.has(lookalike)) baitedAt.set(lookalike, transfer.at);
  }
  return ledger.movements.filter(
    (m) =>
      m.direction === 'out' &&
      (m.usd ?? 0) >= RULES.address_poisoning.loss_from_usd &&
      m.at > (baitedAt.get(m.counterparty) ?? Number.POSITIVE_INFINITY),
  );
});

const receivedByParty = perLedger((ledger) =>
  groupBy(
    ledger.movements.filter((movement) => movement.direction === 'in' && !isRestitution(ledger, movement)),
    (movement) => partyOf(ledger, movement),
  ),
);

function sharesOwner({ subject, asOf }: Ledger, party: string): boolean {
  return subject.labels.some((label) => label.entity === party && isValidAt(label, asOf));
}

/** True where money that ended at a taker, over wallets of its own, was lost as what is paid to the taker itself is. */
export function wasLostBehind(
  ledger: Ledger,
  { direction, category, standing, counterparties }: IndirectExposure,
): boolean {
  if (direction !== 'sent' || ledger.isLawfulService || standing || counterparties.length === 0) return false;
  const paid = ledger.movements.filter(
    (movement) => movement.direction === 'out' && counterparties.includes(movement.counterparty),
  );
  const parties = groupBy(paid, (movement) => partyOf(ledger, movement));
  return SCAM_CATEGORIES.includes(category) && ![...parties].some(([party, part]) => takesPart(ledger, party, part));
}

/** Whose dealings with the party look like a part in its business, or who funded it first. */
function isAccomplice(ledger: Ledger, party: string, paid: readonly Movement[]): boolean {
  const isFirst = ({ counterparty }: Movement) => ledger.firstPayers.get(counterparty) === ledger.subject.address;
  return paid.some(isFirst) || takesPart(ledger, party, paid);
}

function takesPart(ledger: Ledger, party: string, paid: readonly Movement[]): boolean {
  const back = receivedByParty(ledger).get(party) ?? [];
  const [paidUsd, backUsd] = [usdOf(paid), usdOf(back)];
  if (paidUsd > 0 ? backUsd > VICTIM.returned_share_max * paidUsd : back.length > 0) return true;
  return (
    paid.some((movement) => passedOn(ledger, movement)) || collects(ledger, paid) || holdsTaint(ledger, new Set(back))
  );
}

/**
 * Time after time, what strangers had just paid went to the party: a few each time within a day, of which any part, or many
 * over days, of which most was paid on.
 */
function collects(ledger: Ledger, paid: readonly Movement[]): boolean {
  const { collected_payments, collected_share, passed_on_hours, passed_on_senders, passed_on_share } = VICTIM;
  const { collected_hours, collected_senders } = VICTIM;
  if (paid.length < collected_payments) return false;
  const [fast, slow] = [passed_on_hours, collected_hours].map((hours) => {
    const rounds = paid.map((payment, i) => ({
      payment,
      before: strangers(ledger).filter(
        ({ at }) =>
          at <= payment.at && at >= payment.at - hours * HOUR_MS && at > (paid[i - 1]?.at ?? Number.NEGATIVE_INFINITY),
      ),
    }));
    const covered = rounds.filter(({ payment, before }) => usdOf(before) >= passed_on_share * (payment.usd ?? 0));
    const payers = covered.flatMap(({ before }) => before);
    const paidOn = usdOf(covered.map(({ payment }) => payment));
    return {
      isMost: covered.length >= collected_payments && paidOn >= collected_share * usdOf(paid),
      senders: new Set(payers.map(({ owner }) => owner)).size,
      paidShare: paidOn / usdOf(payers),
    };
  });
  if (fast!.isMost && fast!.senders >= passed_on_senders) return true;
  return slow!.isMost && slow!.senders >= collected_senders && slow!.paidShare >= passed_on_share;
}

/** Payments of unlabelled parties that paid on one day only. */
const strangers = perLedger((ledger): Payment[] => {
  const unlabelled = received(ledger).filter((payment) =>
    payment.movements.every(({ counterparty }) => ledger.categoryOf(counterparty) === null),
  );
  const byOwner = groupBy(unlabelled, ({ owner }) => owner);
  return [...byOwner.values()]
    .filter((part) => part.at(-1)!.at - part[0]!.at <= DAY_MS)
    .flat()
    .sort((a, b) => a.at - b.at);
});

/** What three or more unlabelled senders paid shortly before makes up much of the payment. */
function passedOn(ledger: Ledger, { at, usd }: Movement): boolean {
  const { passed_on_hours, passed_on_senders, passed_on_share } = VICTIM;
  const before = received(ledger).filter(
    (payment) =>
      payment.at <= at &&
      payment.at >= at - passed_on_hours * HOUR_MS &&
      payment.movements.every(({ counterparty }) => ledger.categoryOf(counterparty) === null),
  );
  const senders = new Set(before.map(({ owner }) => owner)).size;
  return senders >= passed_on_senders && usdOf(before) >= passed_on_share * (usd ?? 0);
}

function holdsTaint(ledger: Ledger, back: ReadonlySet<Movement>): boolean {
  const direct = illicitMovements(ledger, 'in').filter((movement) => !back.has(movement));
  const indirect = ledger.indirect
    .filter((fact) => fact.direction === 'received' && isIllicitFact(fact))
    .reduce((sum, { share }) => sum + share, 0);
  return shareOfFlow(ledger, direct, 'in').share + indirect >= VICTIM.tainted_inflow_share;
}

function usdOf(part: readonly { usd: number | null }[]): number {
  return part.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}
