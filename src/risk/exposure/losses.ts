import { groupBy } from '../../domain/group-by.ts';
import { isValidAt } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { IndirectExposure } from '../assessment.ts';
import { type Ledger, perLedger } from '../ledger/ledger.ts';
import { type Movement, usdOf } from '../ledger/movements.ts';
import { findPoisoning } from '../ledger/poisoning.ts';
import { paidUsd, partyOf, settled } from '../ledger/restituted.ts';
import { categoryThen, sanctionStanding } from '../ledger/sanction-standing.ts';
import { FIRST_COINS, ROBBER, RULES, VICTIM } from '../rules.ts';
import { collected, passedSoon } from './collected.ts';
import { illicitMovements, isIllicitFact } from './exposed-movements.ts';
import { movedWith } from './moved-with.ts';
import { indirectFacts, isContract, isPassedOn, shareOfFlow } from './share-of-flow.ts';

/** How the subject lost money: it was deceived, its tokens were taken, or it paid a look-alike. */
export type LossKind = 'paid' | 'taken' | 'lookalike';

/** Movements by which the subject lost money as a victim, and how. */
export const losses = perLedger((ledger: Ledger): ReadonlyMap<Movement, LossKind> => {
  const found = new Map<Movement, LossKind>(paidToLookalikes(ledger).map((movement) => [movement, 'lookalike']));
  // Who spent together with the payee was not deceived into paying it.
  const together = new Set(ledger.others.flatMap(({ txHash, from, to }) => (from === to ? [`${txHash} ${to}`] : [])));
  const paid = ledger.movements.filter(
    (movement) =>
      movement.direction === 'out' &&
      !together.has(`${movement.transfer.txHash} ${movement.counterparty}`) &&
      SCAM_CATEGORIES.includes(categoryThen(ledger, movement) ?? 'unknown') &&
      settled(ledger, movement) === null &&
      sanctionStanding(ledger, movement) === null &&
      // What a contract splits for its callers it does not lose.
      !isPassedOn(ledger, [movement]),
  );
  for (const [party, part] of groupBy(paid, (movement) => partyOf(ledger, movement))) {
    if (sharesOwner(ledger, party)) continue;
    // What a service pays out is its customers' money.
    const isVictim = part.every(wasTaken)
      ? !sharesLoot(ledger, part) && !(isContract(ledger) && collected(ledger, part))
      : !ledger.isLawfulService && !isAccomplice(ledger, party, part);
    for (const movement of part) if (isVictim) found.set(movement, wasTaken(movement) ? 'taken' : 'paid');
  }
  return found;
});

/** True for tokens that others moved by an approval or a permit of the subject, or by a call of its code. */
export function wasTaken({ direction, transfer }: Movement): boolean {
  const { token, txSender, from } = transfer;
  return direction === 'out' && token !== null && txSender !== null && txSender !== from;
}

/** The look-alike payments of a victim of address poisoning. */
export const paidToLookalikes = perLedger((ledger: Ledger): Movement[] => {
  const baitedAt = new Map<string, number>();
  for (const { lookalike, transfer } of findPoisoning(ledger)) {
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
    ledger.movements.filter((movement) => movement.direction === 'in' && settled(ledger, movement) === null),
    (movement) => partyOf(ledger, movement),
  ),
);

function sharesOwner({ subject, asOf }: Ledger, party: string): boolean {
  return subject.labels.some((label) => label.entity === party && isValidAt(label, asOf));
}

/** True where money that ended at a taker, over wallets of its own, was lost as what is paid to the taker itself is. */
export function wasLostBehind(
  ledger: Ledger,
  { direction, category, standing, counterparties, isDeposited = false }: IndirectExposure,
): boolean {
  if (direction !== 'sent' || ledger.isLawfulService || standing || counterparties.length === 0) return false;
  const known = new Set(counterparties);
  const paid = ledger.movements.filter((movement) => movement.direction === 'out' && known.has(movement.counterparty));
  const parties = groupBy(paid, (movement) => partyOf(ledger, movement));
  return (
    SCAM_CATEGORIES.includes(category) &&
    ![...parties].some(([party, part]) => takesPart(ledger, party, part, { isDeposited }))
  );
}

/** True where the subject's dealings with the party look like a part in its business, or it funded it first. */
function isAccomplice(ledger: Ledger, party: string, paid: readonly Movement[]): boolean {
  return paid.some(({ counterparty }) => ledger.fundedFirst.has(counterparty)) || takesPart(ledger, party, paid);
}

/** `behind`: the money only went on from the party to a taker; a deposit at a contract of several is set off against what came back. */
function takesPart(
  ledger: Ledger,
  party: string,
  paid: readonly Movement[],
  behind: { isDeposited: boolean } | null = null,
): boolean {
  const back = receivedByParty(ledger).get(party) ?? [];
  const [lostUsd, backUsd] = [paidUsd(ledger, paid), usdOf(back)];
  const isMuch = lostUsd > 0 ? backUsd > VICTIM.returned_share_max * lostUsd : back.length > 0;
  const isOwn = behind !== null && (isRepaidLoan(paid, back) || (behind.isDeposited && isWithdrawal(paid, back)));
  if (isMuch && !isOwn) return true;
  return (
    passedSoon(ledger, paid) ||
    collected(ledger, paid) ||
    sharesLoot(ledger, paid) ||
    holdsTaint(ledger, paid, new Set(back))
  );
}

/** True where half of what the subject took out of pools, by its own doing, went to the party and other takers within a week. */
function sharesLoot(ledger: Ledger, paid: readonly Movement[]): boolean {
  const { movements, loot, subject } = ledger;
  const { robbed_passed_share, robbed_from_usd, robbed_lost_share } = ROBBER;
  const taken = movements.filter(({ direction, transfer }) => direction === 'in' && loot.has(transfer.id));
  if (taken.length === 0) return false;
  const others = movements.filter(
    (one) => one.direction === 'out' && SCAM_CATEGORIES.includes(categoryThen(ledger, one) ?? 'unknown'),
  );
  const takers = new Set(others.map(({ counterparty }) => counterparty));
  const signed = ({ transfer, usd }: Movement) => ({ ...transfer, usd, signer: transfer.txSender });
  const isMoved = movedWith(subject.address, { loot: taken.map(signed), moves: movements.map(signed) }, (party) =>
    takers.has(party),
  );
  const isShared = (one: Movement) => isMoved(signed(one));
  if (!paid.some(isShared)) return false;
  const shared = [...new Set([...paid, ...others])].filter(isShared);
  const [takenUsd, sharedUsd] = [usdOf(taken), usdOf(shared)];
  // Little beside the loss is a victim's winnings.
  if (takenUsd < Math.max(robbed_from_usd, robbed_lost_share * sharedUsd)) return false;
  return sharedUsd >= robbed_passed_share * takenUsd;
}

function firstAt(movements: readonly Movement[]): number {
  return movements.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
}

function lastAt(movements: readonly Movement[]): number {
  return movements.reduce((last, { at }) => Math.max(last, at), Number.NEGATIVE_INFINITY);
}

function isRepaidLoan(paid: readonly Movement[], back: readonly Movement[]): boolean {
  const part = usdOf(back) / usdOf(paid);
  // A partner who is paid after each round is repaid before the last one.
  const isLater = firstAt(back) >= lastAt(paid);
  return isLater && part >= VICTIM.loan_repaid_least && part <= VICTIM.loan_repaid_most;
}

/** True where no more came back than had been put in, with a gain: what is left of a robbed vault goes to its depositors. */
function isWithdrawal(paid: readonly Movement[], back: readonly Movement[]): boolean {
  const isLater = firstAt(back) >= firstAt(paid);
  return isLater && usdOf(back) <= VICTIM.loan_repaid_most * usdOf(paid);
}

/** Of what it received before it paid: a later payment, or one small beside the loss, does not make a victim an accomplice. */
function holdsTaint(ledger: Ledger, paid: readonly Movement[], back: ReadonlySet<Movement>): boolean {
  const until = lastAt(paid);
  const tainted = illicitMovements(ledger, 'in').filter((movement) => !back.has(movement) && movement.at <= until);
  const leastUsd = VICTIM.tainted_inflow_share * paidUsd(ledger, paid);
  const isLittle = tainted.every(({ usd }) => usd !== null) && usdOf(tainted) < leastUsd;
  const direct = isLittle ? [] : tainted;
  const indirect = indirectFacts(ledger)
    .filter((fact) => fact.direction === 'received' && isIllicitFact(fact))
    .reduce((sum, { share }) => sum + share, 0);
  return shareOfFlow(ledger, direct, 'in').share + indirect >= VICTIM.tainted_inflow_share;
}

/** A payment to a taker in the day of its first one. */
interface FirstDayPayment {
  usd: number | null;
  is_first: boolean;
  is_other: boolean;
  is_own_coin: boolean;
}

/** True where the first payment paid for fees. What the payer did not send itself was taken from it. */
export function isForFees(day: readonly FirstDayPayment[]): boolean {
  const first = day.filter((payment) => payment.is_first);
  if (first.length === 0 || !first.every(({ is_own_coin, usd }) => is_own_coin && usd !== null)) return false;
  const usd = usdOf(first);
  const others = usdOf(day.filter((payment) => payment.is_other));
  return usd < FIRST_COINS.below_usd || usd < FIRST_COINS.below_share_of_others * others;
}
