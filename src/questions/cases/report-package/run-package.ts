import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Attempt } from '../../../jobs/port.ts';
import { PLANS } from '../../../plans.ts';
import { findAccount } from '../../../records/accounts/accounts.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';
import {
  completeReportPackage,
  findReportPackage,
  insertReportPackage,
  readPackageRows,
} from '../../../records/cases/report-packages.ts';
import { inTransaction } from '../../../records/database/database.ts';
import { packJson, unpackJson } from '../../../records/database/packed-json.ts';
import { takenOver, writeAsHolder } from '../../../records/jobs/job-leases.ts';
import type { Job } from '../../../records/jobs/jobs.ts';
import { columnsJson } from './columns.ts';
import { freezePackage } from './freeze-package.ts';
import {
  PACKAGE_FILES,
  PACKAGE_FORMAT,
  type PackageFile,
  type PackageInputs,
  type PackageRenderer,
  type PackageRequest,
} from './package-inputs.ts';

/** Steps of a package, for its progress: inputs, CSV, PDF, DOCX. */
export const PACKAGE_STEPS = 4;

/**
 * Freezes the inputs of a package unless an earlier attempt did, draws its files once to fix their digests, and closes
 * the job. The files themselves are not kept: downloads draw them again.
 */
export async function runPackage(ctx: Context, attempt: Attempt, renderer: PackageRenderer): Promise<void> {
  const { job, signal, close } = attempt;
  if (!isOfCase(job)) throw new Error('The job of a report package names no case');
  const step = async (completed: number) => {
    signal.throwIfAborted();
    if (!(await writeAsHolder(ctx.records, job, { completed }))) throw takenOver();
  };
  const inputs = await frozenInputs(ctx, job);
  await step(1);
  const csv = await digestOf(
    PACKAGE_FILES.transactions,
    renderer.transactions(readPackageRows(ctx.records, job.id)),
    signal,
  );
  const columns = await digestOf(PACKAGE_FILES.columns, [Buffer.from(columnsJson(inputs.language))], signal);
  await step(2);
  const { pdf, degraded } = await drawEvidence(ctx, renderer, inputs, [csv, columns]);
  const evidence = await digestOf(PACKAGE_FILES.evidence, [pdf], signal);
  await step(3);
  const made = [csv, columns, evidence];
  const draft = await digestOf(PACKAGE_FILES.draft, [await renderer.draft(inputs, made)], signal);

  await inTransaction(ctx.records, async (records) => {
    if (!(await writeAsHolder(records, job, { completed: PACKAGE_STEPS }))) throw takenOver();
    const files = JSON.stringify([...made, draft]);
    await completeReportPackage(records, job.id, { files, degraded: degraded ? 1 : 0 });
    const event = { kind: 'package_generated', generation_id: job.id } as const;
    await insertEventNote(records, { caseId: job.case_id, event, now: ctx.now() });
  });
  await close({ status: 'completed', errorMessage: null });
}

function isOfCase(job: Job): job is Job & { case_id: string } {
  return job.case_id !== null;
}

async function frozenInputs(ctx: Context, job: Job & { case_id: string }): Promise<PackageInputs> {
  const earlier = await findReportPackage(ctx.records, job.id);
  if (earlier) return unpackJson<PackageInputs>(earlier.inputs);
  const request = JSON.parse(job.input) as PackageRequest;
  const { id: accountId, plan_id: planId } = await findAccount(ctx.records, job.account_id);
  const tenant = { accountId, planId, plan: PLANS[planId], keyId: request.keyId };
  const inputs = await freezePackage(ctx, tenant, job, request);
  await insertReportPackage(ctx.records, {
    id: job.id,
    case_id: job.case_id,
    format: PACKAGE_FORMAT,
    inputs: await packJson(inputs),
    files: null,
    degraded: 0,
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

async function digestOf(
  name: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal: AbortSignal,
): Promise<PackageFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, sha256: hash.digest('hex'), bytes };
}
