import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RecordsContext } from '../../../context.ts';
import { writeZip } from '../../../exports/zip.ts';
import { deletePackageRows, insertPackageFile, openPackageFile } from '../../../records/cases/report-packages.ts';
import type { Records } from '../../../records/database/database.ts';
import type { PackageFile } from './package-inputs.ts';

/** A file of a package, ready to be kept. */
export interface DrawnFile extends PackageFile {
  gzipped: Buffer;
}

/** Digests and gzips a file while it is drawn. */
export async function packFile(
  name: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal?: AbortSignal,
): Promise<DrawnFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const hashed = async function* () {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const gzipped = await pipeline(hashed, createGzip(), (stream) => buffer(stream));
  return { name, sha256: hash.digest('hex'), bytes, gzipped };
}

/** Keeps files of a package inside a transaction, in place of the rows that its CSV was drawn from. */
export async function keepFiles(records: Records, packageId: string, files: readonly DrawnFile[]): Promise<void> {
  for (const file of files) await insertPackageFile(records, packageId, file);
  await deletePackageRows(records, packageId);
}

/** Returns the files of a package as one ZIP, the same bytes at every download; null where one of them is not kept. */
export async function openZip(
  ctx: RecordsContext,
  packageId: string,
  names: readonly string[],
): Promise<Buffer | null> {
  const files: Record<string, Buffer> = {};
  for (const name of names) {
    const content = await openFile(ctx, packageId, name);
    if (!content) return null;
    files[name] = await buffer(content);
  }
  return writeZip(files);
}

/** Returns the bytes of a file as it was generated; null for packages of 0.1.0, whose files were not kept. */
export function openFile({ records }: RecordsContext, packageId: string, name: string): Promise<Readable | null> {
  return openPackageFile(records, packageId, name);
}
