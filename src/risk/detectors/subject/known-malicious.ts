import { isValidAt } from '../../../domain/label.ts';
import type { Detector } from '../detector.ts';

/** The subject is a contract known to be malicious in itself. */
export const knownMalicious: Detector = {
  id: 'known_malicious',
  family: 'poisoning_contract',
  detect({ subject, asOf }) {
    const known = subject.labels.find((label) => label.maliciousContract && isValidAt(label, asOf));
    if (!known) return [];
    const { label, source, confidence, category } = known;
    return [{ severity: 'CRITICAL', category, thresholds: {}, measured: { label, source, confidence }, movements: [] }];
  },
};
