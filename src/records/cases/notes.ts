import { randomUUID } from 'node:crypto';
import { NotFoundError } from '../../errors.ts';
import type { CaseNotesTable } from '../database/case-tables.ts';
import type { Records } from '../database/database.ts';

export type CaseNoteRow = CaseNotesTable;

/** Author of the notes that the service writes by itself. */
const SYSTEM = 'system';

export async function insertNote(records: Records, row: CaseNoteRow): Promise<void> {
  await records.insertInto('case_notes').values(row).execute();
}

/** Writes what the service itself has to say into the timeline. */
export async function insertSystemNote(
  records: Records,
  { caseId, content, now }: { caseId: string; content: string; now: number },
): Promise<void> {
  await insertNote(records, {
    id: randomUUID(),
    case_id: caseId,
    content,
    note_type: 'comment',
    author: SYSTEM,
    created_at: now,
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
