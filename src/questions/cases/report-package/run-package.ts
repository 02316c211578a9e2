import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import type { Attempt } from '../../../jobs/port.ts';
import { PLANS } from '../../../plans.ts';
import { findAccount, lockAccount } from '../../../records/accounts/accounts.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';
import {
  citeScans,
  completeReportPackage,
  findReportPackage,
  insertReportPackage,
  readPackageRows,
} from '../../../records/cases/report-packages.ts';
import { inTransaction } from '../../../records/database/database.ts';
import type { StoredJob } from '../../../records/database/tables/jobs.ts';
import { takenOver, writeAsHolder } from '../../../records/jobs/job-leases.ts';
import { packJson, unpackJson } from '../../../records/packed-json.ts';
import { packageFolder } from '../../../version.ts';
import { citedScans } from '../report/gather-case-report.ts';
import { columnsJson } from './columns.ts';
import { freezePackage } from './freeze-package.ts';
import { type DrawnFile, keepFiles, packFile } from './package-files.ts';
import {
  PACKAGE_FILES,
  PACKAGE_FORMAT,
  type PackageFile,
  type PackageInputs,
  type PackageRenderer,
  type PackageRequest,
} from './package-inputs.ts';
import { provePackage } from './prove-package.ts';
import { tryStamp } from './stamp-package.ts';

/** The build of the console wrote it. */
const PAGE = join(packageFolder(), 'dist/console/verify.html');

/** Steps of a package, for its progress: inputs, CSV, PDF, DOCX. */
export const PACKAGE_STEPS = 4;

/**
 * Freezes the inputs of a package unless an earlier attempt did, draws its files, keeps their bytes with their digests,
 * and closes the job.
 */
export async function runPackage(ctx: Context, attempt: Attempt, renderer: PackageRenderer): Promise<void> {
  const { job, signal, close } = attempt;
  if (!isOfCase(job)) throw new Error('The job of a report package names no case');
  let proven = 0;
  const step = async (completed: number) => {
    signal.throwIfAborted();
    const done = { completed: completed + proven, total: PACKAGE_STEPS + proven };
    if (!(await writeAsHolder(ctx.records, job, done))) throw takenOver();
  };
  const earlier = await findReportPackage(ctx.records, job.id);
  // An attempt that ended between keeping its files and closing the job has done it all.
  if (earlier?.files) return close({ status: 'completed', errorMessage: null });
  // What another version froze has another form: an attempt that an upgrade ended begins again.
  const inputs =
    earlier?.format === PACKAGE_FORMAT ? await unpackJson<PackageInputs>(earlier.inputs) : await freezeInputs(ctx, job);
  await step(1);
  const csv = await packFile(
    PACKAGE_FILES.transactions,
    renderer.transactions(readPackageRows(ctx.records, job.id)),
    signal,
  );
  const columns = await packFile(PACKAGE_FILES.columns, [Buffer.from(columnsJson(inputs.language))]);
  const { proofs } = JSON.parse(job.input) as PackageRequest;
  const first = [csv, columns];
  if (proofs) {
    const onEach = async (total: number) => {
      proven += 1;
      const done = { completed: 1 + proven, total: PACKAGE_STEPS + total };
      if (!(await writeAsHolder(ctx.records, job, done))) throw takenOver();
    };
    const text = await provePackage(ctx, inputs, { account: job.account_id, signal, onEach });
    first.push(await packFile(PACKAGE_FILES.proofs, [Buffer.from(text)]));
  }
  if (proofs || inputs.timestamped) first.push(await packFile(PACKAGE_FILES.page, [await readFile(PAGE)]));
  await step(2);
  const { pdf, degraded } = await drawEvidence(ctx, renderer, inputs, first.map(described));
  const unsigned = await packFile(PACKAGE_FILES.evidence, [pdf]);
  const signed = ctx.signPdf && (await packFile(PACKAGE_FILES.evidence, [await ctx.signPdf(pdf, ctx.now())]));
  const evidence = signed ? { ...signed, unsigned_sha256: unsigned.sha256 } : unsigned;
  await step(3);
  const before = [...first, evidence].map(described);
  const draft = await packFile(PACKAGE_FILES.draft, [await renderer.draft(inputs, before)]);
  const files = [...before, described(draft)];
  const listed = Buffer.from(manifestJson({ inputs, files, degraded }));
  const made = [...first, evidence, draft, await packFile(PACKAGE_FILES.manifest, [listed])];
  const stamp = inputs.timestamped ? await tryStamp(ctx, listed, { id: job.id, signal }) : null;
  if (stamp) made.push(await packFile(PACKAGE_FILES.stamp, [stamp]));

  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, job.account_id);
    if (!(await writeAsHolder(records, job, { completed: PACKAGE_STEPS + proven, total: PACKAGE_STEPS + proven })))
      throw takenOver();
    await completeReportPackage(records, job.id, {
      files: JSON.stringify(files),
      degraded: degraded ? 1 : 0,
      stamp: stamp ? 'stamped' : inputs.timestamped ? 'pending' : null,
    });
    await keepFiles(records, job.id, made);
    const event = { kind: 'package_generated', generation_id: job.id } as const;
    const { keyId } = JSON.parse(job.input) as PackageRequest;
    await insertEventNote(records, { caseId: job.case_id, event, keyId, now: ctx.now() });
  });
  await close({ status: 'completed', errorMessage: null });
}

function described({ gzipped: _, ...file }: DrawnFile): PackageFile {
  return file;
}

function isOfCase(job: StoredJob): job is StoredJob & { case_id: string } {
  return job.case_id !== null;
}

async function freezeInputs(ctx: Context, job: StoredJob & { case_id: string }): Promise<PackageInputs> {
  const request = JSON.parse(job.input) as PackageRequest;
  const { id: accountId, plan_id: planId } = await findAccount(ctx.records, job.account_id);
  const tenant = { accountId, planId, plan: PLANS[planId], keyId: request.keyId };
  const inputs = await freezePackage(ctx, tenant, job, request);
  await citeScans(ctx.records, job.case_id, citedScans(inputs.report));
  await insertReportPackage(ctx.records, {
    id: job.id,
    case_id: job.case_id,
    format: PACKAGE_FORMAT,
    inputs: await packJson(inputs),
    files: null,
    degraded: 0,
    stamp: null,
    created_at: ctx.now(),
  });
  return inputs;
}

/** The evidence report in full, or in its simple form where drawing the full one fails. */
async function drawEvidence(
  ctx: Context,
  renderer: PackageRenderer,
  inputs: PackageInputs,
  files: readonly PackageFile[],
): Promise<{ pdf: Buffer; degraded: boolean }> {
  try {
    return { pdf: await renderer.evidence(inputs, files, { simple: false }), degraded: false };
  } catch (err) {
    ctx.log.error({ err, generation_id: inputs.generationId }, 'the evidence report is drawn in its simple form');
    return { pdf: await renderer.evidence(inputs, files, { simple: true }), degraded: true };
  }
}

/** The content of manifest.json: what the package consists of and was made from. */
function manifestJson({
  inputs,
  files,
  degraded,
}: {
  inputs: PackageInputs;
  files: readonly PackageFile[];
  degraded: boolean;
}): string {
  const { report, totals } = inputs;
  const manifest = {
    generation_id: inputs.generationId,
    case_id: report.case.id,
    as_of: report.madeAt,
    ...(report.approvedBy ? { prepared_by: report.author, approved_by: report.approvedBy } : {}),
    language: inputs.language,
    from: inputs.from,
    to: inputs.to,
    engine_version: inputs.engineVersion,
    rule_set_version: inputs.ruleSetVersion,
    label_lists: report.addresses[0]?.report.lists ?? null,
    degraded,
    clock: 'own machine',
    timestamp: inputs.timestamped ? PACKAGE_FILES.stamp : null,
    rows: totals.rows,
    truncated: totals.truncated,
    addresses_cut: totals.cutAddresses,
    ...(report.others?.length
      ? { addresses_left_out: report.others.map(({ chain, address }) => `${chain}:${address}`) }
      : {}),
    files,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
