import type { Context } from '../../../context.ts';
import { iso, isoOrNull } from '../../../domain/time.ts';
import { ConflictError, GoneError, NotFoundError } from '../../../errors.ts';
import type { Tenant } from '../../../http/auth.ts';
import { insertAudit } from '../../../records/cases/audit.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { findReportPackage, listReportPackages, readPackageRows } from '../../../records/cases/report-packages.ts';
import { unpackJson } from '../../../records/database/packed-json.ts';
import { listCaseJobs } from '../../../records/jobs/jobs.ts';
import { jobStatus } from '../../jobs/job-record.ts';
import {
  PACKAGE_FILES,
  PACKAGE_FORMAT,
  type PackageFile,
  type PackageInputs,
  type PackageRequest,
} from './package-inputs.ts';

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
    const files: PackageFile[] = row?.files ? JSON.parse(row.files) : [];
    return {
      generation_id: job.id,
      language: (JSON.parse(job.input) as PackageRequest).language,
      status: jobStatus(job, ctx.now()),
      progress: job.completed / job.total,
      output_hash: files.find(({ name }) => name === PACKAGE_FILES.evidence)?.sha256 ?? null,
      degraded: row?.degraded === 1,
      created_at: iso(job.created_at),
      completed_at: isoOrNull(job.completed_at),
      error_message: job.error_message,
    };
  });
}

/** A generated package, ready to be drawn again. */
export interface GeneratedPackage {
  inputs: PackageInputs;
  files: PackageFile[];
  degraded: boolean;
  /** The rows of the transactions, part by part. */
  rows: () => AsyncIterable<string[][]>;
}

/**
 * The frozen inputs of a generated package. Throws NotFoundError, ConflictError while it is not ready, or GoneError for
 * inputs of an older format.
 */
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
  const row = await findReportPackage(ctx.records, generationId);
  if (!row?.files || row.format !== PACKAGE_FORMAT) throw cannotRebuild();
  const inputs = await unpackJson<PackageInputs>(row.inputs);
  const rows = () => readPackageRows(ctx.records, generationId);
  return { inputs, files: JSON.parse(row.files), degraded: row.degraded === 1, rows };
}

/** The file as it was when the package was generated. */
export function fileOf({ files }: Pick<GeneratedPackage, 'files'>, name: string): PackageFile {
  const file = files.find((one) => one.name === name);
  if (!file) throw cannotRebuild();
  return file;
}

export function cannotRebuild(): GoneError {
  return new GoneError('This report package cannot be rebuilt. Generate it again.');
}

/** Writes into the audit log who downloaded which file. */
export async function notePackageDownload(
  ctx: Context,
  tenant: Tenant,
  caseId: string,
  { generationId, name }: { generationId: string; name: string },
): Promise<void> {
  const subject = `${generationId} ${name}`;
  await insertAudit(ctx.records, { ...tenant, caseId, action: 'package_downloaded', subject }, ctx.now());
}

/** The content of manifest.json: what the package consists of and was made from. */
export function manifestJson({ inputs, files, degraded }: GeneratedPackage): string {
  const { report, totals } = inputs;
  const manifest = {
    generation_id: inputs.generationId,
    case_id: report.case.id,
    as_of: report.madeAt,
    language: inputs.language,
    from: inputs.from,
    to: inputs.to,
    engine_version: inputs.engineVersion,
    rule_set_version: inputs.ruleSetVersion,
    label_lists: report.addresses[0]?.report.lists ?? null,
    degraded,
    rows: totals.rows,
    truncated: totals.truncated,
    addresses_cut: totals.cutAddresses,
    files,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
