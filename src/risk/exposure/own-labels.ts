import { type Category, isSure, isValidAt, listedElsewhere, sureFrom } from '../../domain/label.ts';
import { isoOrNull } from '../../domain/time.ts';
import { statesFreezes } from '../../domain/tokens/issuer-freeze.ts';
import { oneLower, SEVERITIES, type Severity } from '../detection.ts';
import { effectiveLabel } from '../ledger/ledger.ts';
import type { Detector, Flag, Window } from '../views/detector.ts';

/** The subject is on a sanctions list, or was. */
export const sanctionsSelf: Detector = {
  id: 'sanctions_self',
  family: 'sanctions',
  indicator: 'parties',
  detect({ subject, asOf }) {
    const labels = subject.labels.filter(
      (label) => label.category === 'sanctioned' && (label.validFrom === null || label.validFrom <= asOf),
    );
    const label = labels.find((candidate) => isValidAt(candidate, asOf)) ?? labels[0];
    if (!label) return [];
    const listed = isValidAt(label, asOf);
    const isReport = !isSure(label);
    return [
      {
        severity: !listed ? 'LOW' : isReport ? 'HIGH' : 'CRITICAL',
        variant: !listed ? 'delisted' : isReport ? 'reported' : 'listed',
        category: 'sanctioned',
        thresholds: { confidence_below: sureFrom(label.source) },
        measured: {
          label: label.label,
          source: label.source,
          confidence: label.confidence,
          listed_on: listedElsewhere(label, subject),
          designated_at: isoOrNull(label.validFrom),
          delisted_at: isoOrNull(label.validTo),
        },
        movements: [],
      },
    ];
  },
};

const SEVERITY: Partial<Record<Category, Severity>> = {
  terrorism: 'CRITICAL',
  darknet: 'CRITICAL',
  child_abuse: 'CRITICAL',
  drainer: 'CRITICAL',
  theft: 'CRITICAL',
  ransomware: 'CRITICAL',
  scam: 'CRITICAL',
  mixer: 'CRITICAL',
  high_risk_exchange: 'HIGH',
};

/** The subject itself bears an adverse label; sanctions and malicious code have detectors of their own. */
export const subjectCategory: Detector = {
  id: 'subject_category',
  family: 'illicit_exposure',
  indicator: 'parties',
  detect({ subject, asOf }) {
    const label = effectiveLabel(
      subject.labels.filter((candidate) => candidate.category !== 'sanctioned'),
      asOf,
    );
    const severity = label ? SEVERITY[label.category] : undefined;
    if (!label || !severity) return [];
    const { label: name, category, source, confidence } = label;
    const isReport = !isSure(label);
    return [
      {
        severity: isReport ? oneLower(severity) : severity,
        category,
        variant: !isReport ? 'listed' : statesFreezes(source) ? 'frozen' : 'reported',
        thresholds: { confidence_below: sureFrom(source) },
        measured: { category, label: name, source, confidence, listed_on: listedElsewhere(label, subject) },
        movements: [],
      },
    ];
  },
};

/** The subject is a contract known to be malicious in itself. */
export const knownMalicious: Detector = {
  id: 'known_malicious',
  family: 'poisoning_contract',
  indicator: 'parties',
  inWindow: knownMaliciousInWindow,
  detect({ subject, asOf }) {
    const named = subject.labels.filter((label) => label.maliciousContract && isValidAt(label, asOf));
    const known = named.find(isSure) ?? named[0];
    if (!known) return [];
    const { label, source, confidence, category } = known;
    return [
      {
        severity: isSure(known) ? 'CRITICAL' : 'HIGH',
        category,
        ...(isSure(known) ? {} : { variant: 'reported' }),
        thresholds: { confidence_below: sureFrom(source) },
        measured: { label, source, confidence },
        movements: [],
      },
    ];
  },
};

/** Parties whose own labels a scan would name, by the gravest of them; not those that were delisted. */
function knownMaliciousInWindow({ transfers, findingsOf }: Window): Flag[] {
  const parties = [...new Set(transfers.flatMap(({ from, to }) => [from, to]))];
  return parties.flatMap((address): Flag[] => {
    const [worst] = [sanctionsSelf, knownMalicious, subjectCategory]
      .flatMap((detector) => findingsOf(address, detector))
      .filter(({ variant }) => variant !== 'delisted')
      .sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
    if (!worst) return [];
    const { severity, category, variant, measured } = worst;
    return [
      {
        address,
        pattern: 'known_malicious',
        severity,
        ...(variant === 'reported' || variant === 'frozen' ? { variant: 'reported' } : {}),
        measured: { label: measured.label!, category: category!, source: measured.source! },
        transfers: transfers.filter(({ from, to }) => from === address || to === address),
      },
    ];
  });
}
