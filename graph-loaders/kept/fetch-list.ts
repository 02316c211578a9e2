import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { InvalidInputError } from '../../src/errors.ts';
import type { Guard } from '../../src/outbound/guard.ts';
import { isUrl, withoutQuery } from '../../src/outbound/places.ts';
import { downloadFailure, openDownload, parted, pathOf } from '../reading/input.ts';

/** A list as it lies at its place: unchanged since `version`, or a file to load. */
export type FetchedList =
  | { isUnchanged: true }
  | {
      isUnchanged: false;
      path: string;
      version: string | null;
      /** Epoch ms: the day that the server states. */
      modifiedAt: number | null;
      /** Deletes what was fetched. */
      discard: () => Promise<void>;
    };

export interface FetchParts {
  guard: Guard;
  /** Where to put files that are loaded soon; null: the temporary folder of the host. */
  dataDir: string | null;
  signal?: AbortSignal;
}

const HTML = /^\s*(?:<!doctype html|<html)/i;
const HEAD_BYTES = 512;
/** A list that drips holds its place for so long. */
const FETCH_MS = 10 * MINUTE_MS;
/** Most bytes of the name of a file; in UTF-8, a character of a shortened one takes three. */
const NAME_BYTES_MAX = 255;
const PREFIX = 'list-';
const LEFT = /^list-\w{6}$/;
/** A list is fetched within minutes and then read at once. */
const LEFT_MS = HOUR_MS;

/**
 * Fetches a list by the guarded client unless it is as it was at `version`. Throws InvalidInputError with what is wrong,
 * also for a page of HTML.
 */
export async function fetchList(place: string, version: string | null, parts: FetchParts): Promise<FetchedList> {
  return isUrl(place) ? download(new URL(place), version, parts) : look(place, version);
}

/** A folder is loaded each time: what changed in it cannot be seen from outside. */
async function look(path: string, version: string | null): Promise<FetchedList> {
  const found = await stat(parted(path).place).catch((cause: Error) => {
    throw new InvalidInputError(`Cannot read ${path}: ${cause.message}`, { cause });
  });
  const now = found.isFile() ? `${found.mtimeMs} ${found.size}` : null;
  if (now !== null && now === version) return { isUnchanged: true };
  return { isUnchanged: false, path, version: now, modifiedAt: found.mtimeMs, discard: async () => {} };
}

async function download(
  url: URL,
  version: string | null,
  { guard, dataDir, signal }: FetchParts,
): Promise<FetchedList> {
  const shown = withoutQuery(url);
  const name = nameOf(url);
  const headers: Record<string, string> = version === null ? {} : { 'if-none-match': version };
  const answer = await openDownload(url, { guard, headers, signal, timeoutMs: FETCH_MS });
  if (answer.status !== 200) {
    answer.close();
    if (answer.status === 304 && version !== null) return { isUnchanged: true };
    throw new InvalidInputError(`Cannot read ${shown}: HTTP ${answer.status}`);
  }
  const folder = await mkdtemp(join(dataDir ?? tmpdir(), PREFIX));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, name);
    await pipeline(answer.body, createWriteStream(path), { signal }).catch((cause: Error) => {
      throw downloadFailure(url, cause, signal);
    });
    if (await beginsAsHtml(path)) throw new InvalidInputError(`${shown} is a page of HTML and no list`);
    const { etag, 'last-modified': modified } = answer.headers;
    const modifiedAt = modified === undefined ? Number.NaN : Date.parse(modified);
    return {
      isUnchanged: false,
      path,
      version: etag ?? null,
      modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt,
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** A name for the file: loaders read some facts from it, the kind of file from its end. */
function nameOf(url: URL): string {
  const name = basename(pathOf(url));
  if (/^\.{0,2}$/.test(name)) return 'list';
  return Buffer.byteLength(name) > NAME_BYTES_MAX ? name.slice(-NAME_BYTES_MAX / 3) : name;
}

/** Deletes what processes that were killed left behind, once nobody can be loading it any more. */
export async function deleteLeftLists(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!LEFT.test(name)) continue;
    const path = join(dataDir, name);
    // Another process may delete the same.
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_MS) await rm(path, { recursive: true, force: true });
  }
}

async function beginsAsHtml(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return HTML.test(buffer.subarray(0, bytesRead).toString('utf8'));
  } finally {
    await file.close();
  }
}
