import type { Context } from '../../context.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { pageOwnReports } from '../../records/scamdb/reports.ts';

/** A page of the reports that the account made, newest first, with what the operator decided. */
export async function listOwnReports(ctx: Context, accountId: string, page: { limit: number; offset: number }) {
  const { rows, total } = await pageOwnReports(ctx.records, accountId, page);
  const reports = rows.map(({ id, address, chain, type, description, status, ...row }) => ({
    report_id: id,
    address,
    chain,
    type,
    description,
    status,
    created_at: iso(row.created_at),
    decided_at: isoOrNull(row.decided_at),
    decision_reason: row.decision_reason,
  }));
  return { reports, total, ...page };
}
