import type { RecordsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { DAY_MS, iso } from '../../domain/time.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { deleteExpired } from '../../records/accounts/retention.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { findInCases } from '../../records/cases/addresses.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import { type DeletedScans, deleteOldestScans } from '../../records/scans/scans.ts';
import { countTraced } from '../../records/scans/traced-addresses.ts';

const AT_ONCE = 1_000;
const TRACED_STEPS = 20;

/**
 * Deletes recorded scans, oldest first, the young ones of a day apart, which limits count; where they are not narrowed, also
 * which addresses scans and traces opened, so that all that scans store can go. Cases that hold the addresses of the scans say
 * so in their timelines. Returns how many scans went, and how many scans and opened addresses are left. Throws LimitError where
 * a timeline is full.
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
    const isNarrowed = asked.chain !== undefined || asked.address !== undefined;
    const traced = isNarrowed
      ? { deleted: 0, left: 0 }
      : await deleteTraced(transaction, accountId, { before, now: at });
    const answer = { deleted: deleted.length, left: left + traced.left };
    if (deleted.length === 0 && traced.deleted === 0) return answer;
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
      if (scans > 0) await insertEventNote(transaction, { caseId, event, keyId: tenant.keyId, now: at });
    }
    const detail = traced.deleted > 0 ? `${deleted.length}, traced: ${traced.deleted}` : `${deleted.length}`;
    await insertAudit(transaction, { ...tenant, action: 'scans_deleted', subject: iso(before), detail }, at);
    return answer;
  });
}

async function deleteTraced(
  records: Records,
  accountId: string,
  { before, now }: { before: number; now: number },
): Promise<{ deleted: number; left: number }> {
  let deleted = 0;
  for (let nth = 0; nth < TRACED_STEPS; nth++) {
    const step = await deleteExpired(records, 'traced', { accountId, before, after: null, now });
    deleted += step.deleted;
    if (!step.next) return { deleted, left: 0 };
  }
  return { deleted, left: await countTraced(records, accountId, before) };
}
