import { hash, randomBytes, scryptSync } from 'node:crypto';
import { storableText } from '../../domain/text/storable.ts';
import type { AuditColumns } from '../database/tables/events.ts';

/** The chain of what concerns no single account. */
export const OPERATOR_CHAIN = 'operator';

/** Before the first entry. */
export const FIRST_HASH = '';

const TEXT_LENGTH_MAX = 500;

export interface UnhashedEntry extends AuditColumns {
  /** Entries from before there were people have none. */
  person_id?: string | null;
}

/** The hash of an entry in hex, given that of the entry before it. */
export function hashEntry(previous: string, entry: UnhashedEntry): string {
  const { chain, seq, at, key_id, actor, ip, action, subject, detail, case_id, outcome, person_id } = entry;
  const values = [previous, chain, seq, at, key_id, actor, ip, action, subject, detail, case_id, outcome];
  if (person_id) values.push(person_id);
  return hash('sha256', JSON.stringify(values));
}

const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/**
 * Names what was deleted for those alone who know it: `scrypt:<salt>:<hash>`, both base64url, by scrypt with N 16384, r 8, p 1.
 */
export function saltedHash(text: string): string {
  const salt = randomBytes(SALT_BYTES);
  return ['scrypt', salt.toString('base64url'), scryptSync(text, salt, DIGEST_BYTES).toString('base64url')].join(':');
}

/** Text as every store gives it back, so that its hash stays true. */
export function auditText(text: string): string {
  return storableText(text.slice(0, TEXT_LENGTH_MAX));
}
