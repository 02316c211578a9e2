import { rounded } from '../../domain/amount.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Payment } from '../ledger/movements.ts';
import { movementsOf, totalUsd, withLawfulService } from '../ledger/payments.ts';
import { PATTERN_RULES, RULES } from '../rules.ts';
import type { AroundDetector, Detector, Finding } from '../views/detector.ts';
import { inTimeOrder, type Neighbourhood, type Pattern } from '../views/neighbourhood.ts';

/**
 * Money leaves again soon after it came, and hardly anything stays. What came from a lawful service does not count: to
 * withdraw just before one pays is what everybody does.
 */
export const passThrough: AroundDetector & Detector = {
  id: 'pass_through',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  around: {
    pattern: 'rapid_pass_through',
    variant: 'around',
    rule: PATTERN_RULES.pass_through,
    find: findPassThrough,
    isBesideOwn: () => false,
  },
  detect(ledger) {
    const { fast_hours, slow_hours } = RULES.pass_through;
    return finding(ledger, fast_hours, 'HIGH') ?? finding(ledger, slow_hours, 'MEDIUM') ?? [];
  },
};

function finding(ledger: Ledger, hours: number, severity: 'HIGH' | 'MEDIUM'): Finding[] | null {
  const rule = RULES.pass_through;
  const episodes = passedOn(ledger.payments, ({ direction }) => direction === 'in', {
    windowMs: hours * HOUR_MS,
    passedShare: rule.passed_share,
    reserveShareMax: rule.reserve_share_max,
  }).filter(({ receipt }) => receipt.usd >= rule.each_from_usd && !withLawfulService(ledger, receipt));
  const incoming = episodes.map(({ receipt }) => receipt);
  const largest = largestOf(incoming, ({ usd }) => usd);
  if (episodes.length < rule.episodes && largest < rule.single_from_usd) return null;
  const onward = [...new Set(episodes.flatMap((episode) => episode.onward))];
  const usd = totalUsd(incoming);
  const passed = episodes.reduce((sum, episode) => sum + episode.passedUsd, 0);
  return [
    {
      severity,
      thresholds: rule,
      measured: {
        episodes: episodes.length,
        minutes: largestOf(episodes, minutesHeld),
        usd: rounded(usd),
        amounts: amountsOf(movementsOf(incoming)),
        passed_share: rounded(passed / usd),
        reserve_share: largestOf(episodes, ({ reserveShare }) => reserveShare),
      },
      movements: movementsOf([...incoming, ...onward]),
    },
  ];
}

/** At least 0. The arguments of Math.max end at some hundred thousand. */
function largestOf<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((largest, item) => Math.max(largest, sizeOf(item)), 0);
}

/** From a receipt to the last payment that took it along. */
function minutesHeld({ receipt, onward }: Episode<Payment>): number {
  return Math.max(1, Math.ceil((onward.at(-1)!.at - receipt.at) / MINUTE_MS));
}

const RULE = PATTERN_RULES.pass_through;

/** Money leaves the subject again soon after it came, and hardly anything stays; what an exchange paid out is left aside. */
function findPassThrough({ subject, receivedBy, sentBy, isExchange }: Neighbourhood): Pattern[] {
  // What is sent on within the same moment came from elsewhere.
  const moved = [...sentBy(subject), ...receivedBy(subject)].sort((a, b) => a.at - b.at);
  for (const hours of [RULE.fast_hours, RULE.slow_hours]) {
    const episodes = passedOn(moved, ({ to }) => to === subject, {
      windowMs: hours * HOUR_MS,
      passedShare: RULE.passed_share,
      reserveShareMax: RULE.reserve_share_max,
    }).filter(({ receipt }) => receipt.usd >= RULE.each_from_usd && !isExchange(receipt.from));
    if (episodes.length < RULE.episodes && !episodes.some(({ receipt }) => receipt.usd >= RULE.single_from_usd))
      continue;
    return [
      {
        pattern_id: 'rapid_pass_through',
        severity: hours === RULE.fast_hours ? 'HIGH' : 'MEDIUM',
        usd: episodes.reduce((sum, { passedUsd }) => sum + passedUsd, 0),
        flows: inTimeOrder(episodes.flatMap(({ receipt, onward }) => [receipt, ...onward])),
      },
    ];
  }
  return [];
}

interface Money {
  at: number;
  usd: number;
}

/** A receipt that was passed on, with the payments that took it along. */
interface Episode<T> {
  receipt: T;
  onward: T[];
  /** US dollars of the receipt that went out within the window. */
  passedUsd: number;
  /** 0-1 of all that was there: what had stayed of earlier receipts that were not passed on. */
  reserveShare: number;
}

interface PassedOnRule {
  windowMs: number;
  /** 0-1 of a receipt that has to go out. */
  passedShare: number;
  /** 0-1 of all that is there: so little may be a reserve. */
  reserveShareMax: number;
}

interface Lot<T> extends Episode<T> {
  left: number;
  /** The reserve when enough of it was passed on; null before. */
  reserveUsd: number | null;
}

/**
 * The receipts that were passed on within a window, in time order as `moved` is; linear. A payment uses up receipts from
 * the oldest; money older than the window counts as kept and is spent last.
 *
 * @internal Tested alone.
 */
export function passedOn<T extends Money>(
  moved: readonly T[],
  isReceipt: (one: T) => boolean,
  { windowMs, passedShare, reserveShareMax }: PassedOnRule,
): Episode<T>[] {
  const lots: Lot<T>[] = [];
  let reserveUsd = 0;
  // Of the lots: the oldest within the window, the oldest to be passed on, and the oldest of each kind with a rest.
  let [fresh, wanting, freshRest, keptRest] = [0, 0, 0, 0];
  for (const one of moved) {
    if (isReceipt(one)) {
      lots.push({ receipt: one, onward: [], passedUsd: 0, reserveShare: 0, left: one.usd, reserveUsd: null });
      continue;
    }
    for (; fresh < lots.length && one.at - lots[fresh]!.receipt.at > windowMs; fresh++) {
      if (lots[fresh]!.reserveUsd === null) reserveUsd += lots[fresh]!.left;
    }
    let unpaid = one.usd;
    for (wanting = Math.max(wanting, fresh); unpaid > 0 && wanting < lots.length; ) {
      const lot = lots[wanting]!;
      unpaid -= pass(lot, one, Math.min(unpaid, passedShare * lot.receipt.usd - lot.passedUsd));
      if (rounded(lot.passedUsd / lot.receipt.usd) < passedShare) break;
      lot.reserveUsd = reserveUsd;
      wanting++;
    }
    for (freshRest = Math.max(freshRest, fresh); unpaid > 0 && freshRest < lots.length; ) {
      unpaid -= pass(lots[freshRest]!, one, Math.min(unpaid, lots[freshRest]!.left));
      if (lots[freshRest]!.left <= 0) freshRest++;
    }
    for (; unpaid > 0 && keptRest < fresh; ) {
      const lot = lots[keptRest]!;
      const used = Math.min(unpaid, lot.left);
      lot.left -= used;
      unpaid -= used;
      if (lot.reserveUsd === null) reserveUsd -= used;
      if (lot.left <= 0) keptRest++;
    }
  }
  return lots.flatMap(({ receipt, onward, passedUsd, reserveUsd }) => {
    if (reserveUsd === null) return [];
    const reserveShare = rounded(reserveUsd / (reserveUsd + receipt.usd));
    return reserveShare <= reserveShareMax ? [{ receipt, onward, passedUsd, reserveShare }] : [];
  });
}

function pass<T>(lot: Lot<T>, payment: T, usd: number): number {
  lot.left -= usd;
  lot.passedUsd += usd;
  if (lot.onward.at(-1) !== payment) lot.onward.push(payment);
  return usd;
}
