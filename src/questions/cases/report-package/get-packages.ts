import type { Context } from '../../../context.ts';
import { iso, isoOrNull } from '../../../domain/time.ts';
import { ConflictError, GoneError, NotFoundError } from '../../../errors.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import { findCase, lockCase } from '../../../records/cases/cases.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';
import { listReportPackages } from '../../../records/cases/report-packages.ts';
import { inTransaction } from '../../../records/database/database.ts';
import { listCaseJobs } from '../../../records/jobs/jobs.ts';
import { jobStatus } from '../../jobs/job-record.ts';
import { PACKAGE_FILES, type PackageFile, type PackageRequest } from './package-inputs.ts';

/** Below which the files of a package are found. */
export function packageUrl(caseId: string, generationId: string): string {
  return `/api/v1/cases/${caseId}/str-package/${generationId}`;
}

/** The packages of a case, newest first. Throws NotFoundError. */
export async function listPackages(ctx: Context, tenant: Tenant, caseId: string) {
  await findCase(ctx.records, tenant.accountId, caseId);
  const jobs = await listCaseJobs(ctx.records, caseId, 'str_package');
  const kept = new Map((await listReportPackages(ctx.records, caseId)).map((row) => [row.id, row]));
  return jobs.map((job) => {
    const row = kept.get(job.id);
    const { language, approvedBy = null } = JSON.parse(job.input) as PackageRequest;
    const files: PackageFile[] = row?.files ? JSON.parse(row.files) : [];
    return {
      generation_id: job.id,
      language,
      approved_by: approvedBy,
      status: jobStatus(job, ctx.now()),
      progress: job.completed / job.total,
      files: [...files.map(({ name }) => name), ...stampOf(row?.stamp)],
      timestamp: row?.stamp ?? ('none' as const),
      output_hash: outputHash(files),
      degraded: row?.degraded === 1,
      created_at: iso(job.created_at),
      completed_at: isoOrNull(job.completed_at),
      error_message: job.error_message,
    };
  });
}

function stampOf(state: string | null | undefined): string[] {
  return state === 'stamped' ? [PACKAGE_FILES.stamp] : [];
}

/** The digest of the evidence as it was drawn, which a signature follows; null where there is none. */
export function outputHash(files: readonly PackageFile[]): string | null {
  const evidence = files.find(({ name }) => name === PACKAGE_FILES.evidence);
  return evidence?.unsigned_sha256 ?? evidence?.sha256 ?? null;
}

/** A generated package. */
export interface GeneratedPackage {
  files: PackageFile[];
  /** Names of all its files. */
  names: string[];
  degraded: boolean;
}

/** Throws NotFoundError, or ConflictError while the package is not ready. */
export async function getPackage(
  ctx: Context,
  tenant: Tenant,
  { caseId, generationId }: { caseId: string; generationId: string },
): Promise<GeneratedPackage> {
  await findCase(ctx.records, tenant.accountId, caseId);
  const jobs = await listCaseJobs(ctx.records, caseId, 'str_package');
  const job = jobs.find(({ id }) => id === generationId);
  if (!job) throw new NotFoundError();
  const status = jobStatus(job, ctx.now());
  if (status !== 'completed') throw new ConflictError(`Report package is not ready: ${status}`);
  const row = (await listReportPackages(ctx.records, caseId)).find(({ id }) => id === generationId);
  if (!row?.files) throw cannotRebuild();
  const files = JSON.parse(row.files) as PackageFile[];
  const names = [...files.map(({ name }) => name), PACKAGE_FILES.manifest, ...stampOf(row.stamp)];
  return { files, names, degraded: row.degraded === 1 };
}

export function cannotRebuild(): GoneError {
  return new GoneError('This report package cannot be rebuilt. Generate it again.');
}

/** Writes into timeline and audit log who downloaded which file. Throws NotFoundError or LimitError. */
export async function notePackageDownload(
  ctx: Context,
  tenant: Tenant,
  caseId: string,
  { generationId, name }: { generationId: string; name: string },
): Promise<void> {
  const subject = `${generationId} ${name}`;
  const event = { kind: 'package_downloaded', generation_id: generationId, file: name } as const;
  const now = ctx.now();
  await inTransaction(ctx.records, async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    await insertEventNote(records, { caseId, event, keyId: tenant.keyId, now });
    await insertAudit(records, { ...tenant, caseId, action: 'package_downloaded', subject }, now);
  });
}
