import { randomUUID } from 'node:crypto';
import { type CaseEvent, type NoteType, textOfEvent } from '../../domain/case.ts';
import { NotFoundError } from '../../errors.ts';
import type { CaseNotesTable } from '../database/case-tables.ts';
import type { Records } from '../database/database.ts';

export type CaseNoteRow = CaseNotesTable;

/** Author of the notes that the service writes by itself. */
const SYSTEM = 'system';

export async function insertNote(records: Records, row: CaseNoteRow): Promise<void> {
  await records.insertInto('case_notes').values(row).execute();
}

/** Writes an event into the timeline: in the name of `author`, else in that of the service. */
export async function insertEventNote(
  records: Records,
  {
    caseId,
    event,
    author = SYSTEM,
    noteType = 'comment',
    now,
  }: { caseId: string; event: CaseEvent; author?: string; noteType?: NoteType; now: number },
): Promise<void> {
  await insertNote(records, {
    id: randomUUID(),
    case_id: caseId,
    content: textOfEvent(event),
    note_type: noteType,
    author,
    created_at: now,
    event: JSON.stringify(event),
  });
}

/** The timeline, oldest first. */
export function listNotes(records: Records, caseId: string): Promise<CaseNoteRow[]> {
  return records
    .selectFrom('case_notes')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Throws NotFoundError. */
export async function deleteNote(records: Records, caseId: string, id: string): Promise<void> {
  const { numDeletedRows } = await records
    .deleteFrom('case_notes')
    .where('id', '=', id)
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new NotFoundError();
}
