import type { Figures } from '../../../words/figures.ts';
import type { Category } from '../../domain/label.ts';
import type { BeforeDesignation } from '../assessment.ts';
import type { Severity } from '../detection.ts';
import { atLeast, atMost, oneLower } from '../detection.ts';
import { EXPOSURE, EXPOSURE_RULES, type ExposureMarks, SERVICE_EXPOSURE } from '../rules.ts';

/** Measures that grade an exposure. */
export interface GradedShare {
  usd: number;
  /** 0-1 of the priced flow. Rounded, so that thresholds compare the number that is shown. */
  share: number;
  /** The same of the 90 days before the last transfer; of little adverse money the share is of what was held before, where that is more. */
  recentUsd: number;
  recentShare: number;
  /** Money held before, US dollars, where `recentShare` is of that. */
  heldUsd?: number;
  /** The largest share (0-1) that the part has of the flow of a known, unpriced asset; null without such an asset. */
  unpricedShare: number | null;
  /** True when any transfer of the part, of a coin or a well-known token, has no price. */
  hasUnpriced: boolean;
}

/** Categories that are graded alike. */
export type ExposureKind = keyof typeof EXPOSURE;

export const EXPOSURE_KIND: Partial<Record<Category, ExposureKind>> = {
  sanctioned: 'sanctioned',
  terrorism: 'sanctioned',
  darknet: 'illicit',
  child_abuse: 'illicit',
  drainer: 'illicit',
  theft: 'illicit',
  ransomware: 'illicit',
  scam: 'illicit',
  mixer: 'mixer',
  high_risk_exchange: 'mixer',
};

/** Kind of subject: a labelled service goes by shares alone, and so does what has its traffic. */
export type ExposureSubject = 'address' | 'service' | 'service_like';

interface Exposure {
  kind: ExposureKind;
  direction: 'in' | 'out';
  subject: ExposureSubject;
}

/** The severity of direct exposure by the marks of the rule set; LOW where it reaches none of them. */
export function gradeExposure(flow: GradedShare, exposure: Exposure): Severity {
  const marks = marksOf(exposure);
  const reached = (['critical', 'high', 'high_mainly', 'medium'] as const).find((grade) =>
    reaches(flow, marks, grade, exposure),
  );
  const graded = atLeast(toSeverity(reached), unpricedSeverity(flow, marks, exposure));
  const { kind, direction, subject } = exposure;
  const notable =
    subject === 'service_like' &&
    kind === 'sanctioned' &&
    direction === 'out' &&
    flow.usd >= EXPOSURE_RULES.service_like_sanctioned_sent_from_usd;
  return notable ? atLeast(graded, 'MEDIUM') : graded;
}

/** The same of dealings before a designation. A country's came without a sign; conduct was known to some before. */
export function gradeBefore(
  severity: Severity,
  standing: BeforeDesignation,
  { usd, hasUnpriced = false }: Pick<GradedShare, 'usd'> & Partial<GradedShare>,
): Severity {
  if (standing === 'before') return oneLower(severity);
  return atMost(severity, usd >= EXPOSURE_RULES.before_designation_medium_from_usd || hasUnpriced ? 'MEDIUM' : 'LOW');
}

/** The mark that `gradeBefore` goes by. */
export function beforeThresholds(standing: BeforeDesignation | 'since' | undefined): Figures {
  const { before_designation_medium_from_usd } = EXPOSURE_RULES;
  return standing === 'before_country' ? { before_designation_medium_from_usd } : {};
}

/** The marks that apply, as a detection prints them. */
export function exposureThresholds(exposure: Exposure): Figures {
  return {
    ...marksOf(exposure),
    ...(sumsNeedShare(exposure) ? { any_share_least: EXPOSURE_RULES.any_share_least } : {}),
    recent_days: EXPOSURE_RULES.recent_days,
    recent_from_usd: EXPOSURE_RULES.recent_from_usd,
    recent_alone_from_usd: EXPOSURE_RULES.recent_alone_from_usd,
  };
}

function marksOf({ kind, direction, subject }: Exposure): ExposureMarks {
  return subject === 'service' ? SERVICE_EXPOSURE[kind] : EXPOSURE[kind][direction];
}

type Grade = 'critical' | 'high' | 'high_mainly' | 'medium';

/** A busy life meets large sums of bad money in time; who pays a sanctioned party chose to. */
function sumsNeedShare({ kind, direction, subject }: Exposure): boolean {
  return subject === 'address' && !(kind === 'sanctioned' && direction === 'out');
}

function reaches(flow: GradedShare, marks: ExposureMarks, grade: Grade, exposure: Exposure): boolean {
  const { subject, direction } = exposure;
  const { any_share_least, recent_from_usd } = EXPOSURE_RULES;
  const countsRecent = direction === 'in' && flow.recentUsd >= recent_from_usd;
  const recentShare = countsRecent ? flow.recentShare : 0;
  const isSum = (of: Grade) =>
    subject !== 'service_like' && flow.usd >= (marks[`${of}_any_share_from_usd`] ?? Number.POSITIVE_INFINITY);
  const isSumEnough = !sumsNeedShare(exposure) || Math.max(flow.share, recentShare) >= any_share_least;
  if (grade === 'medium' ? (['critical', 'high', 'medium'] as const).some(isSum) : isSum(grade) && isSumEnough)
    return true;
  const share = marks[`${grade}_share`];
  const fromUsd = marks[`${grade}_from_usd`] ?? 0;
  if (share === undefined) return false;
  if (flow.share >= share && flow.usd >= fromUsd) return true;
  return grade !== 'critical' && recentShare >= share && recentShare > 0 && flow.recentUsd >= fromUsd;
}

function toSeverity(grade: Grade | undefined): Severity {
  if (grade === undefined) return 'LOW';
  return grade === 'high_mainly' ? 'HIGH' : (grade.toUpperCase() as Severity);
}

/** Grades an asset without a price by its own share; CRITICAL, which needs dollars, is not reached. */
function unpricedSeverity(
  { unpricedShare, hasUnpriced }: GradedShare,
  marks: ExposureMarks,
  exposure: Exposure,
): Severity {
  const { kind, direction, subject } = exposure;
  if (hasUnpriced && kind === 'sanctioned' && direction === 'out' && subject === 'address') return 'HIGH';
  if (unpricedShare === null) return 'LOW';
  if (marks.high_share !== undefined && unpricedShare >= marks.high_share) return 'HIGH';
  return marks.medium_share !== undefined && unpricedShare >= marks.medium_share ? 'MEDIUM' : 'LOW';
}
