import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Context } from '../../../context.ts';
import { hasPackageFiles, insertPackageFile, openPackageFile } from '../../../records/cases/package-files.ts';
import {
  deletePackageRows,
  findReportPackage,
  lockReportPackage,
  readPackageRows,
} from '../../../records/cases/report-packages.ts';
import { inTransaction, type Records } from '../../../records/database/database.ts';
import { unpackJson } from '../../../records/packed-json.ts';
import { columnsJson } from './columns.ts';
import { manifestJson } from './manifest.ts';
import {
  PACKAGE_FILES,
  PACKAGE_FORMAT,
  type PackageFile,
  type PackageInputs,
  type PackageRenderer,
} from './package-inputs.ts';

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

/** The bytes of a file as it was generated. Null where they are not kept and cannot be drawn again. */
export async function openFile(
  ctx: Context,
  packageId: string,
  name: string,
  renderer: PackageRenderer,
): Promise<Readable | null> {
  const kept = await openPackageFile(ctx.records, packageId, name);
  if (kept) return kept;
  await keepOlderPackage(ctx, packageId, renderer);
  return openPackageFile(ctx.records, packageId, name);
}

/**
 * Draws the files of a package that was generated before files were kept. Keeps those whose digest is that of their
 * generation, and the manifest; then the package is done with.
 */
export async function keepOlderPackage(ctx: Context, packageId: string, renderer: PackageRenderer): Promise<void> {
  if (await hasPackageFiles(ctx.records, packageId)) return;
  const found = await findReportPackage(ctx.records, packageId);
  if (!found?.files || found.format !== PACKAGE_FORMAT) return;
  const inputs = await unpackJson<PackageInputs>(found.inputs);
  const files = JSON.parse(found.files) as PackageFile[];
  const degraded = found.degraded === 1;
  const before = (name: string) =>
    files.slice(
      0,
      files.findIndex((file) => file.name === name),
    );
  const { transactions, columns, evidence, draft, manifest } = PACKAGE_FILES;
  const drawn = [
    await packFile(transactions, renderer.transactions(readPackageRows(ctx.records, packageId))),
    await packFile(columns, [Buffer.from(columnsJson(inputs.language))]),
    await packFile(evidence, [await renderer.evidence(inputs, before(evidence), { simple: degraded })]),
    await packFile(draft, [await renderer.draft(inputs, before(draft))]),
  ];
  const same = drawn.filter(({ name, sha256 }) => files.some((file) => file.name === name && file.sha256 === sha256));
  const last = await packFile(manifest, [Buffer.from(manifestJson({ inputs, files, degraded }))]);
  await inTransaction(ctx.records, async (records) => {
    await lockReportPackage(records, packageId);
    // Another process may have been faster.
    if (!(await hasPackageFiles(records, packageId))) await keepFiles(records, packageId, [...same, last]);
  });
}
