import { groupBy } from '../../../domain/group-by.ts';
import { iso } from '../../../domain/time.ts';
import type { Severity } from '../../detection.ts';
import type { Ledger, Movement } from '../../ledger/ledger.ts';
import { type Standing, sanctionLabels, sanctionStanding } from '../../ledger/sanction-standing.ts';
import { RULES } from '../../rules.ts';
import type { Detector, Finding } from '../detector.ts';
import { receivedSeverity, shareFigures, shareOfFlow } from './share-of-flow.ts';

const ONE_LOWER: Record<Severity, Severity> = { CRITICAL: 'HIGH', HIGH: 'MEDIUM', MEDIUM: 'LOW', LOW: 'LOW' };

/** Value to or from sanctioned addresses; before their designation one level lower. */
export const sanctionsDirect: Detector = {
  id: 'sanctions_direct',
  family: 'sanctions',
  detect(ledger) {
    const touching = ledger.movements.filter((movement) => sanctionStanding(ledger, movement) !== null);
    const groups = groupBy(touching, (m) => `${m.direction} ${sanctionStanding(ledger, m)}`);
    return (['out', 'in'] as const).flatMap((direction) =>
      (['designated', 'before_designation'] as const).flatMap((standing) => {
        const part = groups.get(`${direction} ${standing}`);
        return part ? [toFinding(ledger, part, direction, standing)] : [];
      }),
    );
  },
};

function toFinding(ledger: Ledger, part: Movement[], direction: 'in' | 'out', standing: Standing): Finding {
  const flow = shareOfFlow(ledger, part, direction);
  const full = direction === 'out' ? 'CRITICAL' : receivedSeverity(flow, RULES.sanctions_direct);
  const labels = [...new Set(part.map((movement) => movement.counterparty))].flatMap((address) =>
    sanctionLabels(ledger, address),
  );
  const designated = labels.flatMap((label) => (label.validFrom === null ? [] : [label.validFrom]));
  const ends = labels.flatMap((label) => (label.validTo === null ? [] : [label.validTo]));
  const route = direction === 'out' ? 'sent' : full === 'LOW' ? 'received_dust' : 'received';
  return {
    severity: standing === 'designated' ? full : ONE_LOWER[full],
    category: 'sanctioned',
    variant: standing === 'designated' ? route : `${route}_before`,
    thresholds: RULES.sanctions_direct,
    measured: {
      ...shareFigures(flow, part),
      entities: [...new Set(labels.map((label) => label.entity ?? label.label))].sort().slice(0, 5),
      designated_at: designated.length > 0 ? iso(Math.min(...designated)) : null,
      delisted_at: ends.length === labels.length && ends.length > 0 ? iso(Math.max(...ends)) : null,
    },
    movements: part,
  };
}
