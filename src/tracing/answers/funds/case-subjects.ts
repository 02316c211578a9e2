import { type AddressKey, addressKey } from '../../../domain/address/address-key.ts';
import type { ScannedCaseAddress } from '../../../records/cases/addresses.ts';

/** Subjects of a case that are followed together. */
export const CASE_SUBJECTS_MAX = 100;

/** Returns the graph keys of the subjects of a case that are followed, and how many it has. */
export function subjectKeys(addresses: readonly Pick<ScannedCaseAddress, 'chain' | 'address' | 'role'>[]): {
  keys: AddressKey[];
  count: number;
} {
  const subjects = addresses.filter(({ role }) => role === 'subject');
  const keys = subjects.slice(0, CASE_SUBJECTS_MAX).map(({ chain, address }) => addressKey(chain, address));
  return { keys, count: subjects.length };
}
