import type { Context } from '../../../context.ts';
import type { Tenant } from '../../../http/auth.ts';
import { insertAudit } from '../../../records/cases/audit.ts';
import { lockCase } from '../../../records/cases/cases.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';

/** Writes into timeline and audit log that a report of the case was made. Throws NotFoundError. */
export async function noteReport(ctx: Context, tenant: Tenant, caseId: string): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    await insertEventNote(records, { caseId, event: { kind: 'report_downloaded' }, now });
    await insertAudit(records, { ...tenant, caseId, action: 'report_downloaded', subject: 'report.pdf' }, now);
  });
}
