import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { ScamType } from '../../domain/scam.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { isBlameless } from '../../domain/tracing/asset-id.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction } from '../../records/database/database.ts';
import { insertScamReport, pageOwnReports } from '../../records/scamdb/reports.ts';

export interface ReportInput {
  /** `evm` where the report speaks of all EVM chains. */
  chain: Chain | 'evm';
  /** Canonical. */
  address: string;
  type: ScamType;
  description: string;
  /** Host names in their normal form. */
  domains?: string[] | null;
  evidence_url?: string | null;
  stolen_usd?: number | null;
}

const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Keeps a report for the operator to decide on; nothing else changes. Throws InvalidInputError for an address without a holder. */
export async function reportScam(ctx: Context, tenant: Tenant, input: ReportInput) {
  if (isBlameless(input.address)) throw new InvalidInputError(`Nobody holds ${input.address}: it is not ${input.type}`);
  const report = {
    account_id: tenant.accountId,
    chain: input.chain,
    address: input.address,
    type: input.type,
    description: input.description.replace(BIDI, ''),
    domains: [...new Set(input.domains ?? [])],
    evidence_url: input.evidence_url ?? null,
    stolen_usd: input.stolen_usd ?? null,
  };
  const now = ctx.now();
  const id = await inTransaction(ctx.records, async (records) => {
    const id = await insertScamReport(records, report, now);
    const subject = `${report.chain}:${report.address}`;
    await insertAudit(records, { ...tenant, action: 'scam_reported', subject, detail: id }, now);
    return id;
  });
  return { success: true as const, report_id: id, status: 'pending' as const };
}

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
