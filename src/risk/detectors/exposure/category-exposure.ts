import type { Category } from '../../../domain/label.ts';
import type { Severity } from '../../detection.ts';
import type { Ledger, Movement } from '../../ledger/ledger.ts';
import { sanctionStanding } from '../../ledger/sanction-standing.ts';
import { RULES } from '../../rules.ts';
import type { Detector, Finding } from '../detector.ts';
import { receivedSeverity, type ShareOfFlow, shareFigures, shareOfFlow } from './share-of-flow.ts';

/** A detector for value exchanged directly with one illicit category, sent and received apart. */
export function illicitExposure(category: 'darknet' | 'drainer' | 'scam' | 'mixer'): Detector {
  return {
    id: `${category}_exposure`,
    family: 'illicit_exposure',
    detect: (ledger) =>
      (['out', 'in'] as const).flatMap((direction) => {
        const part = exposedTo(ledger, category, direction);
        return part.length === 0 ? [] : toFindings(ledger, category, part, direction);
      }),
  };
}

/** What went to or came from a category, without what the sanctions rule already counts. */
export function exposedTo(ledger: Ledger, category: Category, direction: 'in' | 'out'): Movement[] {
  return ledger.movements.filter(
    (movement) =>
      movement.direction === direction &&
      ledger.categoryOf(movement.counterparty) === category &&
      sanctionStanding(ledger, movement) === null,
  );
}

const ILLICIT: readonly Category[] = ['sanctioned', 'darknet', 'drainer', 'scam', 'mixer'];

/** Movements whose other side is of an illicit category, sanctions included. */
export function illicitMovements(ledger: Ledger, direction: 'in' | 'out'): Movement[] {
  return ledger.movements.filter((movement) => {
    if (movement.direction !== direction) return false;
    const category = ledger.categoryOf(movement.counterparty);
    return (category !== null && ILLICIT.includes(category)) || sanctionStanding(ledger, movement) === 'designated';
  });
}

function toFindings(
  ledger: Ledger,
  category: 'darknet' | 'drainer' | 'scam' | 'mixer',
  part: Movement[],
  direction: 'in' | 'out',
): Finding[] {
  const rule = RULES[`${category}_exposure`];
  const flow = shareOfFlow(ledger, part, direction);
  const severity = direction === 'in' ? receivedSeverity(flow, rule) : sentSeverity(flow, rule);
  if (severity === null) return [];
  const variant = direction === 'out' ? 'sent' : severity === 'LOW' ? 'received_dust' : 'received';
  return [{ severity, category, variant, thresholds: rule, measured: shareFigures(flow, part), movements: part }];
}

function sentSeverity(flow: ShareOfFlow, rule: (typeof RULES)['mixer_exposure']): Severity | null {
  const { usd, share, unpricedShare } = flow;
  if (usd >= rule.critical_any_share_from_usd) return 'CRITICAL';
  if (share >= rule.critical_share && usd >= rule.critical_from_usd) return 'CRITICAL';
  return usd >= rule.sent_from_usd || unpricedShare !== null ? 'HIGH' : null;
}
