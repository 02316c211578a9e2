import type { Category } from '../../../domain/label.ts';
import type { Severity } from '../../detection.ts';
import { tellingLabel } from '../../ledger/ledger.ts';
import type { Detector } from '../detector.ts';

const SEVERITY: Partial<Record<Category, Severity>> = {
  darknet: 'CRITICAL',
  drainer: 'CRITICAL',
  scam: 'CRITICAL',
  mixer: 'HIGH',
};

/** The subject is itself labelled darknet, drainer, scam or mixer; sanctions and malicious code are told apart. */
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
    return [
      { severity, category, thresholds: {}, measured: { category, label: name, source, confidence }, movements: [] },
    ];
  },
};
