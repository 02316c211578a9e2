import { HOUR_MS } from '../../domain/time.ts';
import { inTransaction, type Records } from '../database/database.ts';
import { type Actor, insertAudit } from './audit-log.ts';

export interface View {
  action: 'case_viewed' | 'address_viewed';
  subject: string;
  caseId?: string;
}

/** Writes what a key or person saw into the audit log, each object once an hour. */
export async function insertView(
  records: Records,
  { accountId, keyId, ip }: Actor,
  views: readonly View[],
  now: number,
): Promise<void> {
  const hour = now - (now % HOUR_MS);
  await inTransaction(records, async (transaction) => {
    for (const view of views) {
      const written = await transaction
        .insertInto('audit_views')
        .values({ chain: accountId, actor_id: keyId ?? '', subject: view.subject, hour })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (Number(written.numInsertedOrUpdatedRows) === 0) continue;
      await insertAudit(transaction, { accountId, keyId, ip, ...view }, now);
    }
  });
}

/** Forgets which views of earlier hours are written; the entries stay. */
export async function forgetViews(records: Records, before: number): Promise<void> {
  await records.deleteFrom('audit_views').where('hour', '<', before).execute();
}
