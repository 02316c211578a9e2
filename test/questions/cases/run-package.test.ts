import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { openRenderer, packageRenderer } from '../../../reports/render.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import type { Attempt } from '../../../src/jobs/port.ts';
import { PLANS } from '../../../src/plans.ts';
import { addCaseAddress } from '../../../src/questions/cases/case-addresses.ts';
import { createCase, getCase } from '../../../src/questions/cases/manage-cases.ts';
import { getPackage, listPackages } from '../../../src/questions/cases/report-package/get-packages.ts';
import type { PackageRenderer } from '../../../src/questions/cases/report-package/package-inputs.ts';
import { runPackage } from '../../../src/questions/cases/report-package/run-package.ts';
import { startPackage } from '../../../src/questions/cases/report-package/start-package.ts';
import { claimJob } from '../../../src/records/jobs/claim-job.ts';
import { endJob } from '../../../src/records/jobs/job-leases.ts';
import { openTestApp } from '../../app/test-app.ts';

const renderer = packageRenderer(openRenderer(), { accountId: 'desk' });
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
const SUBJECT = address(1);

const payment = (i: number, given: Partial<Transfer> = {}): Transfer =>
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

async function openDesk(transfers: Transfer[]) {
  const { ctx, time, issue } = await openTestApp();
  await ingestTransfers(ctx.graph, transfers);
  const issued = await issue('enterprise');
  const tenant = { ...issued, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id } = await createCase(ctx, tenant, { title: 'Theft' });
  await addCaseAddress(ctx, tenant, id, { address: SUBJECT });
  const { generation_id: generationId } = await startPackage(ctx, tenant, id, { language: 'en', from: null, to: null });
  const attempt = async (by: PackageRenderer) => {
    const job = (await claimJob(ctx.records, { type: 'str_package', lanes: ['any'] }, ctx.now(), 10_000))!;
    time.at += 60_000;
    const close: Attempt['close'] = (end) => endJob(ctx.records, job, { ...end, at: ctx.now() }, async () => {});
    await runPackage(ctx, { job, signal: new AbortController().signal, stopping: () => false, close }, by);
  };
  const found = () => getPackage(ctx, tenant, { caseId: id, generationId });
  return { ctx, tenant, caseId: id, attempt, found };
}

it('an attempt after a killed one draws what the first one froze, and lists each transaction once', {
  timeout: 30_000,
}, async () => {
  const { ctx, tenant, caseId, attempt, found } = await openDesk(Array.from({ length: 1_201 }, (_, i) => payment(i)));
  const killed: PackageRenderer = {
    ...renderer,
    evidence: () => new Promise(() => {}),
    transactions: () => {
      throw new Error('killed');
    },
  };
  await expect(attempt(killed)).rejects.toThrow('killed');
  await expect(found()).rejects.toThrow('Report package is not ready: stale');
  const [frozen] = await ctx.records.selectFrom('report_packages').selectAll().execute();
  await ingestTransfers(ctx.graph, [payment(9_999)]);
  await addCaseAddress(ctx, tenant, caseId, { address: address(2) });
  await attempt(renderer);
  const { inputs, rows } = await found();
  expect(Date.parse(inputs.report.madeAt)).toBeLessThanOrEqual(frozen!.created_at);
  expect(inputs.report.addresses).toHaveLength(1);
  const all: string[][] = [];
  for await (const part of rows()) all.push(...part);
  expect(all.map(([no]) => no)).toEqual(Array.from({ length: 1_201 }, (_, i) => String(i + 1)));
  expect(inputs.totals).toMatchObject({ rows: 1_201, inUsd: '0.00', outUsd: '1201300.25', unpriced: 0 });
});

it('is drawn in its simple form where the full one fails, says so, and keeps to it', async () => {
  const { ctx, tenant, caseId, attempt, found } = await openDesk([payment(1)]);
  await attempt({
    ...renderer,
    evidence: async (inputs, files, options) => {
      if (!options.simple) throw new Error('A glyph cannot be drawn');
      return renderer.evidence(inputs, files, options);
    },
  });
  const generated = await found();
  expect(generated.degraded).toBe(true);
  const [listed] = await listPackages(ctx, tenant, caseId);
  const before = generated.files.slice(0, 2);
  const simple = await renderer.evidence(generated.inputs, before, { simple: true });
  expect(createHash('sha256').update(simple).digest('hex')).toBe(listed!.output_hash);
  const full = await renderer.evidence(generated.inputs, before, { simple: false });
  expect(full.equals(simple)).toBe(false);
  const { notes } = await getCase(ctx, tenant, caseId);
  expect(notes).toHaveLength(1);
});

it('gives the same bytes over 20 runs and in any order of documents', async () => {
  const { attempt, found } = await openDesk([payment(1), payment(2, { usd: null })]);
  await attempt(renderer);
  const { inputs, files } = await found();
  const digests = new Set<string>();
  for (let run = 0; run < 20; run++) {
    const copy = structuredClone(inputs);
    const documents = [
      await renderer.evidence(copy, files.slice(0, 2), { simple: false }),
      await renderer.draft(copy, files.slice(0, 3)),
    ];
    digests.add(documents.map((one) => createHash('sha256').update(one).digest('hex')).join());
  }
  expect([...digests]).toEqual([`${files[2]!.sha256},${files[3]!.sha256}`]);
});
