import type { Figures } from '../../../words/figures.ts';
import { rounded } from '../../domain/amount.ts';
import { type Category, isLawfulService } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import type { IndirectExposure, UnpricedPart } from '../assessment.ts';
import { atLeast, atMost, oneLower, type Severity } from '../detection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { programmesOf, sanctionLabels } from '../ledger/sanction-standing.ts';
import { EXPOSURE_RULES, RULES, VICTIM } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { illicitMovements, isIllicitFact } from './exposed-movements.ts';
import { beforeThresholds, EXPOSURE_KIND, gradeBefore } from './grade-exposure.ts';
import { paidToLookalikes, wasLostBehind } from './losses.ts';
import { gradeReport } from './report-only.ts';
import { exposedShare, indirectFacts, partBelow, shareOfFlow } from './share-of-flow.ts';

/** Sanctioned addresses behind unlabelled ones; graded by share, however many hops away. */
export const sanctionsIndirect: Detector = {
  id: 'sanctions_indirect',
  family: 'indirect_exposure',
  indicator: 'funds',
  detect: (ledger) => findings(ledger, (category) => category === 'sanctioned'),
};

/** The same for the other adverse categories. */
export const indirectExposure: Detector = {
  id: 'indirect_exposure',
  family: 'indirect_exposure',
  indicator: 'funds',
  detect: (ledger) =>
    findings(ledger, (category) => category !== 'sanctioned' && EXPOSURE_KIND[category] !== undefined),
};

function findings(ledger: Ledger, counts: (category: IndirectExposure['category']) => boolean): Finding[] {
  return indirectFacts(ledger)
    .filter((fact) => counts(fact.category) && !wasLost(ledger, fact))
    .flatMap((fact) => toFinding(ledger, fact));
}

/** Money that the subject lost is not traced further for its score. */
function wasLost(ledger: Ledger, { direction, counterparties }: IndirectExposure): boolean {
  if (direction === 'received' || counterparties.length === 0) return false;
  const lookalikes = new Set(paidToLookalikes(ledger).map(({ counterparty }) => counterparty));
  return counterparties.every((address) => lookalikes.has(address));
}

function toFinding(ledger: Ledger, fact: IndirectExposure): Finding[] {
  const { category, direction, standing, share, usd, amounts, minHops, evidence, counterparties, ways, span } = fact;
  const { recent_days, recent_from_usd, recent_alone_from_usd } = EXPOSURE_RULES;
  const recentThresholds = { recent_days, recent_from_usd, recent_alone_from_usd };
  if (fact.unpriced) return [unpricedFinding(ledger, fact, fact.unpriced)];
  const recent = ledger.isLawfulService ? null : recentOf(fact);
  const severity = gradeOf(ledger, fact);
  if (severity === null) return [];
  const isLoss = wasLostBehind(ledger, fact);
  const isBought = wasBought(ledger, fact);
  const designation = category === 'sanctioned' ? designationOf(ledger, ways) : null;
  // Sanctions hold for a part of a pool, too.
  const isCrime = EXPOSURE_KIND[category] !== 'sanctioned';
  const isSmall = isCrime && isOfMany(ledger, fact);
  const isUnsure = isSmall || (isCrime && fact.pooled === 'many');
  // Who deals with a mixer itself is HIGH at most, and no worse for hops between; whose money a pool paid out is not known.
  const most = isLoss
    ? usd < VICTIM.low_below_usd
      ? 'LOW'
      : 'MEDIUM'
    : isBought || isUnsure
      ? 'MEDIUM'
      : EXPOSURE_KIND[category] === 'mixer'
        ? 'HIGH'
        : null;
  const certain = fact.pooled && ['CRITICAL', 'HIGH'].includes(severity) ? oneLower(severity) : severity;
  const capped = most === null ? certain : atMost(certain, most);
  const lowered = standing ? gradeBefore(capped, standing, { usd }) : capped;
  // The ways are the largest; labels of the others are not read.
  const report = gradeReport(ledger, lowered, { addresses: ways.map(({ address }) => address), category });
  return [
    {
      severity: report.severity,
      category,
      ...(isLoss ? { role: 'victim' as const } : {}),
      variant: isLoss ? 'lost' : `${direction}${standing ? `_${standing}` : designation?.isUndated ? '_undated' : ''}`,
      thresholds: {
        ...(ledger.isLawfulService
          ? RULES.service_indirect_exposure
          : { ...RULES.indirect_exposure, ...recentThresholds }),
        ...beforeThresholds(standing),
      },
      measured: {
        category,
        share: rounded(share),
        usd: rounded(usd),
        ...(amounts && { amounts }),
        ...(recent && recentFigures(fact, recent)),
        ...(fact.pooled && { pooled: true }),
        ...(isBought && { bought_at_market: true }),
        ...(isSmall && atMost(certain, 'MEDIUM') !== certain && { of_many: true }),
        min_hops: minHops,
        entities: namesOf(
          ledger,
          ways.map(({ address }) => address),
          category,
        ),
        attributed_share: rounded(attributedShare(ledger, direction)),
        ...(designation && { designated_at: designation.at, programmes: designation.programmes }),
        ...report.measured,
      },
      movements: [],
      elsewhere: { evidence, counterparties, ways: ways.map((way) => ({ ...way, usd: rounded(way.usd) })), span },
    },
  ];
}

/** The severity of the money by its shares and sums alone; null: too little to list. */
function gradeOf(ledger: Ledger, fact: IndirectExposure): Severity | null {
  const { direction, share } = fact;
  const part = attributedPart(ledger, direction);
  const recent = ledger.isLawfulService ? null : recentOf(fact);
  const whole = atLeastAny(severityOf(fact, rounded(share)), recent && recentSeverity(recent.share));
  const ofPart = part === null ? null : severityOf(fact, rounded(Math.min(1, share / part.share)));
  const lower = ofPart === null || ofPart === 'LOW' ? null : oneLower(ofPart);
  const graded = atLeastAny(whole, lower);
  return graded !== null && ledger.isLawfulService ? serviceSeverity(rounded(share)) : graded;
}

/** True for a contract to which crime of all kinds, direct and behind wallets, brought a small part of what many did, or got one. */
function isOfMany(ledger: Ledger, { direction, counterparties }: IndirectExposure): boolean {
  const way = direction === 'received' ? 'in' : 'out';
  const direct = exposedShare(ledger, illicitMovements(ledger, way), way);
  const facts = indirectFacts(ledger).filter((fact) => fact.direction === direction && isIllicitFact(fact));
  const share = facts.reduce((sum, fact) => sum + fact.share, direct.share);
  const recentShare = facts.reduce((sum, fact) => sum + (fact.recentShare ?? 0), direct.recentShare);
  const own = ledger.movements.filter((one) => one.direction === way && counterparties.includes(one.counterparty));
  return Math.max(share, way === 'in' ? recentShare : 0) < partBelow(ledger, own, way);
}

/** True where the address bought so much of the money that the rest alone is not HIGH. */
function wasBought(ledger: Ledger, fact: IndirectExposure): boolean {
  const { bought, usd, share, recentUsd = 0, recentShare = 0 } = fact;
  if (!bought || bought.usd === 0 || usd === 0) return false;
  const [left, recentLeft] = [usd - bought.usd, recentUsd - bought.recentUsd];
  const rest = gradeOf(ledger, {
    ...fact,
    ...{ usd: left, share: (share * left) / usd, recentUsd: recentLeft },
    recentShare: recentUsd > 0 ? (recentShare * recentLeft) / recentUsd : 0,
  });
  return rest === null || atMost(rest, 'MEDIUM') === rest;
}

/**
 * Of assets without a price the share of each decides, HIGH at most, and what was lost is MEDIUM at most; unknown tokens are listed,
 * for anybody can make them.
 */
function unpricedFinding(ledger: Ledger, fact: IndirectExposure, unpriced: readonly UnpricedPart[]): Finding {
  const { category, direction, standing, minHops, evidence, counterparties, ways, span, amounts } = fact;
  const { medium_share, high_share } = RULES.indirect_exposure;
  const { chain } = ledger.subject;
  const genuine = unpriced.filter(({ token }) => token === null || verifiedToken(chain, token) !== null);
  const share = Math.max(0, ...genuine.map((part) => part.share));
  const graded: Severity = share >= high_share ? 'HIGH' : share >= medium_share ? 'MEDIUM' : 'LOW';
  const isLoss = wasLostBehind(ledger, fact);
  const capped = isLoss || ledger.isLawfulService ? atMost(graded, 'MEDIUM') : graded;
  const lowered = standing ? gradeBefore(capped, standing, { usd: 0, hasUnpriced: share > 0 }) : capped;
  const far = ways.map(({ address }) => address);
  const report = gradeReport(ledger, lowered, { addresses: far, category });
  return {
    severity: report.severity,
    category,
    ...(isLoss ? { role: 'victim' as const } : {}),
    variant: `${direction}_unpriced`,
    thresholds: { medium_share, high_share },
    measured: {
      category,
      usd: 0,
      ...(amounts && { amounts }),
      share: Math.max(...unpriced.map((part) => part.share)),
      min_hops: minHops,
      entities: namesOf(ledger, far, category),
      ...report.measured,
    },
    movements: [],
    elsewhere: { evidence, counterparties, ways, span },
  };
}

/** The recent share where it is the larger one and enough to decide; null for all else. */
function recentOf({ direction, share, recentUsd = 0, recentShare = 0 }: IndirectExposure) {
  const counts = direction === 'received' && recentUsd >= EXPOSURE_RULES.recent_from_usd && recentShare > share;
  return counts ? { usd: recentUsd, share: rounded(recentShare) } : null;
}

/** The share of what was held has a name of its own, which the text goes by. */
function recentFigures({ heldUsd }: IndirectExposure, { usd, share }: { usd: number; share: number }): Figures {
  const ofBase: Figures =
    heldUsd === undefined ? { recent_share: share } : { held_share: share, held_usd: rounded(heldUsd) };
  return { recent_usd: rounded(usd), ...ofBase };
}

function recentSeverity(share: number): Severity | null {
  const { high_share, medium_share } = RULES.indirect_exposure;
  if (share >= high_share) return 'HIGH';
  return share >= medium_share ? 'MEDIUM' : null;
}

function atLeastAny(a: Severity | null, b: Severity | null): Severity | null {
  return a === null || b === null ? (a ?? b) : atLeast(a, b);
}

function severityOf({ category, usd }: IndirectExposure, share: number): Severity | null {
  const rule = RULES.indirect_exposure;
  if (share >= rule.critical_share && usd >= rule.critical_from_usd) return 'CRITICAL';
  if (share >= rule.high_share && usd >= rule.high_from_usd) return 'HIGH';
  if (share >= rule.high_large_share && usd >= rule.high_large_from_usd) return 'HIGH';
  if (share >= rule.medium_share && usd >= rule.medium_from_usd) return 'MEDIUM';
  if (usd >= rule.medium_any_share_from_usd) return 'MEDIUM';
  return EXPOSURE_KIND[category] !== undefined && share >= rule.list_share && usd >= rule.list_from_usd ? 'LOW' : null;
}

/** Since when and by what the parties at the far ends are sanctioned; `isUndated` where none of their lists says when. */
function designationOf(ledger: Ledger, ways: IndirectExposure['ways']) {
  const labels = ways.flatMap(({ address }) => sanctionLabels(ledger, address));
  const days = labels.flatMap(({ validFrom }) => (validFrom === null ? [] : [validFrom]));
  return {
    at: days.length > 0 ? iso(Math.min(...days)) : null,
    isUndated: labels.length > 0 && days.length === 0,
    programmes: programmesOf(labels),
  };
}

const NAMES_MAX = 3;

/** Names of the parties at which the largest ways end. */
function namesOf(ledger: Ledger, addresses: readonly string[], category: Category): string[] {
  const names = addresses.flatMap((address) => {
    const label = ledger.labelsOf(address).find((one) => one.category === category);
    return label ? [label.entity ?? label.label] : [];
  });
  return [...new Set(names)].slice(0, NAMES_MAX);
}

/** Much of what reaches a service comes from far away by chance. */
function serviceSeverity(share: number): Severity | null {
  const { critical_share, high_share, medium_share } = RULES.service_indirect_exposure;
  if (share >= critical_share) return oneLower('CRITICAL');
  if (share >= high_share) return oneLower('HIGH');
  return share >= medium_share ? oneLower('MEDIUM') : null;
}

/** The part of one direction's money whose ends are known, where it is large enough to speak for the rest. */
function attributedPart(ledger: Ledger, direction: IndirectExposure['direction']): { share: number } | null {
  const { part_addresses, part_share } = RULES.indirect_exposure;
  const share = attributedShare(ledger, direction);
  const far = indirectFacts(ledger).filter((fact) => fact.direction === direction);
  const addresses = far.reduce((sum, fact) => sum + (fact.addresses ?? fact.ways.length), 0);
  return addresses >= part_addresses && share >= part_share && share < 1 ? { share } : null;
}

function attributedShare(ledger: Ledger, direction: IndirectExposure['direction']): number {
  const way = direction === 'received' ? 'in' : 'out';
  const labelled = ledger.movements.filter((movement) => {
    const category = ledger.categoryOf(movement.counterparty);
    if (movement.direction !== way || category === null) return false;
    return isLawfulService(category) || EXPOSURE_KIND[category] !== undefined;
  });
  const indirect = indirectFacts(ledger).filter((fact) => fact.direction === direction);
  const share = indirect.reduce((sum, fact) => sum + fact.share, shareOfFlow(ledger, labelled, way).share);
  return Math.min(1, share);
}
