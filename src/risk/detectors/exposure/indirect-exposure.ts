import type { Category } from '../../../domain/label.ts';
import type { IndirectExposure } from '../../assessment.ts';
import type { Severity } from '../../detection.ts';
import { RULES } from '../../rules.ts';
import { type Detector, type Finding, rounded } from '../detector.ts';

const OTHER_ILLICIT: readonly Category[] = ['darknet', 'drainer', 'scam', 'mixer'];

/** Sanctioned addresses behind unlabelled ones; listed from a small share on, graded by share. */
export const sanctionsIndirect: Detector = {
  id: 'sanctions_indirect',
  family: 'indirect_exposure',
  detect: ({ indirect }) => indirect.filter((fact) => fact.category === 'sanctioned').flatMap(toFinding),
};

/** The same for the other illicit categories. */
export const indirectExposure: Detector = {
  id: 'indirect_exposure',
  family: 'indirect_exposure',
  detect: ({ indirect }) => indirect.filter((fact) => OTHER_ILLICIT.includes(fact.category)).flatMap(toFinding),
};

function toFinding({
  category,
  direction,
  share,
  usd,
  minHops,
  evidence,
  counterparties,
  ways,
}: IndirectExposure): Finding[] {
  const severity = severityOf(category, share, usd);
  if (severity === null) return [];
  return [
    {
      severity,
      category,
      variant: direction,
      thresholds: RULES.indirect_exposure,
      measured: { category, share: rounded(share), usd: rounded(usd), min_hops: minHops },
      movements: [],
      elsewhere: { evidence, counterparties, ways: ways.map((way) => ({ ...way, usd: rounded(way.usd) })) },
    },
  ];
}

function severityOf(category: Category, share: number, usd: number): Severity | null {
  const rule = RULES.indirect_exposure;
  if (share >= rule.critical_share) return 'CRITICAL';
  if (share >= rule.high_share) return 'HIGH';
  if (share >= rule.medium_share) return 'MEDIUM';
  const listed = category === 'sanctioned' && share >= rule.list_share && usd >= rule.list_from_usd;
  return listed ? 'LOW' : null;
}
