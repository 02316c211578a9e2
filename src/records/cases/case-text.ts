import { type ExpressionBuilder, sql } from 'kysely';
import { LimitError } from '../../errors.ts';
import { CASE_LIMITS } from '../../plans.ts';
import type { Records } from '../database/database.ts';
import type { Tables } from '../database/tables/tables.ts';

/** Notes of people, whose number and text are bounded; entries of the service are short and have a bound of their own. */
export function isWrittenByPerson(eb: ExpressionBuilder<Tables, 'case_notes'>) {
  return eb.or([eb('event', 'is', null), eb('note_type', '=', 'decision')]);
}

/**
 * Checks that a case has room for texts in place of `replaced` ones; less text than before always fits. The transaction
 * holds the lock of the case. Throws LimitError.
 */
export async function requireTextRoom(
  records: Records,
  caseId: string,
  texts: readonly (string | null)[],
  replaced: readonly (string | null)[] = [],
): Promise<void> {
  const added = bytesOf(texts) - bytesOf(replaced);
  if (added <= 0) return;
  const held = await countTextBytes(records, caseId);
  if (held + added > CASE_LIMITS.textMib * 2 ** 20)
    throw new LimitError(`${CASE_LIMITS.textMib} MiB of notes in a case`);
}

/** UTF-8 bytes of what people wrote into a case. Both stores know the length of a text without reading it. */
async function countTextBytes(records: Records, caseId: string): Promise<number> {
  const notes = records
    .selectFrom('case_notes')
    .select(sql<number>`sum(octet_length(content) + coalesce(octet_length(event), 0))`.as('bytes'))
    .where('case_id', '=', caseId)
    .where(isWrittenByPerson);
  const addresses = records
    .selectFrom('case_addresses')
    .select(sql<number>`sum(octet_length(investigator_notes) + coalesce(octet_length(label), 0))`.as('bytes'))
    .where('case_id', '=', caseId);
  const judgements = records
    .selectFrom('case_dispositions')
    .select(sql<number>`sum(octet_length(reason))`.as('bytes'))
    .where('case_id', '=', caseId);
  const parts = await Promise.all([notes, addresses, judgements].map((part) => part.executeTakeFirstOrThrow()));
  return parts.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

function bytesOf(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}
