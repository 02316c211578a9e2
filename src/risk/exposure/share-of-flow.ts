import { addAmounts, rounded } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isLawfulService } from '../../domain/label.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { IndirectExposure } from '../assessment.ts';
import { type Ledger, perLedger, uncircledUsd } from '../ledger/ledger.ts';
import { isGenuine, type Movement } from '../ledger/movements.ts';
import { flowUsd } from '../ledger/payments.ts';
import { EXPOSURE_RULES, OPEN, POOL } from '../rules.ts';
import { illicitMovements } from './exposed-movements.ts';
import { EXPOSURE_KIND, type GradedShare } from './grade-exposure.ts';

/** A part of the flow in one direction, as dollars and as a share of the total. */
export interface ShareOfFlow extends GradedShare {
  /** The base of `share`, US dollars. */
  ofUsd: number;
  /** 0-1 of that direction's flow, as texts give it. */
  flowShare: number;
  /** True for a small part of what many brought to a contract: who uses it does not make it his. */
  isOfMany: boolean;
}

/**
 * The base of a share of exposure, US dollars: all that was received; for what was sent, the larger of both directions, so
 * that who saves most of his money is not judged by the little that he spent. A service's is of that direction.
 */
export function exposureBase(sums: Record<'in' | 'out', number>, direction: 'in' | 'out', isService: boolean): number {
  return direction === 'in' || isService ? sums[direction] : Math.max(sums.in, sums.out);
}

/** A part of the flow as what exposure is graded by. */
export function exposedShare(ledger: Ledger, part: readonly Movement[], direction: 'in' | 'out'): ShareOfFlow {
  const flow = shareOfFlow(ledger, part, direction);
  const { in: received, out: sent } = totals(ledger);
  const sums = { in: received.usd, out: sent.usd, [direction]: flow.ofUsd };
  const ofUsd = exposureBase(sums, direction, ledger.isLawfulService);
  return { ...flow, ofUsd, share: shareOf(flow.usd, ofUsd) };
}

/** The totals leave out money that only moved in circles (flowUsd), except money of the part itself. */
export function shareOfFlow(ledger: Ledger, part: readonly Movement[], direction: 'in' | 'out'): ShareOfFlow {
  const recent = recentOf(ledger, part);
  const total = totals(ledger)[direction];
  const [usd, recentUsd] = [sumOf(part), sumOf(recent)];
  const since = recentSince(ledger);
  // Its own money stays its base where it went in a circle too.
  const worthOf = (one: Movement) => one.usd ?? 0;
  const ofUsd = total.usd + leftOut(ledger, part, { direction, worthOf, totalUsd: total.usd });
  const share = shareOf(usd, ofUsd);
  const receivedUsd =
    total.recentUsd + leftOut(ledger, recent, { direction, worthOf, totalUsd: total.recentUsd, since });
  const ofRecentUsd = recentBase(ledger, receivedUsd, recent, recentUsd);
  return {
    usd,
    ofUsd,
    share,
    flowShare: share,
    recentUsd,
    recentShare: shareOf(recentUsd, ofRecentUsd),
    ...(ofRecentUsd > receivedUsd && { heldUsd: ofRecentUsd }),
    unpricedShare: unpricedShare(ledger, part, direction),
    hasUnpriced: hasUnpriced(part),
    isOfMany: isSmallPart(ledger, part, { direction, largest: Math.max(share, shareOf(recentUsd, ofRecentUsd)) }),
  };
}

/**
 * The base of a share of the recent days, US dollars: what came in them or, of little money, what was held before each receipt,
 * where that is more. Which receipts carried the money is not always known: those with the least beside them.
 */
function recentBase(ledger: Ledger, receivedUsd: number, recent: readonly Movement[], recentUsd: number): number {
  const adverseUsd = Math.max(recentUsd, recentAdverseUsd(ledger));
  const receipts = recent
    .filter(({ direction, usd }) => direction === 'in' && (usd ?? 0) > 0)
    .map((one) => {
      const heldUsd = heldBefore(ledger).get(one)!;
      const ofUsd =
        isPot(ledger) || isOfCrowd(ledger)
          ? Math.max(receivedUsd, heldUsd)
          : besideSavings(adverseUsd, receivedUsd, heldUsd);
      return { usd: one.usd!, ofUsd };
    })
    .sort((x, y) => x.ofUsd - y.ofUsd);
  let [left, share] = [recentUsd, 0];
  for (const { usd, ofUsd } of receipts) {
    const carried = Math.min(left, usd);
    if (carried <= 0 || ofUsd <= 0) break;
    share += carried / ofUsd;
    left -= carried;
  }
  return share > 0 ? (recentUsd - left) / share : receivedUsd;
}

/** The base where there is little adverse money, of all kinds together: who lives on savings receives little else. */
export function besideSavings(adverseUsd: number, receivedUsd: number, heldUsd: number): number {
  return adverseUsd < EXPOSURE_RULES.recent_alone_from_usd ? Math.max(receivedUsd, heldUsd) : receivedUsd;
}

/** All adverse money of the recent days, direct and as a trace finds it, so that no part hides behind its own smallness. */
const recentAdverseUsd = perLedger((ledger): number => {
  const far = ledger.indirect.filter(({ direction, category }) => direction === 'received' && EXPOSURE_KIND[category]);
  return (
    sumOf(recentOf(ledger, illicitMovements(ledger, 'in'))) + far.reduce((sum, one) => sum + (one.recentUsd ?? 0), 0)
  );
});

/** Money held before the moment of each movement, US dollars of the days on which it came and went. */
const heldBefore = perLedger(({ movements }): ReadonlyMap<Movement, number> => {
  const held = new Map<Movement, number>();
  let [at, before, now] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const movement of movements) {
    if (movement.at > at) [at, before] = [movement.at, now];
    held.set(movement, before);
    now += (movement.direction === 'in' ? 1 : -1) * (movement.usd ?? 0);
  }
  return held;
});

/**
 * The facts of a trace with shares of the same base as direct ones: what went in circles is left out, but for dealings with those
 * through whom the money came, where the trace alone knows whose it is.
 */
export const indirectFacts = perLedger((ledger): readonly IndirectExposure[] =>
  ledger.indirect.map((fact) => {
    const direction = fact.direction === 'received' ? 'in' : 'out';
    const all = ledger.movements.filter((movement) => movement.direction === direction);
    const passed = new Set(fact.counterparties);
    const through = all.filter(({ counterparty }) => passed.has(counterparty));
    const sums = totals(ledger);
    const { usd: totalUsd, recentUsd } = sums[direction];
    const worthOf = (one: Movement) => uncircledUsd(ledger, one);
    const whole = totalUsd + leftOut(ledger, through, { direction, worthOf, totalUsd });
    const own = { in: sums.in.usd, out: sums.out.usd, [direction]: whole };
    const ofUsd = exposureBase(own, direction, ledger.isLawfulService);
    const recent = recentOf(ledger, through);
    const since = recentSince(ledger);
    const receivedUsd = recentUsd + leftOut(ledger, recent, { direction, worthOf, totalUsd: recentUsd, since });
    const ofRecentUsd = recentBase(ledger, receivedUsd, recent, fact.recentUsd ?? 0);
    const kept = 1 - takenOutPart(ledger, through, direction);
    return {
      ...fact,
      usd: kept * fact.usd,
      share: kept * rebased(fact.share, sumOf(all), ofUsd),
      ...(fact.recentUsd === undefined ? {} : { recentUsd: kept * fact.recentUsd }),
      ...(fact.recentShare === undefined
        ? {}
        : { recentShare: kept * rebased(fact.recentShare, sumOf(recentOf(ledger, all)), ofRecentUsd) }),
      ...(ofRecentUsd > receivedUsd && { heldUsd: ofRecentUsd }),
    };
  }),
);

/**
 * The part (0-1) of dealings with some parties that they put into a contract of several depositors and took out again, in the same
 * asset: it keeps none of it.
 */
function takenOutPart(ledger: Ledger, dealings: readonly Movement[], direction: 'in' | 'out'): number {
  const { movements } = ledger;
  if (!isContract(ledger) || dealings.length === 0) return 0;
  if (!ofSeveral(takenOutByParty(ledger).values(), POOL.payers)) return 0;
  const parties = new Set(dealings.map(({ counterparty }) => counterparty));
  const both = movements.filter(({ counterparty }) => parties.has(counterparty));
  let [takenUsd, usd] = [0, 0];
  for (const part of groupBy(both, ({ counterparty, transfer }) => `${counterparty} ${transfer.asset}`).values()) {
    const [put, taken] = (['in', 'out'] as const).map((way) => part.filter((one) => one.direction === way)) as [
      Movement[],
      Movement[],
    ];
    const dealt = sumOf(direction === 'in' ? put : taken);
    usd += dealt;
    // Who was paid first put nothing in.
    if (part[0]?.direction === 'in') takenUsd += Math.min(1, ratioOf(put, taken, direction)) * dealt;
  }
  return usd > 0 ? takenUsd / usd : 0;
}

/** US dollars of what each party put in before it took out, as far as it took that out. */
const takenOutByParty = perLedger(({ movements }: Ledger): ReadonlyMap<string, number> => {
  const takenOut = new Map<string, number>();
  for (const [party, part] of groupBy(movements, ({ counterparty }) => counterparty)) {
    if (part[0]!.direction !== 'in') continue;
    const [put, taken] = (['in', 'out'] as const).map((way) => sumOf(part.filter((one) => one.direction === way)));
    takenOut.set(party, Math.min(put!, taken!));
  }
  return takenOut;
});

/** By quantity, since prices move. */
function ratioOf(put: readonly Movement[], taken: readonly Movement[], direction: 'in' | 'out'): number {
  const [came, went] = [put, taken].map((part) => part.reduce((sum, one) => sum + Number(one.transfer.amount), 0)) as [
    number,
    number,
  ];
  const [whole, other] = direction === 'in' ? [came, went] : [went, came];
  return whole > 0 ? other / whole : 0;
}

/** A share of one base as that of another. */
function rebased(share: number, ofUsd: number, nowOfUsd: number): number {
  return nowOfUsd > 0 && ofUsd > 0 ? Math.min(1, share * (ofUsd / nowOfUsd)) : share;
}

function recentOf(ledger: Ledger, part: readonly Movement[]): Movement[] {
  const since = recentSince(ledger);
  return part.filter(({ at }) => at >= since);
}

/** Dust that anybody may send to an address that rests does not make its last dealings older. */
const recentSince = perLedger(({ activity, asOf }): number => {
  return (activity.at(-1)?.at ?? asOf) - EXPOSURE_RULES.recent_days * DAY_MS;
});

const totals = perLedger((ledger) => {
  const since = recentSince(ledger);
  const sums = { in: { usd: 0, recentUsd: 0 }, out: { usd: 0, recentUsd: 0 } };
  for (const [{ direction, at }, usd] of flowUsd(ledger)) {
    sums[direction].usd += usd;
    if (at >= since) sums[direction].recentUsd += usd;
  }
  return sums;
});

/**
 * US dollars that a part of what the totals leave out adds to its base: its own. Of a contract through which many pass their money it is all
 * that passed so since then, but for what stayed of the part: else a multisender would have no base but what a thief sent by it. So it is
 * of labelled services.
 */
function leftOut(
  ledger: Ledger,
  part: readonly Movement[],
  {
    direction,
    worthOf,
    totalUsd,
    since = Number.NEGATIVE_INFINITY,
  }: { direction: 'in' | 'out'; worthOf: (one: Movement) => number; totalUsd: number; since?: number },
): number {
  const own = leftOutOf(ledger, part, worthOf);
  if (own === 0) return own;
  // What is traded at a labelled exchange, or passes a labelled router, is its traffic.
  if (ledger.isLawfulService) {
    const traffic = ledger.movements.filter((one) => one.direction === direction && one.at >= since);
    return Math.max(
      own,
      leftOutOf(ledger, traffic, ({ usd }) => usd ?? 0),
    );
  }
  if (!isConduit(ledger)) return own;
  const { transactions } = passedForPayers(ledger);
  const all = leftOutOf(
    ledger,
    ledger.movements.filter(
      ({ direction: way, at, transfer }) => way === direction && at >= since && transactions.has(transfer.txHash),
    ),
  );
  const usd = part.reduce((sum, one) => sum + worthOf(one), 0);
  const ofWhatStayed = usd > own ? (totalUsd * usd) / (usd - own) : Number.POSITIVE_INFINITY;
  return Math.max(own, Math.min(all, ofWhatStayed - totalUsd));
}

function leftOutOf(
  ledger: Ledger,
  part: readonly Movement[],
  worthOf = (one: Movement) => uncircledUsd(ledger, one),
): number {
  return part.reduce((sum, one) => sum + worthOf(one) - flowUsd(ledger).get(one)!, 0);
}

/** True for a contract that passes on the money of several within their transactions, as multisenders, routers and shops do. */
const isConduit = perLedger((ledger): boolean => areManyThere(ledger, passedForPayers(ledger).usd, OPEN.payers));

/**
 * True for a contract that keeps the money of several and pays them, or what they brought by calls of their own those who call for it, as
 * markets, vaults, pools and payrolls do; a wallet's code does not.
 */
const isPot = perLedger((ledger): boolean => {
  if (!actsAsContract(ledger)) return false;
  const [kept, brought] = [new Map<string, number>(), new Map<string, number>()];
  const [paid, callers] = [new Set<string>(), new Set<string>()];
  for (const [movement, flow] of flowUsd(ledger)) {
    const { direction, counterparty, owner, transfer } = movement;
    // Who trades there is served, too.
    const usd = movement.swap ? uncircledUsd(ledger, movement) : flow;
    const isCaller = transfer.txSender === counterparty && usd >= POOL.payer_from_usd;
    for (const sums of direction === 'in' ? [kept, ...(isCaller ? [brought] : [])] : [])
      sums.set(owner, (sums.get(owner) ?? 0) + usd);
    for (const served of direction === 'out' ? [paid, ...(isCaller ? [callers] : [])] : []) served.add(owner);
  }
  if (paysForPriceAlone(ledger) && ofSeveral(kept.values(), OPEN.payers)) return true;
  const serves = (count: number, sums: Map<string, number>) =>
    count >= POOL.payers && ofSeveral(sums.values(), OPEN.payers);
  return serves([...kept.keys()].filter((owner) => paid.has(owner)).length, kept) || serves(callers.size, brought);
});

/** True for what a contract that many use keeps among theirs, or passes on for them. */
export function isOfManyThere(ledger: Ledger, part: readonly Movement[]): boolean {
  return isPot(ledger) || isPassedOn(ledger, part);
}

/** True where several brought something, and others than the two largest so much of all that came in: dust beside large sums is little. */
function areManyThere({ movements }: Ledger, usdOf: ReadonlyMap<string, number>, min: number): boolean {
  if (!ofSeveral(usdOf.values(), min)) return false;
  const others = [...usdOf.values()].sort((a, b) => b - a).slice(2);
  const cameIn = sumOf(movements.filter(({ direction }) => direction === 'in'));
  return others.reduce((sum, usd) => sum + usd, 0) >= POOL.others_share * cameIn;
}

/**
 * True for a small part of what many use: it went through, or it stayed among theirs. What it gave for that in the same transaction is a
 * price, as small as the trade is among all that came in.
 */
function isSmallPart(
  ledger: Ledger,
  part: readonly Movement[],
  { direction, largest }: { direction: 'in' | 'out'; largest: number },
): boolean {
  if (isSmallTrade(ledger, part, direction)) return true;
  const below = partBelow(ledger, part, direction);
  if (direction === 'out' && !hasUnpriced(part) && part.every((one) => wasPaidFor(ledger, one))) {
    const traded = ledger.movements.filter((one) => one.direction === 'in' && one.swap);
    const cameIn = traded.reduce((sum, one) => sum + uncircledUsd(ledger, one), totals(ledger).in.usd);
    return shareOf(sumOf(part), cameIn) < below;
  }
  const isKept = direction === 'in' && (isPot(ledger) || isOfCrowd(ledger)) && !hasUnpriced(part);
  return largest < below && (isKept || isPassedOn(ledger, part));
}

/** True for a small part of what a wallet trades with many inside their transactions: who quotes to all comers meets a thief, too. */
function isSmallTrade(ledger: Ledger, part: readonly Movement[], direction: 'in' | 'out'): boolean {
  if (part.length === 0 || actsAsContract(ledger) || !part.every(({ swap, usd }) => swap && usd !== null)) return false;
  const traded = ledger.movements.filter((one) => one.direction === direction && one.swap);
  const byOwner = groupBy(traded, ({ owner }) => owner);
  const isOfMany = ofSeveral(
    [...byOwner.values()].map((own) => sumOf(own)),
    OPEN.crowd,
  );
  return isOfMany && sumOf(part) < OPEN.trade_part_below * sumOf(traded);
}

/** True for a leg of a trade for which its receiver brought half of its value or more in the same transaction. */
function wasPaidFor(ledger: Ledger, one: Movement): boolean {
  return one.swap && (broughtForTrades(ledger).get(tradeOf(one)) ?? 0) >= OPEN.price_share * (one.usd ?? 0);
}

const broughtForTrades = perLedger(({ movements }: Ledger): ReadonlyMap<string, number> => {
  const brought = new Map<string, number>();
  for (const one of movements) {
    if (!one.swap || one.direction === 'out') continue;
    brought.set(tradeOf(one), (brought.get(tradeOf(one)) ?? 0) + (one.usd ?? 0));
  }
  return brought;
});

function tradeOf({ counterparty, transfer }: Movement): string {
  return `${transfer.txHash} ${counterparty}`;
}

/** True for a pool at which others trade: those who got all that it paid but fees had paid for it, and they traded a tenth of what came in. */
const paysForPriceAlone = perLedger((ledger): boolean => {
  const [cameIn, paid] = (['in', 'out'] as const).map((way) =>
    ledger.movements.filter(({ direction }) => direction === way),
  );
  const tradedUsd = sumOf(paid!.filter((one) => wasPaidFor(ledger, one)));
  return (
    tradedUsd > 0 && tradedUsd >= OPEN.traded_share * sumOf(paid!) && tradedUsd >= POOL.others_share * sumOf(cameIn!)
  );
});

/** True for a contract to which a crowd brings money, whomever it pays: a sale, a bridge with one relayer. */
const isOfCrowd = perLedger(
  (ledger): boolean => actsAsContract(ledger) && areManyThere(ledger, broughtTo(ledger), OPEN.crowd),
);

/** US dollars that each party brought by transactions of its own. What exchanges pay out may be the withdrawals of one. */
const broughtTo = perLedger((ledger: Ledger): ReadonlyMap<string, number> => {
  const brought = new Map<string, number>();
  for (const movement of ledger.movements) {
    const { direction, counterparty, owner, transfer } = movement;
    if (direction !== 'in' || transfer.txSender !== counterparty) continue;
    if (isLawfulService(ledger.categoryOf(counterparty))) continue;
    const usd = uncircledUsd(ledger, movement);
    brought.set(owner, (brought.get(owner) ?? 0) + usd);
  }
  return brought;
});

/** The part below which it is small, 0 for all others: what it pays to listed parties for three payers or more it may pay by its own code. */
export function partBelow(ledger: Ledger, part: readonly Movement[], direction: 'in' | 'out'): number {
  if (!isPot(ledger) && !isConduit(ledger)) return isOfCrowd(ledger) ? OPEN.crowd_part_below : 0;
  const signers = new Set(part.map(({ transfer }) => transfer.txSender));
  return direction === 'out' && signers.size >= POOL.payers ? OPEN.steered_part_below : OPEN.part_below;
}

/** True for a part of what such a contract only passes on: it bears none of it. What has no price may have stayed. */
export function isPassedOn(ledger: Ledger, part: readonly Movement[]): boolean {
  if (!isConduit(ledger) || hasUnpriced(part)) return false;
  const usd = sumOf(part);
  return usd > 0 && leftOutOf(ledger, part) >= OPEN.passed_share * usd;
}

/**
 * US dollars that a contract passes on of each payer who signed for it, and the transactions of those. A pool at which a contract wallet swaps
 * signs nothing and passes nothing through it.
 */
const passedForPayers = perLedger((ledger) => {
  const passed = { usd: new Map<string, number>(), transactions: new Set<string>() };
  if (!isContract(ledger)) return passed;
  for (const movement of ledger.movements) {
    const { direction, counterparty, owner, transfer } = movement;
    if (direction !== 'in' || transfer.txSender !== counterparty) continue;
    passed.usd.set(owner, (passed.usd.get(owner) ?? 0) + leftOutOf(ledger, [movement]));
    passed.transactions.add(transfer.txHash);
  }
  return passed;
});

function hasUnpriced(part: readonly Movement[]): boolean {
  return part.some(({ usd, transfer }) => usd === null && isGenuine(transfer));
}

export function isContract({ subject }: Ledger): boolean {
  return ['contract', 'program'].includes(subject.addressType);
}

/** True for a contract; of an address whose kind is not known, as in a file, where others signed all that it ever paid. */
const actsAsContract = perLedger((ledger): boolean => {
  const { subject, movements } = ledger;
  if (subject.addressType !== 'unknown') return isContract(ledger);
  const paid = movements.filter(({ direction }) => direction === 'out');
  return (
    paid.length > 0 && paid.every(({ transfer: { txSender } }) => txSender !== null && txSender !== subject.address)
  );
});

function sumOf(part: readonly Movement[]): number {
  return part.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

function shareOf(usd: number, total: number): number {
  return total > 0 ? rounded(Math.min(1, usd / total)) : 0;
}

/** Unknown tokens without a price are left out: anyone can make them. */
function unpricedShare(ledger: Ledger, part: readonly Movement[], direction: 'in' | 'out'): number | null {
  const amounts = new Map<string, number>();
  for (const { usd, transfer } of part) {
    if (usd === null && isGenuine(transfer)) {
      amounts.set(transfer.asset, (amounts.get(transfer.asset) ?? 0) + Number(transfer.amount));
    }
  }
  let largest: number | null = null;
  for (const [asset, amount] of amounts) {
    const all = ledger.movements
      .filter((m) => m.direction === direction && m.usd === null && m.transfer.asset === asset)
      .reduce((sum, m) => sum + Number(m.transfer.amount), 0);
    largest = Math.max(largest ?? 0, amount / all);
  }
  return largest;
}

/** Most assets named in a text; the evidence lists them all. */
const AMOUNTS_MAX = 3;

export function shareFigures(flow: ShareOfFlow, part: readonly Movement[]) {
  return {
    usd: rounded(flow.usd),
    amounts: amountsOf(part),
    share: flow.share,
    of_usd: rounded(flow.ofUsd),
    flow_share: flow.flowShare,
    recent_usd: rounded(flow.recentUsd),
    recent_share: flow.recentShare,
    ...(flow.heldUsd !== undefined && { held_usd: rounded(flow.heldUsd) }),
    unpriced_share: flow.unpricedShare === null ? null : rounded(flow.unpricedShare),
    transfers: part.length,
    addresses: new Set(part.map((movement) => movement.counterparty)).size,
  };
}

/** Amounts by asset, such as `1.5 ETH`; the most valuable first. */
export function amountsOf(part: readonly Pick<Movement, 'transfer' | 'usd'>[]): string[] {
  const sums = new Map<string, { amount: string; usd: number }>();
  for (const { transfer, usd } of part) {
    const { amount, usd: before } = sums.get(transfer.asset) ?? { amount: '0', usd: 0 };
    sums.set(transfer.asset, { amount: addAmounts(amount, transfer.amount), usd: before + (usd ?? 0) });
  }
  const ranked = [...sums].sort(([a, x], [b, y]) => y.usd - x.usd || compare(a, b));
  return ranked.slice(0, AMOUNTS_MAX).map(([asset, { amount }]) => `${amount} ${asset}`);
}

/** True for the US dollars of so many payers that what they paid into belongs to many. */
export function ofSeveral(sums: Iterable<number>, min: number, othersShare: number = POOL.others_share): boolean {
  const paid = [...sums].filter((usd) => usd >= POOL.payer_from_usd).sort((a, b) => b - a);
  const sumOf = (part: readonly number[]) => part.reduce((sum, usd) => sum + usd, 0);
  return paid.length >= min && sumOf(paid.slice(2)) >= othersShare * sumOf(paid);
}
