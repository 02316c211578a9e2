import type { RecordsContext } from '../../../context.ts';
import { SCENE_BYTES_MAX } from '../../../domain/scene/bounds.ts';
import { iso } from '../../../domain/time.ts';
import { InvalidInputError, LimitError, NotFoundError } from '../../../errors.ts';
import { uuid5 } from '../../../exports/uuid5.ts';
import { CASE_LIMITS, type Plan } from '../../../plans.ts';
import { withinStorage } from '../../../records/accounts/accounts.ts';
import { type Actor, insertAudit } from '../../../records/audit/audit-log.ts';
import { insertVersion, packScene } from '../../../records/board-versions.ts';
import { insertBoard } from '../../../records/boards.ts';
import { findCase, insertCase } from '../../../records/cases/cases.ts';
import { insertEvidence, packEvidence } from '../../../records/cases/evidence.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';
import { chunksOf, type Records } from '../../../records/database/database.ts';
import { type CaseRecord, caseRecord } from '../case-records.ts';
import { type ArchiveLine, importedAuthor } from './archive-files.ts';
import { type CaseArchive, readCaseArchive } from './read-archive.ts';
import { transfersCsv } from './write-archive.ts';

/**
 * Imports a case of another installation into the account, whole or not at all; the same archive again changes nothing. Its
 * scans and transfers stay with the case: no level and no other account rests on them. Throws InvalidInputError for an archive
 * that is not as this service writes it, LimitError or PlanLimitError.
 */
export async function importCase(ctx: RecordsContext, { plan, ...actor }: Actor & { plan: Plan }, packed: Uint8Array) {
  const { accountId } = actor;
  const now = ctx.now();
  const archive = await readCaseArchive(packed, now);
  const { digest } = archive;
  const caseId = uuid5('imported case', accountId, digest);
  const known = await findKnown(ctx.records, accountId, caseId);
  if (known) return { case: known, imported: false, digest };
  requireRoom(archive);
  const files = await packFiles(archive);
  const boards = await Promise.all(archive.boards.map(packBoard));
  return withinStorage(ctx.records, accountId, async (records) => {
    const found = await findKnown(records, accountId, caseId);
    if (found) return { case: found, imported: false, digest };
    await insertCase(records, { ...archive.case, id: caseId, account_id: accountId, updated_at: now, legal_hold: 0 });
    await insertLines(records, caseId, archive);
    for (const [nth, { row, ...version }] of boards.entries()) {
      const id = uuid5('imported board', caseId, String(nth));
      const { title, author, created_at, saved_at } = row;
      const board = { id, account_id: accountId, case_id: caseId, title, version: 1, created_at };
      await insertBoard(records, board, plan.boards);
      const saved = { account_id: accountId, title, author: importedAuthor(author), saved_at };
      await insertVersion(records, { board_id: id, version: 1, ...saved, ...version });
    }
    for (const file of files) await insertEvidence(records, { case_id: caseId, ...file });
    const counts = {
      addresses: archive.addresses.length,
      scans: archive.scans.length,
      transfers: archive.transfers.length,
    };
    const event = { kind: 'case_imported', ...counts, digest } as const;
    await insertEventNote(records, { caseId, event, keyId: actor.keyId, now });
    const entry = { caseId, action: 'case_imported', subject: archive.case.title, detail: digest } as const;
    await insertAudit(records, { ...actor, ...entry }, now);
    return { case: caseRecord(await findCase(records, accountId, caseId)), imported: true, digest };
  });
}

async function findKnown(records: Records, accountId: string, caseId: string): Promise<CaseRecord | null> {
  try {
    return caseRecord(await findCase(records, accountId, caseId));
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Throws LimitError for more than a case may hold. */
function requireRoom({ addresses, notes, judgements }: CaseArchive): void {
  const written = notes.filter(({ by_service }) => !by_service);
  if (written.length > CASE_LIMITS.notes) throw new LimitError(`${CASE_LIMITS.notes} notes in a case`);
  // One more says that the case was imported.
  if (notes.length - written.length >= CASE_LIMITS.entries)
    throw new LimitError(`${CASE_LIMITS.entries} entries of the service in a case`);
  const texts = [
    ...written.map(({ content }) => content),
    ...addresses.flatMap(({ label, investigator_notes }) => [label ?? '', investigator_notes]),
    ...judgements.map(({ reason }) => reason),
  ];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > CASE_LIMITS.textMib * 2 ** 20) throw new LimitError(`${CASE_LIMITS.textMib} MiB of notes in a case`);
}

async function insertLines(
  records: Records,
  caseId: string,
  { addresses, notes, judgements }: CaseArchive,
): Promise<void> {
  const idOf = ({ chain, address }: Pick<ArchiveLine<'address'>, 'chain' | 'address'>) =>
    uuid5('imported address', caseId, chain, address);
  const addressRows = addresses.map((line) => ({ ...line, id: idOf(line), case_id: caseId }));
  for (const rows of chunksOf(addressRows)) await records.insertInto('case_addresses').values(rows).execute();
  const noteRows = notes.map(({ by_service, author, ...line }, nth) => ({
    ...line,
    id: uuid5('imported note', caseId, String(nth)),
    case_id: caseId,
    author: importedAuthor(author),
    event: by_service ? JSON.stringify({ kind: 'entry_imported', text: line.content }) : null,
  }));
  for (const rows of chunksOf(noteRows)) await records.insertInto('case_notes').values(rows).execute();
  const judgementRows = judgements.map(({ chain, address, author, evidence, ...line }) => ({
    ...line,
    case_id: caseId,
    address_id: idOf({ chain, address }),
    author: importedAuthor(author),
    evidence: JSON.stringify(evidence),
    imported: 1,
  }));
  for (const rows of chunksOf(judgementRows)) await records.insertInto('case_dispositions').values(rows).execute();
}

/** The files that stay with the case, written from what was read of them. */
async function packFiles({ scans, transfers }: CaseArchive) {
  const lines = scans.map((scan) => `${JSON.stringify({ ...scan, created_at: iso(scan.created_at) })}\n`);
  const files = [
    { kind: 'scans', file: Buffer.from(lines.join('')) },
    { kind: 'transfers', file: transfers.length === 0 ? Buffer.alloc(0) : await transfersCsv(transfers) },
  ] as const;
  const kept = files.filter(({ file }) => file.length > 0);
  return Promise.all(kept.map(async ({ kind, file }) => ({ kind, content: await packEvidence(file) })));
}

async function packBoard(row: ArchiveLine<'board'>) {
  const json = Buffer.from(JSON.stringify(row.scene));
  if (json.length > SCENE_BYTES_MAX) {
    throw new InvalidInputError(
      `The archive cannot be imported: boards.jsonl: a scene is larger than ${SCENE_BYTES_MAX / 2 ** 20} MiB`,
    );
  }
  return { row, scene: await packScene(json), nodes: row.scene.nodes.length };
}
