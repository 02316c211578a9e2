import { randomUUID } from 'node:crypto';
import { chainFamily } from '../../domain/chain.ts';
import { LimitError, NotFoundError } from '../../errors.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { insertAudit, OPERATOR } from '../audit/audit-log.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { ReportedScam, ScamReport } from '../database/tables/scamdb.ts';

export interface NewScamReport extends ReportedScam {
  account_id: string;
  domains: string[];
}

const WAITING_MAX = 50;

/** Keeps a report as pending; returns its id. Throws LimitError where as many of the account as may be wait for a decision. */
export async function insertScamReport(records: Records, report: NewScamReport, now: number): Promise<string> {
  const id = randomUUID();
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, report.account_id);
    const { waiting } = await transaction
      .selectFrom('scam_reports')
      .select((e) => e.fn.countAll().as('waiting'))
      .where('account_id', '=', report.account_id)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    if (Number(waiting) >= WAITING_MAX) throw new LimitError(`${WAITING_MAX} reports waiting for a decision`);
    await transaction
      .insertInto('scam_reports')
      .values({
        ...report,
        id,
        family: chainFamily(report.chain),
        domains: JSON.stringify(report.domains),
        status: 'pending',
        created_at: now,
        decided_at: null,
        decided_by: null,
        decision_reason: null,
      })
      .execute();
  });
  return id;
}

const REPORTS_MAX = 10_000;

/** Reports in one state, oldest first; `limit` at most REPORTS_MAX. */
export async function listScamReports(
  records: Records,
  { status, limit }: { status: ScamReport['status']; limit: number },
): Promise<ScamReport[]> {
  return records
    .selectFrom('scam_reports')
    .selectAll()
    .where('status', '=', status)
    .orderBy('created_at')
    .orderBy('id')
    .limit(Math.min(limit, REPORTS_MAX))
    .execute();
}

/** A page of the reports of one account, newest first, and how many it has made. */
export async function pageOwnReports(
  records: Records,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ScamReport[]; total: number }> {
  const own = records.selectFrom('scam_reports').where('account_id', '=', accountId);
  const { total } = await own.select((e) => e.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const newest = own.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  return { rows: await newest.limit(limit).offset(offset).execute(), total: Number(total) };
}

/** Throws NotFoundError. */
async function findScamReport(records: Records, id: string): Promise<ScamReport> {
  const report = await records.selectFrom('scam_reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (!report) throw new NotFoundError(`Report not found: ${id}`);
  return report;
}

/** Records a decision; the same decision again keeps the first one's day and reason. Throws NotFoundError. */
export function decideScamReport(
  records: Records,
  id: string,
  { status, by, reason }: { status: 'verified' | 'rejected'; by: string; reason: string | null },
  now: number,
): Promise<ScamReport> {
  return inTransaction(records, async (transaction) => {
    const report = await findScamReport(transaction, id);
    if (report.status === status) return report;
    const decided = { status, decided_at: now, decided_by: by, decision_reason: reason };
    await transaction.updateTable('scam_reports').set(decided).where('id', '=', id).execute();
    const detail = `${status} by ${by}${reason === null ? '' : `: ${reason}`}`;
    await insertAudit(transaction, { ...OPERATOR, action: 'scam_report_decided', subject: id, detail }, now);
    return { ...report, ...decided };
  });
}

/** Verified reports of one address, oldest first. */
export async function findVerifiedReports(records: Records, { family, address }: ScamReport): Promise<ScamReport[]> {
  return records
    .selectFrom('scam_reports')
    .selectAll()
    .where('family', '=', family)
    .where('address', '=', address)
    .where('status', '=', 'verified')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
