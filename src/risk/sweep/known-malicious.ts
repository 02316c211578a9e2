import { ADVERSE_CATEGORIES, isValidAt, type Label } from '../../domain/label.ts';
import { EXPOSURE_KIND } from '../exposure/grade-exposure.ts';
import type { Flag, Window } from './window.ts';

/** Parties that a label calls illicit, or that are contracts known to be malicious: CRITICAL, mixers HIGH. */
export function sweepKnownMalicious({ transfers, labelsOf, asOf }: Window): Flag[] {
  const parties = [...new Set(transfers.flatMap(({ from, to }) => [from, to]))];
  return parties.flatMap((address): Flag[] => {
    const label = labelsOf(address).find((one) => isValidAt(one, asOf) && isMalicious(one));
    if (!label) return [];
    return [
      {
        address,
        pattern: 'known_malicious',
        severity: EXPOSURE_KIND[label.category] === 'mixer' && !label.maliciousContract ? 'HIGH' : 'CRITICAL',
        measured: { label: label.label, category: label.category, source: label.source },
        transfers: transfers.filter(({ from, to }) => from === address || to === address),
      },
    ];
  });
}

function isMalicious({ category, maliciousContract }: Label): boolean {
  return maliciousContract || ADVERSE_CATEGORIES.includes(category);
}
