import { describe, detectorName } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import { isValidAt, type Label } from '../../domain/label.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { compareTransfers, type Transfer, transferName } from '../../domain/transfers/transfer.ts';
import type { Detection, DetectionDetails, LabelEvidence, SuppressedDetection } from '../detection.ts';
import { isPassedOn } from '../exposure/share-of-flow.ts';
import { sharesLayer } from '../exposure/shared-layer.ts';
import { taintedShareOf } from '../exposure/taint.ts';
import { effectiveLabel, type Ledger } from '../ledger/ledger.ts';
import { isDepositAddress, serviceTraffic } from '../ledger/payments.ts';
import { EVIDENCE_MAX, type Family, PATTERN_MONEY } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { isOverruled } from './overrides.ts';

/** Result of one detector on a ledger. */
export interface DetectorOutcome {
  detections: Detection[];
  /** Detections that do not count, with the reason. */
  suppressed: SuppressedDetection[];
}

/** Families that the customers of a service set off. */
const BUSY_FAMILIES: readonly Family[] = ['structural', 'behaviour', 'anomaly'];
/** Habits of a business, which excuse nothing where the money is tainted. */
const HABITS: readonly SuppressedDetection['suppressed_by'][] = ['recurring_recipients', 'recurring_business'];
const MANY_PARTIES: readonly string[] = ['fan_in', 'fan_out', 'rapid_distribution', 'high_velocity'];

interface WithParties {
  details: DetectionDetails;
  /** All of them; `details` shows 50 at most. */
  counterparties: string[];
}

/** Runs one detector and separates what counts from what does not; nothing that was found is dropped. */
export function runDetector(ledger: Ledger, detector: Detector, lang: Language): DetectorOutcome {
  const { id } = detector;
  const detections: Detection[] = [];
  const suppressed: SuppressedDetection[] = [];
  for (const finding of detector.detect(ledger)) {
    const { severity } = finding;
    const { details, counterparties } = toDetails(ledger, detector, finding);
    const reason = suppressionOf(ledger, detector, finding, { details, counterparties });
    if (reason === null) {
      detections.push({ detector_id: id, ...describe({ detector_id: id, details }, lang), severity, details });
    } else {
      const detector_name = detectorName(id, lang);
      suppressed.push({ detector_id: id, detector_name, severity, suppressed_by: reason, details });
    }
  }
  return { detections, suppressed };
}

/** Findings of a detector that count, by the same guards. */
export function countedFindings(ledger: Ledger, detector: Detector): Finding[] {
  const counts = (finding: Finding) =>
    suppressionOf(ledger, detector, finding, toDetails(ledger, detector, finding)) === null;
  return detector.detect(ledger).filter(counts);
}

function suppressionOf(
  ledger: Ledger,
  detector: Detector,
  finding: Finding,
  { details, counterparties }: WithParties,
): SuppressedDetection['suppressed_by'] | null {
  const isTainted = (details.tainted_share ?? 0) >= PATTERN_MONEY.tainted_share || sharesLayer(ledger);
  const { suppressedBy } = finding;
  const isOverridden =
    suppressedBy !== undefined &&
    (suppressedBy === 'kept' ? (details.tainted_share ?? 0) > 0 : isTainted && HABITS.includes(suppressedBy));
  if (suppressedBy && !isOverridden) return suppressedBy;
  if (detector.exemptService && ledger.serviceLabel) return 'service_label';
  if (!isTainted && isServiceTraffic(ledger, detector)) return 'service_like';
  if (detector.family === 'structural' && !isTainted && isDepositAddress(ledger)) return 'deposit_address';
  if (detector.exemptContract && ['contract', 'program'].includes(ledger.subject.addressType))
    return 'contract_address';
  // The money of many payers only passes.
  if (detector.id === 'pass_through' && !isTainted && isPassedOn(ledger, finding.movements)) return 'contract_address';
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

/** Returns true for what is normal for many customers. */
function isServiceTraffic(ledger: Ledger, { id, family }: Detector): boolean {
  const traffic = serviceTraffic(ledger);
  if (traffic === null) return false;
  return traffic === 'service_like' ? BUSY_FAMILIES.includes(family) : MANY_PARTIES.includes(id);
}

/** Of more evidence than fits the most valuable is kept. */
function toDetails(ledger: Ledger, { family }: Detector, finding: Finding): WithParties {
  const transfers = [
    ...new Set([...finding.movements.map((movement) => movement.transfer), ...(finding.transfers ?? [])]),
  ].sort(compareTransfers);
  const shown = mostValuable(transfers).map(transferName);
  const evidence = finding.elsewhere?.evidence ?? shown;
  const counterparties = finding.elsewhere?.counterparties ?? othersOf(ledger, transfers);
  const ways = finding.elsewhere?.ways ?? [];
  const taintedShare = family === 'structural' ? taintedShareOf(ledger, finding.movements) : 0;
  // Without a transfer, a category can only be the subject's own.
  const own = finding.category !== undefined && evidence.length === 0 ? [ledger.subject.address] : [];
  const [first, last] = [transfers[0], transfers.at(-1)];
  const span = finding.elsewhere?.span ?? (first && last ? { from: first.at, to: last.at } : null);
  const details: DetectionDetails = {
    ...(finding.category === undefined ? {} : { category: finding.category }),
    ...(finding.role === undefined ? {} : { role: finding.role }),
    ...(taintedShare > 0 ? { tainted_share: taintedShare } : {}),
    ...(finding.variant === undefined ? {} : { variant: finding.variant }),
    window: span && { from: iso(span.from), to: iso(span.to) },
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

/** The other sides, those of the most value first. */
function othersOf({ subject }: Ledger, transfers: readonly Transfer[]): string[] {
  const usdOf = new Map<string, number>();
  for (const { from, to, usd } of transfers) {
    const other = from === subject.address ? to : from;
    usdOf.set(other, (usdOf.get(other) ?? 0) + (usd ?? 0));
  }
  return [...usdOf].sort(([, a], [, b]) => b - a).map(([address]) => address);
}

function mostValuable(transfers: Transfer[]): Transfer[] {
  if (transfers.length <= EVIDENCE_MAX) return transfers;
  const byValue = [...transfers].sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || compareTransfers(a, b));
  return byValue.slice(0, EVIDENCE_MAX).sort(compareTransfers);
}

/**
 * Returns what labels say of these addresses, for a reader who asks where it is written: sanctions, ended ones too, and the
 * label that says what an address is.
 */
function labelEvidence(ledger: Ledger, addresses: readonly string[]): LabelEvidence[] {
  return [...new Set(addresses)].flatMap((address) => {
    const labels = address === ledger.subject.address ? ledger.subject.labels : ledger.labelsOf(address);
    const known = labels.filter(({ validFrom }) => validFrom === null || validFrom <= ledger.asOf);
    const telling = effectiveLabel(known, ledger.asOf);
    return known.filter((label) => label === telling || isListing(label, ledger.asOf)).map(toEvidence(address));
  });
}

function isListing(label: Label, asOf: number): boolean {
  return label.category === 'sanctioned' || (label.maliciousContract && isValidAt(label, asOf));
}

function toEvidence(address: string) {
  return ({ category, label, source, confidence, validFrom, validTo }: Label): LabelEvidence => ({
    address,
    category,
    label,
    source,
    confidence,
    valid_from: isoOrNull(validFrom),
    valid_to: isoOrNull(validTo),
  });
}
