import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { chunksOf, type Records } from '../database/database.ts';
import type { PackageFiles, ReportPackageRow } from '../database/tables/cases.ts';
import { packJson, unpackJson } from '../packed-json.ts';

/** Keeps what is frozen; what an earlier attempt of the same job froze stays, if its format is the same. */
export async function insertReportPackage(records: Records, row: ReportPackageRow): Promise<void> {
  await records
    .insertInto('report_packages')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ format: row.format, inputs: row.inputs, created_at: row.created_at })
        .where('report_packages.format', '!=', row.format),
    )
    .execute();
}

/** Keeps which scans a report or package of a case rests on. */
export async function citeScans(records: Records, caseId: string, scanIds: readonly string[]): Promise<void> {
  for (const chunk of chunksOf([...new Set(scanIds)])) {
    const rows = chunk.map((scan_id) => ({ scan_id, case_id: caseId }));
    await records
      .insertInto('case_citations')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function completeReportPackage(records: Records, id: string, made: PackageFiles): Promise<void> {
  await records.updateTable('report_packages').set(made).where('id', '=', id).execute();
}

export function findReportPackage(records: Records, id: string): Promise<ReportPackageRow | undefined> {
  return records.selectFrom('report_packages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The packages of a case without their inputs. */
export function listReportPackages(records: Records, caseId: string) {
  return records
    .selectFrom('report_packages')
    .select(['id', 'case_id', 'format', 'files', 'degraded', 'stamp', 'created_at'])
    .where('case_id', '=', caseId)
    .execute();
}

/** A generated package that waits for its time stamp. */
interface PendingStamp {
  id: string;
  case_id: string;
  account_id: string;
  created_at: number;
}

/** Packages whose manifest has no time stamp yet, the oldest first. */
export function listPendingStamps(records: Records): Promise<PendingStamp[]> {
  return records
    .selectFrom('report_packages')
    .innerJoin('jobs', 'jobs.id', 'report_packages.id')
    .select(['report_packages.id', 'report_packages.case_id', 'jobs.account_id', 'report_packages.created_at'])
    .where('stamp', '=', 'pending')
    .where('files', 'is not', null)
    .orderBy('report_packages.created_at')
    .execute();
}

/** Says how waiting for a time stamp ended. Returns false where the package does not wait any more. */
export async function endPendingStamp(records: Records, id: string, stamp: 'stamped' | 'failed'): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('report_packages')
    .set({ stamp })
    .where('id', '=', id)
    .where('stamp', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePackageRows(records: Records, packageId: string): Promise<void> {
  await records.deleteFrom('report_package_rows').where('package_id', '=', packageId).execute();
}

export async function insertPackageRows(
  records: Records,
  packageId: string,
  part: number,
  rows: readonly string[][],
): Promise<void> {
  const packed = await packJson(rows);
  await records.insertInto('report_package_rows').values({ package_id: packageId, part, rows: packed }).execute();
}

/** The frozen rows part by part, in order: one part is in memory at a time. */
export async function* readPackageRows(records: Records, packageId: string): AsyncGenerator<string[][]> {
  for (let part = 0; ; part++) {
    const found = await records
      .selectFrom('report_package_rows')
      .select('rows')
      .where('package_id', '=', packageId)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!found) return;
    yield await unpackJson<string[][]>(found.rows);
  }
}

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
