import { open, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InvalidInputError } from '../../src/errors.ts';
import { readZip, ZipError } from '../../src/exports/zip.ts';

/** An entry of an archive: its path there, always with `/`, and its bytes. */
interface ArchiveEntry {
  name: string;
  bytes: Uint8Array;
}

interface ArchiveContent {
  entries: ArchiveEntry[];
  /** Names of what is not read. */
  others: string[];
}

/** Unpacked in memory; what is larger is unpacked by hand, and its folder loaded. */
const BYTES_MAX = 512 * 1024 * 1024;
/** How much larger an archive may become, beyond what is unpacked at once anyway: tables become twenty times as large. */
const RATIO_MAX = 250;
const SMALL_BYTES = 64 * 1024 * 1024;
const ENTRIES_MAX = 200_000;
const TAR_BLOCK = 512;
const TAR = /\.(?:tar|tar\.gz|tgz)$/i;

/** True for a ZIP, by its first bytes, and for a tar archive, by its name. */
export async function isArchive(path: string): Promise<boolean> {
  if (TAR.test(path)) return true;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.readUInt32BE() === 0x504b0304;
  } finally {
    await file.close();
  }
}

/** The files of an archive that `accepts` takes, and the names of all others. Throws InvalidInputError for a damaged or an overlarge one. */
export async function readArchive(
  path: string,
  name: string,
  accepts: (name: string) => boolean,
): Promise<ArchiveContent> {
  if ((await stat(path)).size > BYTES_MAX) throw tooLarge(name, BYTES_MAX);
  const packed = await readFile(path);
  const { entries, others } = TAR.test(path)
    ? tarEntries(await unpackTar(packed, name), name)
    : await zipEntries(packed, name, accepts);
  const unread = entries.filter((entry) => !accepts(entry.name)).map((entry) => entry.name);
  return { entries: entries.filter((entry) => accepts(entry.name)), others: [...others, ...unread] };
}

/** Bytes that an archive of these may become. */
const mostOf = (packed: Buffer) => Math.min(BYTES_MAX, Math.max(SMALL_BYTES, packed.length * RATIO_MAX));

const tooLarge = (name: string, bytesMax: number) => {
  const most = Math.floor(bytesMax / 1024 / 1024);
  return new InvalidInputError(`${name}: more than ${most} MiB unpacked; unpack it and load the folder`);
};

async function unpackTar(packed: Buffer, name: string): Promise<Buffer> {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: mostOf(packed) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name, mostOf(packed));
    throw new InvalidInputError(`${name}: the archive is damaged`, { cause });
  }
}

/** Bytes of entries that `accepts` does not take stay packed. */
async function zipEntries(packed: Buffer, name: string, accepts: (name: string) => boolean): Promise<ArchiveContent> {
  try {
    return await readZip(packed, accepts, { bytesMax: mostOf(packed), entriesMax: ENTRIES_MAX });
  } catch (cause) {
    if (!(cause instanceof ZipError)) throw cause;
    throw cause.problem === 'too_large'
      ? tooLarge(name, mostOf(packed))
      : new InvalidInputError(`${name}: the archive is damaged`, { cause });
  }
}

/** Regular files of a tar archive, and its links; long names stand in an entry of their own before the file. */
function tarEntries(tar: Buffer, name: string): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  const others: string[] = [];
  let longName: string | null = null;
  let at = 0;
  while (at + TAR_BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + TAR_BLOCK);
    const size = Number.parseInt(textOf(header, 124, 12).trim() || '0', 8);
    const end = at + TAR_BLOCK + size;
    if (!Number.isSafeInteger(size) || size < 0 || end > tar.length) {
      throw new InvalidInputError(`${name}: the archive is damaged`);
    }
    const body = tar.subarray(at + TAR_BLOCK, end);
    const kind = String.fromCharCode(header[156]!);
    if (kind === 'x') longName = /^\d+ path=(.*)$/m.exec(body.toString('utf8'))?.[1] ?? longName;
    else if (kind === 'L') longName = textOf(body, 0, body.length);
    else if (kind !== 'g') {
      const [path, prefix] = [textOf(header, 0, 100), textOf(header, 345, 155)];
      const full = longName ?? (prefix ? `${prefix}/${path}` : path);
      if (entries.length + others.length === ENTRIES_MAX)
        throw new InvalidInputError(`${name}: more than ${ENTRIES_MAX} entries; unpack it and load the folder`);
      // Some writers mark a folder by its name alone.
      if ((kind === '0' || kind === '\0') && !full.endsWith('/')) entries.push({ name: full, bytes: body });
      else if (kind === '1' || kind === '2') others.push(full);
      longName = null;
    }
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  // A block of zeros ends it, which what was cut off lacks.
  if (at + TAR_BLOCK > tar.length) throw new InvalidInputError(`${name}: the archive is damaged`);
  if (entries.length === 0) throw new InvalidInputError(`${name}: the archive holds no file`);
  return { entries, others };
}

/** Text of a field, to its first NUL. */
function textOf(bytes: Uint8Array, from: number, length: number): string {
  const text = Buffer.from(bytes.subarray(from, from + length)).toString('utf8');
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}
