import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { oneLine, readProofs, UnreadableError } from './proofs-file.ts';

/** Files with their names, as a reader gave them; a name may come twice. */
type GivenFiles = readonly [string, Uint8Array][];

/** A file that the manifest names, or that came beside those. */
interface ListedFile {
  name: string;
  state: 'unchanged' | 'changed' | 'not_given' | 'not_listed';
}

/** The time stamp that a package names, and the bytes that it is to stamp. */
interface GivenStamp {
  /** False where the manifest names none: its time is what the machine that made it said. */
  isNamed: boolean;
  /** Null where none is named, or it was not given. */
  answer: Uint8Array | null;
  stamped: Uint8Array;
}

/** Parts of what was given: a package in whole or in part, or a file of proofs alone. */
interface OpenedPackage {
  /** Null where none was given. */
  manifest: { digest: string; files: ListedFile[]; stamp: GivenStamp } | null;
  /** Null where none was given; its proofs are not checked yet. */
  proofs: ReturnType<typeof readProofs> | null;
  /** Names of files beside proofs without a manifest: nothing says whether they were changed. */
  uncompared: string[];
}

const ManifestSchema = z.object({
  timestamp: z.string().nullish(),
  files: z.array(z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});

const ZIP = [0x50, 0x4b];
/** Every Office document is a ZIP that holds it. */
const OFFICE = '[Content_Types].xml';
/** Most bytes of all files of a ZIP together. */
const UNPACKED_MAX = 1024 * 1024 * 1024;

/**
 * The files of a ZIP, or the file itself, which an Office document is too. Throws Error for a damaged ZIP, or for one with two files of one name, whatever its
 * letter case: another program may unpack the other one.
 */
export function unpacked(name: string, bytes: Uint8Array): [string, Uint8Array][] {
  if (!ZIP.every((byte, place) => bytes[place] === byte)) return [[name, bytes]];
  let total = 0;
  const names = new Set<string>();
  const filter = ({ name: entry, originalSize }: { name: string; originalSize: number }) => {
    const unpackedAs = entry.normalize('NFKC').toLowerCase().replaceAll('\\', '/');
    if (names.has(unpackedAs)) throw new UnreadableError('twice', `the ZIP holds ${oneLine(entry)} twice`);
    names.add(unpackedAs);
    total += originalSize;
    return total <= UNPACKED_MAX;
  };
  const files = unzipSync(bytes, { filter });
  return Object.hasOwn(files, OFFICE) ? [[name, bytes]] : Object.entries(files);
}

/**
 * Compares the files of a package with its manifest, and finds its proofs. A browser may have saved each file behind the id of the
 * generation. Throws UnreadableError where neither a manifest nor a file of proofs is among them.
 */
export function openPackage(given: GivenFiles): OpenedPackage {
  const fileOf = (name: string) => {
    const found = given.filter(([path]) => path === name || path.endsWith(`-${name}`) || path.endsWith(`/${name}`));
    if (found.length > 1)
      throw new UnreadableError('twice', `${found.length} files are called ${oneLine(name)}: give one package alone`);
    return found[0];
  };
  const [manifestPath, manifest] = fileOf('manifest.json') ?? [];
  const [proofsPath, proofs] = fileOf('proofs.json') ?? (given.length === 1 && !manifest ? given[0]! : []);
  if (!manifest && !proofs)
    throw new UnreadableError('no_proofs', 'neither a manifest.json nor a proofs.json is among the files');
  // Of the package is what its manifest names, and nothing for its name alone.
  const listed = new Set([manifestPath]);
  const listedFile = (name: string) => {
    const [path, bytes] = fileOf(name) ?? [];
    listed.add(path);
    return bytes;
  };
  const read = manifest ? readManifest(manifest, listedFile) : null;
  const others = given.filter(([path]) => !path.endsWith('/') && !listed.has(path)).map(([path]) => oneLine(path));
  for (const name of others) read?.files.push({ name, state: 'not_listed' });
  return {
    manifest: read,
    proofs: proofs ? readProofs(proofs) : null,
    uncompared: read ? [] : others.filter((name) => name !== oneLine(proofsPath ?? '')),
  };
}

function readManifest(
  manifest: Uint8Array,
  fileOf: (name: string) => Uint8Array | undefined,
): NonNullable<OpenedPackage['manifest']> {
  let read: z.output<typeof ManifestSchema>;
  try {
    read = ManifestSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(manifest)));
  } catch (cause) {
    throw new UnreadableError('no_manifest', 'manifest.json is not that of a package', { cause });
  }
  const files = read.files.map(({ name, sha256: stated }): ListedFile => {
    const bytes = fileOf(name);
    const state = !bytes ? 'not_given' : digestOf(bytes) === stated ? 'unchanged' : 'changed';
    return { name: oneLine(name), state };
  });
  const isNamed = Boolean(read.timestamp);
  const answer = (isNamed && fileOf('manifest.tsr')) || null;
  const stamp = { isNamed, answer, stamped: manifest };
  return { digest: digestOf(manifest), files, stamp };
}

function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}
