import { type AddressKey, addressKey } from '../../../domain/address/address-key.ts';
import type { ScannedCaseAddress } from '../../../records/cases/addresses.ts';

/** Subjects of a case that are followed together. */
export const CASE_SUBJECTS_MAX = 100;

type CaseAddress = Pick<ScannedCaseAddress, 'chain' | 'address' | 'role'>;

/** Returns the graph keys of the victims that a case names. */
export function victimKeys(addresses: readonly CaseAddress[]): ReadonlySet<AddressKey> {
  const victims = addresses.filter(({ role }) => role === 'victim');
  return new Set(victims.map(({ chain, address }) => addressKey(chain, address)));
}

/** Returns the graph keys of the subjects of a case that are followed, and how many it has. */
export function subjectKeys(addresses: readonly CaseAddress[]): {
  keys: AddressKey[];
  count: number;
} {
  const subjects = addresses.filter(({ role }) => role === 'subject');
  const keys = subjects.slice(0, CASE_SUBJECTS_MAX).map(({ chain, address }) => addressKey(chain, address));
  return { keys, count: subjects.length };
}
