import { fanOut } from '../detectors/flow/fan-out.ts';
import { rapidDistribution as withinTheHour } from '../detectors/flow/rapid-distribution.ts';
import { type Flag, valueFigures, type Window } from './window.ts';

/**
 * Senders to ten receivers within an hour or to twenty within a day, by the detectors of a scan: HIGH when the money
 * had come in just before. Services and those who pay the same receivers regularly are left out.
 */
export function sweepRapidDistribution(window: Window): Flag[] {
  const senders = new Set(window.valued.map(({ from }) => from));
  return [...senders].flatMap((address): Flag[] => {
    const ledger = window.ledgerOf(address);
    if (ledger.serviceLabel) return [];
    const findings = [withinTheHour, fanOut].flatMap((detector) => detector.detect(ledger));
    const finding = findings.find((one) => !one.suppressedBy);
    if (!finding) return [];
    const { receivers, minutes, usd } = finding.measured;
    return [
      {
        address,
        pattern: 'rapid_distribution',
        severity: finding.severity,
        measured: { receivers: receivers!, minutes: minutes!, ...valueFigures(window, Number(usd)) },
        transfers: finding.movements.map(({ transfer }) => transfer),
      },
    ];
  });
}
