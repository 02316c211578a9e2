import { isValidAt } from '../../../domain/label.ts';
import { isoOrNull } from '../../../domain/time.ts';
import { REPORTED } from '../../rules.ts';
import type { Detector } from '../detector.ts';

/** The subject is on a sanctions list, or was. */
export const sanctionsSelf: Detector = {
  id: 'sanctions_self',
  family: 'sanctions',
  detect({ subject, asOf }) {
    const labels = subject.labels.filter(
      (label) => label.category === 'sanctioned' && (label.validFrom === null || label.validFrom <= asOf),
    );
    const label = labels.find((candidate) => isValidAt(candidate, asOf)) ?? labels[0];
    if (!label) return [];
    const listed = isValidAt(label, asOf);
    const isReport = label.confidence < REPORTED.confidence_below;
    return [
      {
        severity: !listed ? 'LOW' : isReport ? 'HIGH' : 'CRITICAL',
        variant: !listed ? 'delisted' : isReport ? 'reported' : 'listed',
        category: 'sanctioned',
        thresholds: { confidence_below: REPORTED.confidence_below },
        measured: {
          label: label.label,
          source: label.source,
          confidence: label.confidence,
          designated_at: isoOrNull(label.validFrom),
          delisted_at: isoOrNull(label.validTo),
        },
        movements: [],
      },
    ];
  },
};
