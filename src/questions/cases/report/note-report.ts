import type { Context } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { authorName } from '../../../records/accounts/people.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import { lockCase } from '../../../records/cases/cases.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';
import { citeScans } from '../../../records/cases/report-packages.ts';
import { type CaseReportInput, citedScans } from './gather-case-report.ts';

/** Writes into timeline and audit log that a report of the case was made. Throws NotFoundError. */
export async function noteReport(ctx: Context, tenant: Tenant, caseId: string, input: CaseReportInput): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    await citeScans(records, caseId, citedScans(input));
    const author = await authorName(records, tenant.keyId);
    await insertEventNote(records, { caseId, event: { kind: 'report_downloaded' }, author, now });
    await insertAudit(records, { ...tenant, caseId, action: 'report_downloaded', subject: 'report.pdf' }, now);
  });
}

/** Writes into the audit log that a report about an address was made. */
export async function noteAddressReport(
  ctx: Context,
  tenant: Tenant,
  { chain, address }: { chain: Chain; address: string },
): Promise<void> {
  await insertAudit(ctx.records, { ...tenant, action: 'report_downloaded', subject: `${chain}:${address}` }, ctx.now());
}
