import { randomUUID } from 'node:crypto';
import type { RecordsContext } from '../../context.ts';
import { NOTE_TYPES, type NoteType } from '../../domain/case.ts';
import { InvalidInputError } from '../../errors.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { lockCase, refuseOnHold } from '../../records/cases/cases.ts';
import * as notes from '../../records/cases/notes.ts';
import type { CaseNoteRow } from '../../records/database/tables/cases.ts';
import { type CaseNoteRecord, noteRecord } from './case-records.ts';

/**
 * Adds to the timeline in the name of the key. Throws NotFoundError, InvalidInputError for a wrong
 * type, or LimitError.
 */
export async function addNote(
  ctx: RecordsContext,
  tenant: Tenant,
  caseId: string,
  given: { content: string; note_type?: string },
): Promise<CaseNoteRecord> {
  const now = ctx.now();
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    const row: CaseNoteRow = {
      id: randomUUID(),
      case_id: caseId,
      content: given.content,
      note_type: parseNoteType(given.note_type ?? 'comment'),
      author: await authorName(records, tenant.keyId),
      created_at: now,
      event: null,
    };
    await notes.insertNote(records, row);
    const entry = { action: 'note_added', subject: row.id, detail: row.note_type } as const;
    await insertAudit(records, { ...tenant, caseId, ...entry }, now);
    return noteRecord(row);
  });
}

/** Leaves a mark of who deleted it. Throws NotFoundError, ForbiddenError for an entry of the service, HeldError. */
export async function deleteNote(
  ctx: RecordsContext,
  tenant: Tenant,
  { caseId, noteId }: { caseId: string; noteId: string },
): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    refuseOnHold(await lockCase(records, tenant.accountId, caseId, now));
    await notes.deleteNoteRow(records, caseId, noteId, await authorName(records, tenant.keyId));
    await insertAudit(records, { ...tenant, caseId, action: 'note_deleted', subject: noteId }, now);
  });
}

function parseNoteType(value: string): NoteType {
  const type = NOTE_TYPES.find((known) => known === value);
  if (!type) throw new InvalidInputError(`Invalid note type: ${value}`);
  return type;
}
