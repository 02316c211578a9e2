import { groupBy } from '../../domain/group-by.ts';
import { ADVERSE_CATEGORIES, type Category } from '../../domain/label.ts';
import { atLeast, atMost, type Severity } from '../detection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Movement, usdOf } from '../ledger/movements.ts';
import { settled } from '../ledger/restituted.ts';
import { ROBBER, RULES, VICTIM } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { strangersBefore } from './collected.ts';
import { claimedTo, exposedTo, exposureSubject, firstFunding } from './exposed-movements.ts';
import { EXPOSURE_KIND, exposureThresholds, gradeExposure } from './grade-exposure.ts';
import { losses } from './losses.ts';
import { bySureness, gradeReport, surelyOf, surelyOrInferred } from './report-only.ts';
import { amountsOf, exposedShare, type ShareOfFlow, shareFigures, shareOfFlow } from './share-of-flow.ts';

/** Sanctions have a detector of their own. */
const CATEGORIES = ADVERSE_CATEGORIES.filter((category) => category !== 'sanctioned');

/** Value exchanged directly with each of these categories; sent, received and lost apart. */
export const CATEGORY_EXPOSURES: readonly Detector[] = CATEGORIES.map((category) => ({
  id: `${category}_exposure`,
  family: EXPOSURE_KIND[category] === 'sanctioned' ? 'sanctions' : 'illicit_exposure',
  indicator: category === 'mixer' ? 'anonymity' : 'funds',
  detect(ledger) {
    const lost = losses(ledger);
    const paid = exposedTo(ledger, category, 'out').filter((movement) => settled(ledger, movement) === null);
    const received = groupBy(exposedTo(ledger, category, 'in'), (movement) => settled(ledger, movement));
    const settledIn = (how: 'returned' | 'handed_back') => received.get(how) ?? [];
    const findings = (part: readonly Movement[], direction: 'in' | 'out') => {
      // Each by its own whole: small parts of what many brought to a contract may be a large one together.
      const { isOfMany } = shareOfFlow(ledger, surelyOrInferred(ledger, part, category), direction);
      return bySureness(ledger, part, category).flatMap((one) =>
        exposureFindings(ledger, category, one, { direction, isOfMany }),
      );
    };
    return [
      ...lossFindings(ledger, category, paid),
      ...findings(
        paid.filter((movement) => !lost.has(movement)),
        'out',
      ),
      ...findings(received.get(null) ?? [], 'in'),
      ...victimFindings(ledger, category, settledIn('returned'), { variant: 'returned', role: 'restitution' }),
      ...victimFindings(ledger, category, settledIn('handed_back'), { variant: 'handed_back' }),
      ...claimedFindings(ledger, claimedTo(ledger, category), category),
    ];
  },
}));

function exposureFindings(
  ledger: Ledger,
  category: Category,
  part: readonly Movement[],
  { direction, isOfMany }: { direction: 'in' | 'out'; isOfMany: boolean },
): Finding[] {
  const kind = EXPOSURE_KIND[category];
  if (part.length === 0 || kind === undefined) return [];
  const flow = exposedShare(ledger, part, direction);
  const exposure = { kind, direction, subject: exposureSubject(ledger) };
  const together = withOtherKinds(ledger, category, part, direction);
  const alone = gradeExposure(flow, exposure);
  // Of all kinds together the share decides, never the amount: a busy address meets some of each.
  const subject = exposure.subject === 'service' ? 'service' : 'service_like';
  const mildly = (severity: Severity, isOfMany: boolean) =>
    isOfMany && kind !== 'sanctioned' ? atMost(severity, 'MEDIUM') : severity;
  const ofKind = mildly(alone, isOfMany);
  const ofAll = together && mildly(gradeExposure(together, { ...exposure, subject }), together.isOfMany);
  const graded = ofAll === null ? ofKind : atLeast(ofKind, ofAll);
  const isFirst = part.includes(firstFunding(ledger)!);
  const report = gradeReport(ledger, isFirst ? atLeast(graded, 'MEDIUM') : graded, {
    addresses: part.map(({ counterparty }) => counterparty),
    category,
  });
  return [
    {
      severity: report.severity,
      category,
      variant: direction === 'out' ? 'sent' : receivedVariant(ledger, part, { isFirst, isLow: graded === 'LOW' }),
      thresholds: exposureThresholds(exposure),
      measured: {
        ...shareFigures(flow, part),
        ...(together && graded !== ofKind && { together_share: Math.max(together.share, together.recentShare) }),
        ...(graded !== alone && graded === ofKind && { of_many: true }),
        entities: namesOf(ledger, part, category),
        ...report.measured,
      },
      movements: part,
    },
  ];
}

const KINDS_OF_CRIME: readonly Category[] = CATEGORIES.filter((category) => EXPOSURE_KIND[category] === 'illicit');

/**
 * Returns what all kinds of crime that are graded alike have together in a direction, beside the kind that has most of it: money split over
 * kinds weighs as much. Null beside the others, and of parties that are only reported.
 */
function withOtherKinds(
  ledger: Ledger,
  category: Category,
  part: readonly Movement[],
  direction: 'in' | 'out',
): ShareOfFlow | null {
  if (!KINDS_OF_CRIME.includes(category)) return null;
  const lost = losses(ledger);
  const kinds = KINDS_OF_CRIME.map((kind) => {
    const counted = exposedTo(ledger, kind, direction).filter((m) => !lost.has(m) && settled(ledger, m) === null);
    return { kind, counted: surelyOf(ledger, counted, kind) };
  }).filter(({ counted }) => counted.length > 0);
  const [most] = kinds.toSorted((a, b) => usdOf(b.counted) - usdOf(a.counted));
  if (kinds.length < 2 || most!.kind !== category || most!.counted[0] !== part[0]) return null;
  return exposedShare(
    ledger,
    kinds.flatMap(({ counted }) => counted),
    direction,
  );
}

/** Dust is called unsolicited only where nothing was ever sent to those parties; a service is sent money to be kept. */
export function receivedVariant(
  ledger: Ledger,
  part: readonly Movement[],
  { isFirst, isLow }: { isFirst: boolean; isLow: boolean },
): string {
  if (!isLow) return 'received';
  if (isFirst) return 'received_first';
  const parties = new Set(part.map(({ owner }) => owner));
  const dealt = ledger.movements.some(({ direction, owner }) => direction === 'out' && parties.has(owner));
  return dealt || ledger.isLawfulService ? 'received_small' : 'received_dust';
}

function lossFindings(ledger: Ledger, category: Category, sent: readonly Movement[]): Finding[] {
  const lost = losses(ledger);
  return (['paid', 'taken'] as const).flatMap((how) => {
    // A payment to a look-alike is a loss to this party too.
    const part = sent.filter(
      (movement) => lost.has(movement) && (lost.get(movement) === 'taken') === (how === 'taken'),
    );
    return victimFindings(ledger, category, part, { variant: how === 'taken' ? 'taken' : 'lost', role: 'victim' });
  });
}

/** Money of the address that the party took or gave back, or of the party that the address gave back. */
function victimFindings(
  ledger: Ledger,
  category: Category,
  part: readonly Movement[],
  shown: Pick<Finding, 'variant' | 'role'>,
): Finding[] {
  if (part.length === 0) return [];
  const flow = shareOfFlow(ledger, part, shown.role === 'victim' ? 'out' : 'in');
  const senders = shown.variant === 'lost' ? strangersBefore(ledger, part) : 0;
  return [
    {
      severity: flow.usd < VICTIM.low_below_usd && flow.unpricedShare === null ? 'LOW' : 'MEDIUM',
      category,
      ...shown,
      // Who took nothing out of pools was not compared with a robber.
      thresholds: { ...VICTIM, ...(ledger.loot.size > 0 && ROBBER) },
      measured: {
        ...shareFigures(flow, part),
        entities: namesOf(ledger, part, category),
        ...(senders > 0 && { collected_senders: senders }),
      },
      movements: part,
    },
  ];
}

/** Lists what a token contract alone says that the subject sent to listed parties. */
export function claimedFindings(ledger: Ledger, claimed: readonly Movement[], category: Category): Finding[] {
  if (claimed.length === 0) return [];
  return [
    {
      severity: 'LOW',
      category,
      variant: 'claimed',
      thresholds: {},
      measured: {
        usd: 0,
        amounts: amountsOf(claimed),
        transfers: claimed.length,
        entities: namesOf(ledger, claimed, category),
      },
      movements: claimed,
    },
  ];
}

const NAMES_MAX = 5;

/** The names that labels of the category give to the other sides. */
function namesOf(ledger: Ledger, part: readonly Movement[], category: Category): string[] {
  const names = part.flatMap(({ counterparty }) => {
    const label = ledger.labelsOf(counterparty).find((one) => one.category === category);
    return label ? [label.entity ?? label.label] : [];
  });
  return [...new Set(names)].sort().slice(0, NAMES_MAX);
}

/** A large part of what was sent or received went to or came from gambling. */
export const gamblingExposure: Detector = {
  id: 'gambling_exposure',
  family: 'gambling_privacy',
  indicator: 'funds',
  detect(ledger) {
    const rule = RULES.gambling_exposure;
    return (['out', 'in'] as const).flatMap((direction) => {
      const part = exposedTo(ledger, 'gambling', direction);
      const flow = shareOfFlow(ledger, part, direction);
      if (flow.usd < rule.from_usd || flow.share < rule.low_share) return [];
      return [
        {
          severity: flow.share >= rule.medium_share ? 'MEDIUM' : 'LOW',
          category: 'gambling',
          variant: direction === 'out' ? 'sent' : 'received',
          thresholds: rule,
          measured: shareFigures(flow, part),
          movements: part,
        },
      ];
    });
  },
};
