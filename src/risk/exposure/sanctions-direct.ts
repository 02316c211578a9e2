import { groupBy } from '../../domain/group-by.ts';
import { iso } from '../../domain/time.ts';
import type { BeforeDesignation } from '../assessment.ts';
import { atLeast, atMost } from '../detection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement } from '../ledger/movements.ts';
import { isBeforeDesignation, programmesOf, sanctionLabels, sanctionStanding } from '../ledger/sanction-standing.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { claimedFindings, receivedVariant } from './category-exposure.ts';
import { exposureSubject, firstFunding } from './exposed-movements.ts';
import { beforeThresholds, exposureThresholds, gradeBefore, gradeExposure } from './grade-exposure.ts';
import { wasTaken } from './losses.ts';
import { bySureness, gradeReport } from './report-only.ts';
import { exposedShare, shareFigures } from './share-of-flow.ts';

type Way = 'out' | 'taken' | 'in';
type When = 'since' | BeforeDesignation;

/** Value to or from sanctioned addresses; before their designation less grave. */
export const sanctionsDirect: Detector = {
  id: 'sanctions_direct',
  family: 'sanctions',
  indicator: 'funds',
  detect(ledger) {
    const touching = ledger.movements.filter((movement) => sanctionStanding(ledger, movement) !== null);
    const groups = groupBy(touching, (movement) => `${wayOf(movement)} ${whenOf(ledger, movement)}`);
    const claimed = ledger.claimed.filter((movement) => sanctionStanding(ledger, movement) !== null);
    const found = (['out', 'taken', 'in'] as const).flatMap((way) =>
      (['since', 'before', 'before_country'] as const).flatMap((when) => {
        const part = groups.get(`${way} ${when}`);
        return bySureness(ledger, part ?? [], 'sanctioned').map((one) => toFinding(ledger, one, way, when));
      }),
    );
    return [...found, ...claimedFindings(ledger, claimed, 'sanctioned')];
  },
};

function wayOf(movement: Movement): Way {
  return wasTaken(movement) ? 'taken' : movement.direction;
}

/** A party of which no list says since when it is sanctioned counts as sanctioned always. */
function whenOf(ledger: Ledger, movement: Movement): When {
  const standing = sanctionStanding(ledger, movement);
  return isBeforeDesignation(standing) ? standing : 'since';
}

function toFinding(ledger: Ledger, part: Movement[], way: Way, when: When): Finding {
  const direction = way === 'in' ? 'in' : 'out';
  const flow = exposedShare(ledger, part, direction);
  const exposure = { kind: 'sanctioned', direction, subject: exposureSubject(ledger) } as const;
  const isFirst = part.includes(firstFunding(ledger)!);
  const graded = gradeExposure(flow, exposure);
  const full = isFirst ? atLeast(graded, 'MEDIUM') : graded;
  const lowered = when === 'since' ? full : gradeBefore(full, when, flow);
  const labels = [...new Set(part.map((movement) => movement.counterparty))].flatMap((address) =>
    sanctionLabels(ledger, address),
  );
  const designated = labels.flatMap((label) => (label.validFrom === null ? [] : [label.validFrom]));
  const ends = labels.flatMap((label) => (label.validTo === null ? [] : [label.validTo]));
  const route =
    way === 'in' ? receivedVariant(ledger, part, { isFirst, isLow: graded === 'LOW' }) : way === 'out' ? 'sent' : way;
  const isUndated = part.every((movement) => sanctionStanding(ledger, movement) === 'undated');
  const report = gradeReport(ledger, way === 'taken' ? atMost(lowered, 'HIGH') : lowered, {
    addresses: part.map(({ counterparty }) => counterparty),
    category: 'sanctioned',
  });
  return {
    severity: report.severity,
    category: 'sanctioned',
    variant: `${route}${when !== 'since' ? `_${when}` : isUndated ? '_undated' : ''}`,
    ...(way === 'taken' ? { role: 'victim' as const } : {}),
    thresholds: { ...exposureThresholds(exposure), ...beforeThresholds(when) },
    measured: {
      ...shareFigures(flow, part),
      entities: [...new Set(labels.map((label) => label.entity ?? label.label))].sort().slice(0, 5),
      programmes: programmesOf(labels),
      designated_at: designated.length > 0 ? iso(Math.min(...designated)) : null,
      delisted_at: ends.length === labels.length && ends.length > 0 ? iso(Math.max(...ends)) : null,
      ...report.measured,
    },
    movements: part,
  };
}
