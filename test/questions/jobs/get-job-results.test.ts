import { expect, it } from 'vitest';
import { PLANS } from '../../../src/plans.ts';
import { getJobResults, type RowResult } from '../../../src/questions/jobs/get-job-results.ts';
import { insertJobRows } from '../../../src/records/jobs/job-rows.ts';
import { insertJob } from '../../../src/records/jobs/jobs.ts';
import type { Detection } from '../../../src/risk/detection.ts';
import { openTestApp } from '../../app/test-app.ts';

const MIB = 2 ** 20;
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
const hash = (i: number) => `0x${i.toString(16).padStart(64, '0')}`;

/** A finding with the most evidence, counterparties and ways that a detector states. */
function fullDetection(i: number): Detection {
  const fifty = Array.from({ length: 50 }, (_, k) => k);
  return {
    detector_id: `detector_${i}`,
    detector_name: 'Detector',
    severity: 'HIGH',
    description: 'x'.repeat(1_000),
    details: {
      evidence: fifty.map((k) => `${hash(k)}#native`),
      counterparties: fifty.map(address),
      labels: fifty.map((k) => ({ address: address(k), label: 'y'.repeat(200) })),
      measured: {},
      ways: Array.from({ length: 5 }, () => ({
        address: address(1),
        usd: 1,
        hops: 10,
        path: fifty.slice(0, 10).map(hash),
      })),
    },
  } as unknown as Detection;
}

it('pages the results of the largest job, each page of 1 MiB at most, and leaves no row out', async () => {
  const { ctx, issue } = await openTestApp();
  const tenant = { ...(await issue('enterprise')), planId: 'enterprise', plan: PLANS.enterprise } as const;
  const count = PLANS.enterprise.batchSize;
  const job = await insertJob(
    ctx.records,
    { accountId: tenant.accountId, type: 'batch_scan', input: {}, total: count },
    ctx.now(),
  );
  const detections = Array.from({ length: 8 }, (_, i) => fullDetection(i));
  const result: RowResult = { risk_level: 'HIGH', risk_score: 80, detection_count: 8, detections, metadata: {} };
  const rows = Array.from({ length: count }, (_, i) => ({
    chain: 'ethereum' as const,
    address: address(i),
    valid: 1,
    status: 'completed' as const,
    error_message: null,
    completed_at: ctx.now(),
  }));
  await insertJobRows(ctx.records, job.id, rows);
  await ctx.records
    .updateTable('job_rows')
    .set({ result: JSON.stringify(result) })
    .execute();

  const read: string[] = [];
  let pages = 0;
  for (let total = 1; read.length < total; pages++) {
    const page = await getJobResults(ctx, tenant, { jobId: job.id, limit: 500, offset: read.length });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1.01 * MIB);
    expect(page.results.length).toBeGreaterThan(0);
    read.push(...page.results.map((row) => row.address));
    total = page.total;
    expect(page.next).toBe(read.length < total ? read.length : null);
  }
  expect(pages).toBeGreaterThan(1);
  expect(read).toEqual(rows.map((row) => row.address));
});
