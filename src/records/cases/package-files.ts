import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Records } from '../database/database.ts';

/** Bytes of a part: one is in memory at a time. */
const PART_BYTES = 1024 * 1024;

/** Keeps a gzipped file of a package. */
export async function insertPackageFile(
  records: Records,
  packageId: string,
  { name, gzipped }: { name: string; gzipped: Buffer },
): Promise<void> {
  for (let part = 0; part * PART_BYTES < gzipped.length; part++) {
    const content = gzipped.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await records.insertInto('report_package_files').values({ package_id: packageId, name, part, content }).execute();
  }
}

/** The bytes of a kept file; null where it is not kept. */
export async function openPackageFile(records: Records, packageId: string, name: string): Promise<Readable | null> {
  const first = await findPart(records, packageId, name, 0);
  if (!first) return null;
  const parts = async function* () {
    let part = 0;
    for (let found: Buffer | undefined = first; found; found = await findPart(records, packageId, name, ++part)) {
      yield found;
    }
  };
  // An error ends the returned stream, whose reader sees it.
  return pipeline(Readable.from(parts()), createGunzip(), () => {});
}

async function findPart(records: Records, packageId: string, name: string, part: number): Promise<Buffer | undefined> {
  const found = await records
    .selectFrom('report_package_files')
    .select('content')
    .where('package_id', '=', packageId)
    .where('name', '=', name)
    .where('part', '=', part)
    .executeTakeFirst();
  return found?.content;
}
