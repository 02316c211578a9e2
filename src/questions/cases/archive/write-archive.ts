import type { GraphContext, RecordsContext } from '../../../context.ts';
import { compare } from '../../../domain/compare.ts';
import { iso } from '../../../domain/time.ts';
import { compareTransfers, type Transfer } from '../../../domain/transfers/transfer.ts';
import { TRANSFER_CSV_COLUMNS } from '../../../domain/transfers/transfer-csv.ts';
import { LimitError } from '../../../errors.ts';
import { csvHeader, csvRows, transferRows } from '../../../exports/csv.ts';
import { writeZip } from '../../../exports/zip.ts';
import { timeSlices } from '../../../fairness/time-slices.ts';
import { newestTransfers, TRANSFERS_MAX } from '../../../graph/queries/read-history.ts';
import { MOST_BOARDS } from '../../../plans.ts';
import type { Actor } from '../../../records/audit/audit-log.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../../records/cases/addresses.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { listDispositions } from '../../../records/cases/dispositions.ts';
import { readEvidence } from '../../../records/cases/evidence.ts';
import { allNotes } from '../../../records/cases/notes.ts';
import { findScans } from '../../../records/scans/scans.ts';
import { listBoardsOfCase } from '../../manage-boards.ts';
import {
  ARCHIVE_FILES,
  ARCHIVE_LIMITS,
  type ArchiveFile,
  type ArchiveLine,
  type archiveShapes,
  MANIFEST,
  newManifest,
} from './archive-files.ts';
import { digestOf, readTransfers } from './read-archive.ts';

const MIB = 2 ** 20;
const ROWS_AT_ONCE = 500;
/** Entries about the case's own archives: they are of this installation. */
const OWN_KINDS = ['case_exported', 'case_imported'];

/** A line as it is written: times as text. */
type Line<Name extends Parameters<typeof ofKind>[0]> = {
  [Field in keyof ArchiveLine<Name>]: Field extends `${string}_at` ? string : ArchiveLine<Name>[Field];
};
const ofKind = (name: keyof ReturnType<typeof archiveShapes>) => name;

/**
 * A case with all that it rests on, as one ZIP that another installation imports: unchanged, the same bytes each time. Of
 * each address the newest scan of the account, and the newest 20,000 transfers that the graph holds. Throws NotFoundError, or
 * LimitError for more than an archive takes.
 */
export async function writeCaseArchive(
  ctx: RecordsContext & GraphContext,
  actor: Actor,
  caseId: string,
): Promise<Buffer> {
  const { records } = ctx;
  const found = await findCase(records, actor.accountId, caseId);
  const addresses = (await listCaseAddresses(records, actor.accountId, caseId)).toSorted(
    (a, b) => a.created_at - b.created_at || compare(`${a.chain}:${a.address}`, `${b.chain}:${b.address}`),
  );
  const { title, description, status, priority, assignee, created_at } = found;
  const opened: Line<'case'> = { title, description, status, priority, assignee, created_at: iso(created_at) };
  const files: Record<ArchiveFile, Buffer> = {
    'case.json': linesOf([opened]),
    'addresses.jsonl': linesOf(addresses.map(addressLine)),
    'notes.jsonl': linesOf(await noteLines(ctx, caseId)),
    'judgements.jsonl': linesOf(await judgementLines(ctx, addresses)),
    'boards.jsonl': await boardLines(ctx, actor, caseId),
    'scans.jsonl': await scanLines(ctx, caseId, addresses),
    'transfers.csv': await transferTable(ctx, caseId, addresses),
  };
  const size = Object.values(files).reduce((sum, { length }) => sum + length, 0);
  if (size > ARCHIVE_LIMITS.unpackedMib * MIB) throw new LimitError(`${ARCHIVE_LIMITS.unpackedMib} MiB in an archive`);
  const named = ARCHIVE_FILES.map(async (name) => {
    return { name, bytes: files[name].length, sha256: await digestOf(files[name]) };
  });
  const manifest = linesOf([newManifest(await Promise.all(named))]);
  const packed = await writeZip({ [MANIFEST]: manifest, ...files });
  if (packed.length > ARCHIVE_LIMITS.packedMib * MIB)
    throw new LimitError(`${ARCHIVE_LIMITS.packedMib} MiB of a packed archive`);
  return packed;
}

function linesOf(lines: readonly object[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function addressLine(row: ScannedCaseAddress): Line<'address'> {
  const { chain, address, role, label, investigator_notes, hop_distance, created_at } = row;
  return { chain, address, role, label, investigator_notes, hop_distance, created_at: iso(created_at) };
}

async function noteLines({ records }: RecordsContext, caseId: string): Promise<Line<'note'>[]> {
  const notes = (await allNotes(records, caseId)).filter(
    ({ event }) => event === null || !OWN_KINDS.includes((JSON.parse(event) as { kind: string }).kind),
  );
  const orderOf = ({ note_type, content, author }: (typeof notes)[number]) => [note_type, content, author].join('\n');
  return notes
    .toSorted((a, b) => a.created_at - b.created_at || compare(orderOf(a), orderOf(b)))
    .map(({ content, note_type, author, event, created_at }) => {
      const by_service = event !== null && note_type !== 'decision';
      return { content, note_type, author, by_service, created_at: iso(created_at) };
    });
}

async function judgementLines(
  { records }: RecordsContext,
  addresses: readonly ScannedCaseAddress[],
): Promise<Line<'judgement'>[]> {
  const byId = new Map(addresses.map((row) => [row.id, row]));
  const rows = await listDispositions(records, [...byId.keys()]);
  const lines = rows.map(({ address_id, detector_id, disposition, reason, author, evidence, created_at }) => {
    const { chain, address } = byId.get(address_id)!;
    const judged = { detector_id, disposition, reason, evidence: JSON.parse(evidence) as string[], author };
    return { chain, address, ...judged, created_at: iso(created_at) };
  });
  return lines.sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)));
}

async function boardLines(ctx: RecordsContext, actor: Actor, caseId: string): Promise<Buffer> {
  const { shown, total } = await listBoardsOfCase(ctx, actor, caseId, MOST_BOARDS);
  if (shown.length < total) throw new LimitError(`${shown.length} boards in an archive`);
  const lines = shown.map(
    ({ title, saved_by: author, created_at, saved_at, scene }): Omit<Line<'board'>, 'scene'> & { scene: unknown } => {
      return { title, author, created_at, saved_at, scene };
    },
  );
  const texts = lines.map((line) => ({ line, text: JSON.stringify(line.scene) }));
  texts.sort(
    (a, b) => compare(a.line.created_at, b.line.created_at) || compare(a.line.title + a.text, b.line.title + b.text),
  );
  return linesOf(texts.map(({ line }) => line));
}

/** The newest scan of each address, and those that came with the case. */
async function scanLines(
  { records }: RecordsContext,
  caseId: string,
  addresses: readonly ScannedCaseAddress[],
): Promise<Buffer> {
  const imported = (await readEvidence(records, caseId, 'scans')).toString().split('\n').filter(Boolean);
  const lines = imported.map((text) => ({ text, ...(JSON.parse(text) as Line<'scan'>) }));
  const ids = addresses.flatMap(({ last_scan_id }) => last_scan_id ?? []);
  const pause = timeSlices();
  let size = 0;
  for await (const scan of findScans(records, ids)) {
    size += scan.result.length;
    if (size > ARCHIVE_LIMITS.unpackedMib * MIB)
      throw new LimitError(`${ARCHIVE_LIMITS.unpackedMib} MiB in an archive`);
    const { chain, address, risk_level, risk_score, rule_set_version, created_at } = scan;
    const line = {
      ...{ chain, address, created_at: iso(created_at), risk_level, risk_score, rule_set_version },
      result: JSON.parse(scan.result) as Record<string, unknown>,
    };
    lines.push({ text: JSON.stringify(line), ...line });
    await pause();
  }
  const orderOf = (line: (typeof lines)[number]) => [line.created_at, line.chain, line.address, line.text].join(' ');
  return Buffer.from(
    lines
      .sort((a, b) => compare(orderOf(a), orderOf(b)))
      .map(({ text }) => `${text}\n`)
      .join(''),
  );
}

/** The transfers of the case's addresses: what the graph holds, and those that came with the case. */
async function transferTable(
  { records, graph, now }: RecordsContext & GraphContext,
  caseId: string,
  addresses: readonly ScannedCaseAddress[],
): Promise<Buffer> {
  const imported = await readEvidence(records, caseId, 'transfers');
  const known = imported.length > 0 ? await readTransfers(imported, now()) : [];
  const byId = new Map<string, Transfer>(known.map((transfer) => [transfer.id, transfer]));
  for (const { chain, address } of addresses) {
    for (const transfer of await newestTransfers(graph, chain, address, TRANSFERS_MAX)) byId.set(transfer.id, transfer);
    if (byId.size > ARCHIVE_LIMITS.transfers)
      throw new LimitError(`${ARCHIVE_LIMITS.transfers} transfers in an archive`);
  }
  return transfersCsv([...byId.values()]);
}

/** A table as `load transfers` reads it. */
export async function transfersCsv(transfers: readonly Transfer[]): Promise<Buffer> {
  const parts = [Buffer.from(csvHeader(TRANSFER_CSV_COLUMNS))];
  const ordered = transfers.toSorted(compareTransfers);
  for await (const rows of transferRows(ordered, ROWS_AT_ONCE)) parts.push(Buffer.from(csvRows(rows)));
  return Buffer.concat(parts);
}
