import type { Context, RecordsContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isValidAt, type Label } from '../../domain/label.ts';
import type { CaseIndicators, Tlp } from '../../exports/indicators.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { listCaseAddresses } from '../../records/cases/addresses.ts';
import { findCase, lockCase } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';

/** The addresses of a case with what is known of them; those of victims are left out. Throws NotFoundError. */
export async function caseIndicators(
  ctx: Pick<Context, 'records' | 'labels' | 'now'>,
  { accountId }: Tenant,
  caseId: string,
  tlp: Tlp,
): Promise<CaseIndicators> {
  const { title, priority, status, created_at } = await findCase(ctx.records, accountId, caseId);
  const addresses = (await listCaseAddresses(ctx.records, accountId, caseId)).filter(({ role }) => role !== 'victim');
  const labels = new Map<Chain, Map<string, Label[]>>();
  for (const [chain, rows] of groupBy(addresses, (row) => row.chain)) {
    const named = rows.map(({ address }) => address);
    labels.set(chain, await ctx.labels.find(chain, named));
  }
  const now = ctx.now();
  const indicators = addresses.map(({ chain, address, role, created_at: addedAt }) => {
    const label = labels
      .get(chain)
      ?.get(address)
      ?.find((one) => isValidAt(one, now));
    return {
      chain,
      address,
      role,
      category: label?.category ?? 'unknown',
      confidence: label?.confidence ?? null,
      source: label?.source ?? null,
      label: label?.label ?? null,
      addedAt,
    };
  });
  return { caseId, title, priority, status, openedAt: created_at, exportedAt: now, tlp, indicators };
}

/** Writes into timeline and audit log which file of the case was made. Throws NotFoundError or LimitError. */
export async function noteExport(ctx: RecordsContext, tenant: Tenant, caseId: string, file: string): Promise<void> {
  const now = ctx.now();
  await ctx.records.transaction().execute(async (records) => {
    await lockCase(records, tenant.accountId, caseId, now);
    await insertEventNote(records, { caseId, event: { kind: 'case_exported', file }, now });
    await insertAudit(records, { ...tenant, caseId, action: 'case_exported', subject: file }, now);
  });
}
