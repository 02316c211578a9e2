import { createHash, hash } from 'node:crypto';
import type { z } from 'zod';
import { newTally } from '../../../../graph-loaders/reading/tally.ts';
import { WrongFormatError } from '../../../../graph-loaders/reading/wrong-format.ts';
import { transfersLoader } from '../../../../graph-loaders/transfers/transfers.ts';
import { storableText } from '../../../domain/text/storable.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { InvalidInputError } from '../../../errors.ts';
import { readZip, ZipError } from '../../../exports/zip.ts';
import { timeSlices } from '../../../fairness/time-slices.ts';
import { CASE_LIMITS, MOST_BOARDS } from '../../../plans.ts';
import {
  ARCHIVE_FILES,
  ARCHIVE_LIMITS,
  type ArchiveFile,
  type ArchiveLine,
  archiveShapes,
  MANIFEST,
  manifestSchema,
} from './archive-files.ts';

/** All that an archive of a case holds, checked. */
export interface CaseArchive {
  /** SHA-256 of its manifest, which names the digest of each file: the same archive has the same. */
  digest: string;
  case: ArchiveLine<'case'>;
  addresses: ArchiveLine<'address'>[];
  notes: ArchiveLine<'note'>[];
  judgements: ArchiveLine<'judgement'>[];
  boards: ArchiveLine<'board'>[];
  scans: ArchiveLine<'scan'>[];
  transfers: Transfer[];
}

const MIB = 2 ** 20;
const SLICE_BYTES = MIB;

/** Reads an archive that others may have made. Throws InvalidInputError for anything that is not as this service writes it. */
export async function readCaseArchive(packed: Uint8Array, now: number): Promise<CaseArchive> {
  const files = await unpackFiles(packed);
  const digest = await checkManifest(files);
  const shapes = archiveShapes(now);
  const lines = <Shape extends z.ZodType>(name: ArchiveFile, shape: Shape, most: number) =>
    readLines(name, files.get(name)!, shape, most);
  const [first, ...more] = await lines('case.json', shapes.case, 1);
  if (!first || more.length > 0) throw refused('case.json', 'it has no case');
  const archive: CaseArchive = {
    digest,
    case: first,
    addresses: await lines('addresses.jsonl', shapes.address, CASE_LIMITS.addresses),
    notes: await lines('notes.jsonl', shapes.note, CASE_LIMITS.notes + CASE_LIMITS.entries),
    judgements: await lines('judgements.jsonl', shapes.judgement, CASE_LIMITS.judgements),
    boards: await lines('boards.jsonl', shapes.board, MOST_BOARDS),
    scans: await lines('scans.jsonl', shapes.scan, 2 * CASE_LIMITS.addresses),
    transfers: await readTransfers(files.get('transfers.csv')!, now),
  };
  checkWhole(archive);
  return archive;
}

/** Throws InvalidInputError for lines that speak of another address than those of the case, or twice of one thing. */
function checkWhole({ addresses, judgements, scans, transfers }: CaseArchive): void {
  const keyOf = (chain: string, address: string) => `${chain}:${address}`;
  const known = new Set(addresses.map(({ chain, address }) => keyOf(chain, address)));
  if (known.size < addresses.length) throw refused('addresses.jsonl', 'an address stands in it twice');
  const isKnown = ({ chain, address }: { chain: string; address: string }) => known.has(keyOf(chain, address));
  if (!judgements.every(isKnown)) throw refused('judgements.jsonl', 'a line is of an address outside of the case');
  const judged = new Set(
    judgements.map(({ chain, address, detector_id }) => `${keyOf(chain, address)} ${detector_id}`),
  );
  if (judged.size < judgements.length) throw refused('judgements.jsonl', 'a detection is judged twice');
  if (!scans.every(isKnown)) throw refused('scans.jsonl', 'a line is of an address outside of the case');
  const touches = ({ chain, from, to }: Transfer) => known.has(keyOf(chain, from)) || known.has(keyOf(chain, to));
  if (!transfers.every(touches)) throw refused('transfers.csv', 'a row touches no address of the case');
}

async function unpackFiles(packed: Uint8Array): Promise<Map<string, Buffer>> {
  const names: readonly string[] = [MANIFEST, ...ARCHIVE_FILES];
  const bytesMax = Math.min(ARCHIVE_LIMITS.unpackedMib * MIB, Math.max(MIB, packed.length * ARCHIVE_LIMITS.ratio));
  try {
    const bounds = { bytesMax, entriesMax: names.length };
    const { entries, others } = await readZip(packed, (name) => names.includes(name), bounds);
    if (others.length > 0 || entries.length < names.length) {
      throw new InvalidInputError(`The archive is not one of a case: it has ${names.join(', ')} and nothing else`);
    }
    return new Map(entries.map(({ name, bytes }) => [name, bytes]));
  } catch (cause) {
    if (!(cause instanceof ZipError)) throw cause;
    const most = `${ARCHIVE_LIMITS.unpackedMib} MiB unpacked`;
    const text = cause.problem === 'damaged' ? 'The archive is damaged' : `The archive is too large: at most ${most}`;
    throw new InvalidInputError(text, { cause });
  }
}

/** Checks each file against the manifest; returns the digest of that. */
async function checkManifest(files: ReadonlyMap<string, Buffer>): Promise<string> {
  const bytes = files.get(MANIFEST)!;
  const [manifest] = await readLines(MANIFEST, bytes, manifestSchema, 1);
  if (manifest?.files.length !== ARCHIVE_FILES.length) throw refused(MANIFEST, 'it does not name each file once');
  for (const name of ARCHIVE_FILES) {
    const stated = manifest.files.find((file) => file.name === name);
    const content = files.get(name)!;
    if (stated?.bytes !== content.length || stated.sha256 !== (await digestOf(content)))
      throw refused(name, 'its digest is not that of the manifest');
  }
  return hash('sha256', bytes);
}

/** SHA-256, with other work in between. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const digest = createHash('sha256');
  const pause = timeSlices();
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    digest.update(content.subarray(at, at + SLICE_BYTES));
    await pause();
  }
  return digest.digest('hex');
}

async function readLines<Shape extends z.ZodType>(
  name: string,
  bytes: Buffer,
  shape: Shape,
  most: number,
): Promise<z.infer<Shape>[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const found: z.infer<Shape>[] = [];
  const pause = timeSlices();
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(0x0a, start);
    const end = next === -1 ? bytes.length : next;
    if (found.length === most) throw refused(name, `more than ${most} lines`);
    if (end - start > ARCHIVE_LIMITS.line) throw refused(name, `line ${found.length + 1} is too long`);
    found.push(parsedLine(name, found.length + 1, bytes.subarray(start, end), decoder, shape));
    start = end + 1;
    await pause();
  }
  return found;
}

/** How JSON writes a NUL or half a character, which may be half of a pair. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

function marked(_name: string, one: unknown): unknown {
  return typeof one === 'string' ? storableText(one) : one;
}

function parsedLine<Shape extends z.ZodType>(
  name: string,
  line: number,
  bytes: Uint8Array,
  decoder: { decode(bytes: Uint8Array): string },
  shape: Shape,
): z.infer<Shape> {
  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    // Services that keep their records in SQLite took texts that PostgreSQL does not keep.
    value = JSON.parse(text, UNSTORABLE.test(text) ? marked : undefined);
  } catch (cause) {
    throw refused(name, `line ${line} is not JSON`, cause);
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw refused(name, `line ${line}: ${path.join('.') || 'value'}: ${message}`);
}

/** Rows of a table as this service writes it; one that cannot be read refuses all. Throws InvalidInputError. */
export async function readTransfers(bytes: Buffer, now: number): Promise<Transfer[]> {
  const tally = newTally();
  const name = 'transfers.csv';
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
  };
  const file = { name, path: name, open };
  const work = { files: [file], others: [], isFolder: false, tally, reserved: new Set<string>(), now };
  const found: Transfer[] = [];
  const pause = timeSlices();
  try {
    for await (const transfer of transfersLoader.read(work)) {
      if (found.length === ARCHIVE_LIMITS.transfers) throw refused(name, `more than ${ARCHIVE_LIMITS.transfers} rows`);
      found.push(transfer);
      await pause();
    }
  } catch (cause) {
    if (!(cause instanceof WrongFormatError)) throw cause;
    throw refused(name, cause.message, cause);
  }
  const problem = tally.errors[0];
  if (tally.skipped > 0 && problem) throw refused(name, `line ${problem.line}: ${problem.reason}`);
  return found;
}

function refused(name: string, reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(`The archive cannot be imported: ${name}: ${reason}`, { cause });
}
