import type { RecordsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { DAY_MS, iso } from '../../domain/time.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { findInCases } from '../../records/cases/addresses.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { inTransaction } from '../../records/database/database.ts';
import { type DeletedScans, deleteOldestScans } from '../../records/scans/scans.ts';

const AT_ONCE = 1_000;

/**
 * Deletes recorded scans, oldest first, the young ones of a day apart, which limits count. Cases that hold the addresses
 * say so in their timelines. Throws LimitError where a timeline is full.
 */
export async function deleteScans(
  { records, now }: RecordsContext,
  tenant: Tenant,
  asked: DeletedScans,
): Promise<{ deleted: number; left: number }> {
  const { accountId } = tenant;
  const at = now();
  const before = Math.min(asked.before, at - DAY_MS);
  return inTransaction(records, async (transaction) => {
    await lockAccount(transaction, accountId);
    const { deleted, left } = await deleteOldestScans(transaction, accountId, { ...asked, before }, AT_ONCE);
    if (deleted.length === 0) return { deleted: 0, left };
    const scansOf = new Map<string, number>();
    for (const { chain, address } of deleted) {
      const key = addressKey(chain, address);
      scansOf.set(key, (scansOf.get(key) ?? 0) + 1);
    }
    const addresses = deleted.map(({ address }) => address);
    const scansOfCase = new Map<string, number>();
    for (const { case_id, chain, address } of await findInCases(transaction, accountId, addresses)) {
      const scans = scansOf.get(addressKey(chain, address)) ?? 0;
      scansOfCase.set(case_id, (scansOfCase.get(case_id) ?? 0) + scans);
    }
    for (const [caseId, scans] of scansOfCase) {
      const event = { kind: 'scans_deleted', scans, before: iso(before) } as const;
      if (scans > 0) await insertEventNote(transaction, { caseId, event, now: at });
    }
    const entry = { action: 'scans_deleted', subject: iso(before), detail: `${deleted.length}` } as const;
    await insertAudit(transaction, { ...tenant, ...entry }, at);
    return { deleted: deleted.length, left };
  });
}
