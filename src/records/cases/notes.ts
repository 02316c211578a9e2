import { randomUUID } from 'node:crypto';
import { type CaseEvent, type NoteType, textOfEvent } from '../../domain/case.ts';
import { ForbiddenError, LimitError, NotFoundError } from '../../errors.ts';
import { CASE_LIMITS } from '../../plans.ts';
import { authorName } from '../accounts/people.ts';
import type { Records } from '../database/database.ts';
import type { CaseNoteRow } from '../database/tables/cases.ts';
import { isWrittenByPerson, requireTextRoom } from './case-text.ts';

/** The mark that a deleted note leaves, as `deleteNoteRow` writes it. */
const DELETED = '{"kind":"note_deleted",%';

/** Adds what a person wrote. The transaction holds the lock of the case. Throws LimitError. */
export async function insertNote(records: Records, row: CaseNoteRow): Promise<void> {
  const count = records
    .selectFrom('case_notes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('case_id', '=', row.case_id);
  const { count: written } = await count.where(isWrittenByPerson).executeTakeFirstOrThrow();
  const { count: deleted } = await count.where('event', 'like', DELETED).executeTakeFirstOrThrow();
  if (Number(written) >= CASE_LIMITS.notes) throw new LimitError(`${CASE_LIMITS.notes} notes in a case`);
  if (Number(written) + Number(deleted) >= CASE_LIMITS.notesWithDeleted)
    throw new LimitError(`${CASE_LIMITS.notesWithDeleted} notes in a case, deleted ones too`);
  await requireTextRoom(records, row.case_id, [row.content, row.event]);
  await records.insertInto('case_notes').values(row).execute();
}

/** Throws LimitError where the timeline has no room for another entry of the service. */
export async function requireEntryRoom(records: Records, caseId: string): Promise<void> {
  const { count } = await records
    .selectFrom('case_notes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('case_id', '=', caseId)
    .where((eb) => eb.not(isWrittenByPerson(eb)))
    .where('event', 'not like', DELETED)
    .executeTakeFirstOrThrow();
  if (Number(count) >= CASE_LIMITS.entries)
    throw new LimitError(`${CASE_LIMITS.entries} entries of the service in a case`);
}

/**
 * Writes an event into the timeline, in the name of the key that caused it, or of the operator for null. A decision is a
 * person's note. Throws LimitError in a full case.
 */
export async function insertEventNote(
  records: Records,
  {
    caseId,
    event,
    keyId,
    noteType = 'comment',
    now,
  }: { caseId: string; event: CaseEvent; keyId: string | null; noteType?: NoteType; now: number },
): Promise<void> {
  const row: CaseNoteRow = {
    id: randomUUID(),
    case_id: caseId,
    content: textOfEvent(event),
    note_type: noteType,
    author: await authorName(records, keyId),
    created_at: now,
    event: JSON.stringify(event),
  };
  if (noteType === 'decision') await insertNote(records, row);
  else {
    await requireEntryRoom(records, caseId);
    await records.insertInto('case_notes').values(row).execute();
  }
}

/** One page of the timeline, newest first. */
export function listNotes(
  records: Records,
  caseId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<CaseNoteRow[]> {
  return records
    .selectFrom('case_notes')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The whole timeline, in no order. */
export function allNotes(records: Records, caseId: string): Promise<CaseNoteRow[]> {
  return records.selectFrom('case_notes').selectAll().where('case_id', '=', caseId).execute();
}

/** All entries of the timeline, those of the service too. */
export async function countNotes(records: Records, caseId: string): Promise<number> {
  const { count } = await records
    .selectFrom('case_notes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Takes the text of what a person wrote; that it was there, and who deleted it, stays. Throws NotFoundError, or
 * ForbiddenError for an entry of the service.
 */
export async function deleteNoteRow(records: Records, caseId: string, id: string, by: string): Promise<void> {
  const event: CaseEvent = { kind: 'note_deleted', by };
  const { numUpdatedRows } = await records
    .updateTable('case_notes')
    .set({ content: textOfEvent(event), event: JSON.stringify(event), note_type: 'comment' })
    .where('id', '=', id)
    .where('case_id', '=', caseId)
    .where(isWrittenByPerson)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  const kept = records.selectFrom('case_notes').select('event').where('id', '=', id).where('case_id', '=', caseId);
  const { event: written = null } = (await kept.executeTakeFirst()) ?? {};
  const isDeleted = written !== null && (JSON.parse(written) as CaseEvent).kind === 'note_deleted';
  if (written !== null && !isDeleted) throw new ForbiddenError('System entries cannot be deleted');
  throw new NotFoundError();
}
