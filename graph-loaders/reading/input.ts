import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { compare } from '../../src/domain/compare.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { isUrl, withoutQuery } from '../../src/outbound/places.ts';
import { type OutboundAnswer, type OutboundRequest, openAnswer } from '../../src/outbound/request.ts';
import { isArchive, readArchive } from './archive.ts';
import { WrongFormatError } from './wrong-format.ts';

/** One file of a load, wherever it lies. Bytes arrive unpacked where the file is gzip. */
export interface InputFile {
  /** Path below the folder that was given, else the file's own name; always with `/`. */
  name: string;
  /** The whole path, always with `/`: folders above say what some files are about. */
  path: string;
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** True for a file behind a URL. */
  isRemote?: boolean;
}

export interface Input {
  files: InputFile[];
  /** Names of the folder's other files, hidden ones left out. */
  others: string[];
  /** True where a whole folder was given. */
  isFolder: boolean;
}

/** Input that can be read more than once. */
interface KeptInput extends Input {
  /** Deletes what was downloaded. */
  discard: () => Promise<void>;
}

type DownloadOptions = Pick<OutboundRequest, 'guard' | 'headers' | 'signal'> & { timeoutMs?: number };

const FILES_MAX = 10_000;
const HEADERS_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 30 * 60_000;
const DOWNLOAD_BYTES_MAX = 2 * 1024 ** 3;
const REDIRECTS_MAX = 5;

/**
 * Finds what is to be loaded: a file, the files that `accepts` takes of a folder or an archive and of the folders in it, or a URL.
 * `archive.zip#folder` names a folder within an archive.
 */
export async function findInput(given: string, accepts: (name: string) => boolean): Promise<Input> {
  const { place, within } = parted(given);
  if (isUrl(place)) return { files: [fromUrl(new URL(place))], others: [], isFolder: false };
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new InvalidInputError(`Cannot read ${place}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`);
  });
  if (found.isFile() && (await isArchive(place))) return ofArchive(place, within, accepts);
  if (found.isFile()) return { files: [fromPath(place, basename(place))], others: [], isFolder: false };
  if (!found.isDirectory()) throw new InvalidInputError(`Cannot read ${place}: neither a file nor a folder`);
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const isOfSource = (name: string) => accepts(name.replace(/\.gz$/, ''));
  const files = names.filter(isOfSource).map((name) => fromPath(join(place, name), name));
  const others = names.filter((name) => !isOfSource(name) && !/(^|\/)\./.test(name));
  if (files.length === 0) throw nothingIn(place, others);
  if (files.length > FILES_MAX) throw new InvalidInputError(`More than ${FILES_MAX} files in ${place}`);
  return { files, others, isFolder: true };
}

/** Downloads what lies at a URL, so that it is the same whenever it is read. */
export async function keepDownload(input: Input, signal?: AbortSignal): Promise<KeptInput> {
  if (!input.files.some(({ isRemote }) => isRemote)) return { ...input, discard: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'traceflow-load-'));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    const files = await Promise.all(
      input.files.map(async (file, nth): Promise<InputFile> => {
        const path = join(folder, String(nth));
        await pipeline(file.open(signal), createWriteStream(path), { signal });
        return { ...file, isRemote: false, open: (signal) => unpacked(createReadStream(path, { signal }), file.name) };
      }),
    );
    return { ...input, files, discard };
  } catch (error) {
    await discard();
    signal?.throwIfAborted();
    throw error;
  }
}

/** A place, and the folder within the archive that it names behind `#`. */
export function parted(given: string): { place: string; within: string | null } {
  const [, place, within] = /^(.*\.(?:zip|tar|tar\.gz|tgz))#([^#]+)$/is.exec(given) ?? [];
  return place === undefined ? { place: given, within: null } : { place, within: within! };
}

async function ofArchive(place: string, within: string | null, accepts: (name: string) => boolean): Promise<Input> {
  const folder = within?.split('/').filter(Boolean).join('/');
  const isWithin = (name: string) => folder === undefined || `/${name}`.includes(`/${folder}/`);
  const isOfSource = (name: string) => isWithin(name) && !/(^|\/)\./.test(name) && accepts(name.replace(/\.gz$/, ''));
  const { entries, others } = await readArchive(place, basename(place), isOfSource);
  if (entries.length === 0) throw nothingIn(place + (within ? `#${within}` : ''), others);
  if (entries.length > FILES_MAX) throw new InvalidInputError(`More than ${FILES_MAX} files in ${place}`);
  const inOrder = entries.toSorted((a, b) => compare(a.name, b.name));
  const files = inOrder.map(({ name, bytes }): InputFile => {
    const plain = name.replace(/\.gz$/, '');
    return {
      name: plain,
      path: `${resolve(place).split(sep).join('/')}/${plain}`,
      open: () => unpacked(inPieces(bytes), name),
    };
  });
  return { files, others: others.filter((name) => isWithin(name) && !/(^|\/)\./.test(name)), isFolder: true };
}

/** An archive within an archive is one of the others. */
function nothingIn(place: string, others: readonly string[]): InvalidInputError {
  const named = others.length > 0 ? `: the source takes none of its files, such as ${others[0]}` : '';
  return new InvalidInputError(`Nothing to load in ${place}${named}`);
}

/** Readers pause between pieces of a file. */
const PIECE_BYTES = 64 * 1024;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** The bytes of a file; throws InvalidInputError above `bytesMax`. */
export async function* readBytes(file: InputFile, bytesMax: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of file.open(signal)) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new InvalidInputError(`${file.name}: larger than ${bytesMax / 1024 / 1024} MiB`);
    yield chunk;
  }
}

/** The whole text of a file that is read as one document; throws InvalidInputError above `bytesMax`. */
export async function readWhole(file: InputFile, bytesMax: number, signal?: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(file, bytesMax, signal)) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new WrongFormatError(`${file.name}: not UTF-8 text`, { cause });
  }
}

/** The path of a URL, in plain characters. Throws InvalidInputError where its escapes stand for none. */
export function pathOf(url: URL): string {
  const path = textOf(url.pathname);
  if (path === null || /\p{Cc}/u.test(path)) {
    throw new InvalidInputError(
      `Cannot read ${withoutQuery(url)}: its path has an escape that stands for no character`,
    );
  }
  return path;
}

function textOf(escaped: string): string | null {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}

function fromPath(path: string, name: string): InputFile {
  return {
    name: name.replace(/\.gz$/, ''),
    path: resolve(path).split(sep).join('/').replace(/\.gz$/, ''),
    open: (signal) => unpacked(createReadStream(path, { signal }), name),
  };
}

function fromUrl(url: URL): InputFile {
  const path = pathOf(url).replace(/\.gz$/, '');
  const name = basename(path) || url.hostname;
  return { name, path, isRemote: true, open: (signal) => unpacked(download(url, signal), name) };
}

async function* download(url: URL, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const answer = await openDownload(url, { signal });
  if (answer.status !== 200) {
    answer.close();
    throw new InvalidInputError(`Cannot read ${withoutQuery(url)}: HTTP ${answer.status}`);
  }
  try {
    yield* answer.body;
  } catch (cause) {
    throw downloadFailure(url, cause as Error, signal);
  }
}

/** A download that failed, for people. Throws the reason of the signal where that ended it. */
export function downloadFailure(url: URL, cause: Error, signal?: AbortSignal): InvalidInputError {
  signal?.throwIfAborted();
  return new InvalidInputError(`Cannot read ${withoutQuery(url)}: ${cause.message}`, { cause });
}

/** The answer behind redirects, as hosts of lists use them for downloads. Throws InvalidInputError where there is none. */
export function openDownload(url: URL, options: DownloadOptions): Promise<OutboundAnswer> {
  return follow(url, options).catch((cause: Error) => {
    throw downloadFailure(url, cause, options.signal);
  });
}

async function follow(url: URL, options: DownloadOptions): Promise<OutboundAnswer> {
  let place = url;
  for (let redirects = 0; ; redirects++) {
    const answer = await openAnswer(place, {
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      bytesMax: DOWNLOAD_BYTES_MAX,
      ...options,
    });
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status > 399 || answer.status === 304 || location === undefined) return answer;
    answer.close();
    if (redirects === REDIRECTS_MAX) throw new Error(`more than ${REDIRECTS_MAX} redirects`);
    const next = new URL(location, place);
    if (!/^https?:$/.test(next.protocol)) throw new Error(`redirected to ${next.protocol}`);
    place = next;
  }
}

/** Unpacks gzip, by the first two bytes: a URL may have no name. Text in UTF-16, as spreadsheets save it, becomes UTF-8. */
async function* unpacked(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  yield* inUtf8(ungzipped(source, name));
}

async function* inUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isFirst = true;
  for await (const chunk of source) {
    const name = isFirst ? utf16Of(chunk) : null;
    if (name !== null) decoder = new TextDecoder(name);
    isFirst = false;
    yield decoder === null ? chunk : encoder.encode(decoder.decode(chunk, { stream: true }));
  }
  if (decoder !== null) yield encoder.encode(decoder.decode());
}

/** The encoding that the first bytes of a text announce, or show by a plain letter in two bytes; null for any other. */
function utf16Of([first = -1, second = -1]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first > 0 && first < 0x80 && second === 0)) return 'utf-16le';
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second > 0 && second < 0x80);
  return isBig ? 'utf-16be' : null;
}

async function* ungzipped(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const rest = (async function* () {
    yield first.value;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  })();
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* rest;
  else yield* gunzip(rest, name);
}

async function* gunzip(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  const { Readable, pipeline } = await import('node:stream');
  pipeline(Readable.from(packed), unzip, () => {});
  try {
    for await (const chunk of unzip) yield chunk as Uint8Array;
  } catch (cause) {
    throw new InvalidInputError(`${name}: the gzip data is damaged or cut off`, { cause });
  }
}
