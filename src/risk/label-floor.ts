import { isAdverseCategory, isSure, isValidAt, type Label } from '../domain/label.ts';
import { FLOOR, MALICIOUS_CONTRACT_FLOOR, REPORTED } from './rules.ts';

/** The least score that a label commands for its address, 0-100; 0 for none. An unsure label counts as a report. */
export function labelFloor(label: Label): number {
  const { category, maliciousContract } = label;
  const floor = Math.max(FLOOR[category] ?? 0, maliciousContract ? MALICIOUS_CONTRACT_FLOOR : 0);
  return isSure(label) ? floor : Math.min(floor, REPORTED.floor);
}

export function isAdverse(label: Label, asOf: number): boolean {
  return isValidAt(label, asOf) && (label.maliciousContract || isAdverseCategory(label.category));
}
