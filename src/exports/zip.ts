import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { strToU8, type Zippable, zip } from 'fflate';

/** Why an archive is not read. */
export class ZipError extends Error {
  readonly problem: 'damaged' | 'too_large';

  constructor(problem: ZipError['problem'], options?: { cause?: unknown }) {
    super(`the archive is ${problem === 'damaged' ? 'damaged' : 'too large'}`, options);
    this.problem = problem;
  }
}

interface ZipBounds {
  /** Bytes of all unpacked entries together, as they are unpacked: headers may say less. */
  bytesMax: number;
  entriesMax: number;
}

interface ZipEntry {
  name: string;
  method: number;
  packed: Buffer;
}

/** ZIP keeps the time of the clock on the wall; this one stands for none. */
const ZIP_TIME = new Date(1980, 0, 1, 12);
/** A plain file that its owner writes and everybody reads: without it `unzip` makes files that cannot be opened. */
const FILE_MODE = 0o100644 * 0x10000;
const STORED = 0;
const DEFLATED = 8;
const SIGNATURES = { entry: 0x02014b50, file: 0x04034b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 };
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const UNKNOWN_32 = 0xffffffff;
const ZIP64 = 0x0001;

/** Packs files as a ZIP: the same bytes for the same files in the same order. Large ones do not block the event loop. */
export function writeZip(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const contents: Zippable = {};
  for (const [name, content] of Object.entries(files))
    contents[name] = typeof content === 'string' ? strToU8(content) : content;
  return new Promise((resolve, reject) => {
    zip(contents, { mtime: ZIP_TIME, os: 3, attrs: FILE_MODE, level: 6 }, (error, packed) =>
      error ? reject(error) : resolve(Buffer.from(packed.buffer, packed.byteOffset, packed.length)),
    );
  });
}

/**
 * Unpacks the entries of a ZIP that `accepts` takes, and names the others; folders are neither. Bounds count what is really
 * unpacked. Throws ZipError.
 */
export async function readZip(
  bytes: Uint8Array,
  accepts: (name: string) => boolean,
  { bytesMax, entriesMax }: ZipBounds,
): Promise<{ entries: { name: string; bytes: Buffer }[]; others: string[] }> {
  const zipped = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const listed = [...listedEntries(zipped, entriesMax)].filter(({ name }) => !name.endsWith('/'));
  if (new Set(listed.map(({ name }) => name)).size < listed.length) throw new ZipError('damaged');
  const entries: { name: string; bytes: Buffer }[] = [];
  let left = bytesMax;
  for (const entry of listed.filter(({ name }) => accepts(name))) {
    const unpacked = await unpack(entry, left);
    left -= unpacked.length;
    entries.push({ name: entry.name, bytes: unpacked });
  }
  return { entries, others: listed.map(({ name }) => name).filter((name) => !accepts(name)) };
}

async function unpack({ method, packed }: ZipEntry, most: number): Promise<Buffer> {
  if (method === STORED && packed.length <= most) return packed;
  if (method === STORED) throw new ZipError('too_large');
  if (method !== DEFLATED) throw new ZipError('damaged');
  try {
    // One byte more, since nothing may be left and the entry empty.
    const unpacked = (await promisify(inflateRaw)(packed, { maxOutputLength: most + 1 })) as Buffer;
    if (unpacked.length > most) throw new ZipError('too_large');
    return unpacked;
  } catch (cause) {
    if (cause instanceof ZipError) throw cause;
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new ZipError(isLarge ? 'too_large' : 'damaged', { cause });
  }
}

function* listedEntries(zipped: Buffer, entriesMax: number): Generator<ZipEntry> {
  try {
    const end = endOfDirectory(zipped);
    if (end.entries > entriesMax) throw new ZipError('too_large');
    let at = end.offset;
    for (let nth = 0; nth < end.entries; nth++) {
      if (zipped.readUInt32LE(at) !== SIGNATURES.entry) throw new ZipError('damaged');
      const flags = zipped.readUInt16LE(at + 8);
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => zipped.readUInt16LE(at + field));
      const name = zipped.toString('utf8', at + 46, at + 46 + nameBytes!).replaceAll('\\', '/');
      const extra = zipped.subarray(at + 46 + nameBytes!, at + 46 + nameBytes! + extraBytes!);
      const { size, offset } = placeOf(zipped.subarray(at, at + 46), extra);
      // Bit 0 says that it is encrypted.
      if ((flags & 1) !== 0 || zipped.readUInt32LE(offset) !== SIGNATURES.file) throw new ZipError('damaged');
      const start = offset + 30 + zipped.readUInt16LE(offset + 26) + zipped.readUInt16LE(offset + 28);
      if (start + size > zipped.length) throw new ZipError('damaged');
      yield { name, method: zipped.readUInt16LE(at + 10), packed: zipped.subarray(start, start + size) };
      at += 46 + nameBytes! + extraBytes! + commentBytes!;
    }
  } catch (cause) {
    // What lies beyond the end cannot be read.
    throw cause instanceof ZipError ? cause : new ZipError('damaged', { cause });
  }
}

/** Finds the packed bytes of an entry; ZIP64 keeps what needs more than 32 bits in the extra field. */
function placeOf(entry: Buffer, extra: Buffer): { size: number; offset: number } {
  const [size, unpacked, offset] = [20, 24, 42].map((field) => entry.readUInt32LE(field)) as [number, number, number];
  if (size !== UNKNOWN_32 && offset !== UNKNOWN_32) return { size, offset };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64) continue;
    let field = at + 4 + (unpacked === UNKNOWN_32 ? 8 : 0);
    const next = (known: number) => {
      if (known !== UNKNOWN_32) return known;
      field += 8;
      return Number(extra.readBigUInt64LE(field - 8));
    };
    return { size: next(size), offset: next(offset) };
  }
  throw new ZipError('damaged');
}

function endOfDirectory(zipped: Buffer): { entries: number; offset: number } {
  const first = Math.max(0, zipped.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = zipped.length - END_BYTES; at >= first; at--) {
    if (zipped.readUInt32LE(at) !== SIGNATURES.end) continue;
    const [entries, offset] = [zipped.readUInt16LE(at + 10), zipped.readUInt32LE(at + 16)];
    if (entries !== 0xffff && offset !== UNKNOWN_32) return { entries, offset };
    if (at < 20 || zipped.readUInt32LE(at - 20) !== SIGNATURES.locator64) return { entries, offset };
    const end64 = Number(zipped.readBigUInt64LE(at - 12));
    if (zipped.readUInt32LE(end64) !== SIGNATURES.end64) break;
    return {
      entries: Number(zipped.readBigUInt64LE(end64 + 32)),
      offset: Number(zipped.readBigUInt64LE(end64 + 48)),
    };
  }
  throw new ZipError('damaged');
}
