import { buffer } from 'node:stream/consumers';
import { openRenderer, packageRenderer } from '../../../reports/render.ts';
import type { Context } from '../../../src/context.ts';
import { JOB_LANES } from '../../../src/domain/job.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import type { Attempt } from '../../../src/jobs/port.ts';
import { PLANS } from '../../../src/plans.ts';
import { addCaseAddress } from '../../../src/questions/cases/case-addresses.ts';
import { createCase } from '../../../src/questions/cases/manage-cases.ts';
import { getPackage } from '../../../src/questions/cases/report-package/get-packages.ts';
import { openFile } from '../../../src/questions/cases/report-package/package-files.ts';
import {
  PACKAGE_FILES,
  type PackageInputs,
  type PackageRenderer,
} from '../../../src/questions/cases/report-package/package-inputs.ts';
import { runPackage } from '../../../src/questions/cases/report-package/run-package.ts';
import { startPackage } from '../../../src/questions/cases/report-package/start-package.ts';
import { findReportPackage } from '../../../src/records/cases/report-packages.ts';
import { claimJob } from '../../../src/records/jobs/claim-job.ts';
import { endJob } from '../../../src/records/jobs/job-leases.ts';
import { unpackJson } from '../../../src/records/packed-json.ts';
import { openTestApp } from '../../app/test-app.ts';

export const renderer = packageRenderer(openRenderer(), { accountId: 'desk' });
export const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
export const SUBJECT = address(1);

export const payment = (i: number, given: Partial<Transfer> = {}): Transfer =>
  createTransfer({
    chain: 'ethereum',
    txHash: `0x${i.toString(16).padStart(64, '0')}`,
    index: 'native',
    at: Date.parse('2026-01-01T00:00:00Z') + i * 60_000,
    from: SUBJECT,
    to: address(100 + i),
    asset: 'ETH',
    amount: '0.5',
    kind: 'native',
    usd: 1_000.25,
    ...given,
  });

/** A desk whose case has one package in the queue; `env` are settings. */
export async function openDesk(transfers: Transfer[], { proofs = false, env = {} as Record<string, string> } = {}) {
  const { ctx, time, logged, issue } = await openTestApp(env);
  await ingestTransfers(ctx.graph, transfers);
  const issued = await issue('enterprise');
  const tenant = { ...issued, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id } = await createCase(ctx, tenant, { title: 'Theft' });
  await addCaseAddress(ctx, tenant, id, { address: SUBJECT });
  const { generation_id: generationId } = await startPackage(ctx, tenant, id, {
    language: 'en',
    from: null,
    to: null,
    proofs,
  });
  const attempt = async (renderer: PackageRenderer, by: Context = ctx) => {
    const job = (await claimJob(ctx.records, { type: 'str_package', lanes: JOB_LANES }, ctx.now(), 10_000))!;
    time.at += 60_000;
    const close: Attempt['close'] = (end) => endJob(ctx.records, job, { ...end, at: ctx.now() }, async () => {});
    const wait = async () => {};
    await runPackage(by, { job, signal: new AbortController().signal, stopping: () => false, wait, close }, renderer);
  };
  const found = () => getPackage(ctx, tenant, { caseId: id, generationId });
  const frozen = async () => {
    const { inputs } = (await findReportPackage(ctx.records, generationId))!;
    return unpackJson<PackageInputs>(inputs);
  };
  /** The bytes of a file as a download gives them; null for none. */
  const bytesOf = async (name: string) => {
    const content = await openFile(ctx, generationId, name);
    return content && buffer(content);
  };
  const allBytes = async () => {
    const all: Record<string, Buffer | null> = {};
    for (const name of Object.values(PACKAGE_FILES)) all[name] = await bytesOf(name);
    return all;
  };
  return { ctx, time, logged, tenant, caseId: id, generationId, attempt, found, frozen, bytesOf, allBytes };
}
