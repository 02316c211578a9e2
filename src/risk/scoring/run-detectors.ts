import { isValidAt } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import {
  type Detection,
  type DetectionDetails,
  type Lang,
  SEVERITIES,
  type SuppressedDetection,
} from '../detection.ts';
import type { Detector, Finding } from '../detectors/detector.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { EVIDENCE_MAX } from '../rules.ts';
import { describe } from '../texts/texts.ts';
import { DETECTORS } from './detectors.ts';
import { labelEvidence } from './label-evidence.ts';
import { isOverruled } from './overrides.ts';
import type { Scored } from './score.ts';

interface Outcome {
  /** Gravest first. */
  detections: Detection[];
  suppressed: SuppressedDetection[];
  scored: Scored[];
}

/** Runs every detector; what counts and what does not are told apart, nothing that was found is dropped. */
export function runDetectors(ledger: Ledger, lang: Lang): Outcome {
  const found: { detector: Detector; finding: Finding; details: DetectionDetails }[] = [];
  const suppressed: SuppressedDetection[] = [];
  for (const detector of DETECTORS) {
    for (const finding of detector.detect(ledger)) {
      const { details, counterparties } = toDetails(ledger, finding);
      const reason = suppressionOf(ledger, detector, finding, counterparties);
      if (reason === null) found.push({ detector, finding, details });
      else suppressed.push({ detector_id: detector.id, severity: finding.severity, suppressed_by: reason, details });
    }
  }
  found.sort((a, b) => SEVERITIES.indexOf(b.finding.severity) - SEVERITIES.indexOf(a.finding.severity));
  return {
    detections: found.map(({ detector: { id }, finding: { severity }, details }) => ({
      detector_id: id,
      ...describe({ detector_id: id, severity, details }, lang),
      severity,
      details,
    })),
    suppressed,
    scored: found.map(({ detector: { id, family }, finding: { severity } }) => ({
      detector_id: id,
      family,
      severity,
    })),
  };
}

function suppressionOf(
  ledger: Ledger,
  detector: Detector,
  finding: Finding,
  counterparties: readonly string[],
): SuppressedDetection['suppressed_by'] | null {
  if (finding.suppressedBy) return finding.suppressedBy;
  if (detector.exemptService && ledger.serviceLabel) return 'service_label';
  if (detector.exemptContract && ['contract', 'program'].includes(ledger.subject.addressType))
    return 'contract_address';
  if (detector.needsFullHistory && !ledger.complete) return 'partial_history';
  const trusted = (address: string) =>
    ledger
      .labelsOf(address)
      .some(
        ({ category, ...label }) =>
          ['self', 'whitelist'].includes(category) && isValidAt({ category, ...label }, ledger.asOf),
      );
  return isOverruled(detector.id, counterparties, trusted) ? 'whitelist' : null;
}

/** Of more evidence than fits the most valuable is kept. */
function toDetails(ledger: Ledger, finding: Finding): { details: DetectionDetails; counterparties: string[] } {
  const transfers = [
    ...new Set([...finding.movements.map((movement) => movement.transfer), ...(finding.transfers ?? [])]),
  ].sort(compareTransfers);
  const shown = mostValuable(transfers).map(({ txHash, index }) => `${txHash}#${index}`);
  const others = transfers.map(({ from, to }) => (from === ledger.subject.address ? to : from));
  const evidence = finding.elsewhere?.evidence ?? shown;
  const counterparties = finding.elsewhere?.counterparties ?? [...new Set(others)];
  const ways = finding.elsewhere?.ways ?? [];
  // Without a transfer, a category can only be the subject's own.
  const own = finding.category !== undefined && evidence.length === 0 ? [ledger.subject.address] : [];
  const [first, last] = [transfers[0], transfers.at(-1)];
  const details: DetectionDetails = {
    ...(finding.category === undefined ? {} : { category: finding.category }),
    ...(finding.variant === undefined ? {} : { variant: finding.variant }),
    window: first && last ? { from: iso(first.at), to: iso(last.at) } : null,
    thresholds: finding.thresholds,
    measured: finding.measured,
    evidence: evidence.slice(0, EVIDENCE_MAX),
    counterparties: counterparties.slice(0, EVIDENCE_MAX),
    counterparty_count: counterparties.length,
    labels: labelEvidence(ledger, [
      ...own,
      ...counterparties.slice(0, EVIDENCE_MAX),
      ...ways.map((way) => way.address),
    ]),
    ...(ways.length === 0 ? {} : { ways }),
    truncated: Math.max(transfers.length, evidence.length, counterparties.length) > EVIDENCE_MAX,
    coverage: ledger.complete ? 'complete' : 'partial',
  };
  return { details, counterparties };
}

function mostValuable(transfers: Transfer[]): Transfer[] {
  if (transfers.length <= EVIDENCE_MAX) return transfers;
  const byValue = [...transfers].sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || compareTransfers(a, b));
  return byValue.slice(0, EVIDENCE_MAX).sort(compareTransfers);
}
