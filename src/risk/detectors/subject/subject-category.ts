import type { Category } from '../../../domain/label.ts';
import type { Severity } from '../../detection.ts';
import { tellingLabel } from '../../ledger/ledger.ts';
import { REPORTED } from '../../rules.ts';
import { oneLower } from '../../severity.ts';
import type { Detector } from '../detector.ts';

const SEVERITY: Partial<Record<Category, Severity>> = {
  terrorism: 'CRITICAL',
  darknet: 'CRITICAL',
  child_abuse: 'CRITICAL',
  drainer: 'CRITICAL',
  theft: 'CRITICAL',
  ransomware: 'CRITICAL',
  scam: 'CRITICAL',
  mixer: 'HIGH',
  high_risk_exchange: 'HIGH',
};

/** The subject itself bears an adverse label; sanctions and malicious code have detectors of their own. */
export const subjectCategory: Detector = {
  id: 'subject_category',
  family: 'illicit_exposure',
  detect({ subject, asOf }) {
    const label = tellingLabel(
      subject.labels.filter((candidate) => candidate.category !== 'sanctioned'),
      asOf,
    );
    const severity = label ? SEVERITY[label.category] : undefined;
    if (!label || !severity) return [];
    const { label: name, category, source, confidence } = label;
    const isReport = confidence < REPORTED.confidence_below;
    return [
      {
        severity: isReport ? oneLower(severity) : severity,
        category,
        variant: isReport ? 'reported' : 'listed',
        thresholds: { confidence_below: REPORTED.confidence_below },
        measured: { category, label: name, source, confidence },
        movements: [],
      },
    ];
  },
};
