import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { PLANS } from '../../../src/plans.ts';
import { createCase } from '../../../src/questions/cases/manage-cases.ts';
import { notePackageDownload } from '../../../src/questions/cases/report-package/get-packages.ts';
import { openTestApp } from '../../app/test-app.ts';

it('a download of a package that cannot be logged leaves no row in the timeline', async () => {
  const { ctx, issue } = await openTestApp();
  const tenant = { ...(await issue('enterprise')), planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id } = await createCase(ctx, tenant, { title: 'Theft' });
  const note = () => notePackageDownload(ctx, tenant, id, { generationId: 'g', name: 'evidence.pdf' });
  const rows = () => ctx.records.selectFrom('case_notes').selectAll().execute();
  await note();
  expect(await rows()).toHaveLength(1);
  await sql`alter table audit_chains rename to away`.execute(ctx.records);
  await expect(note()).rejects.toThrow('audit_chains');
  await sql`alter table away rename to audit_chains`.execute(ctx.records);
  expect(await rows()).toHaveLength(1);
});
