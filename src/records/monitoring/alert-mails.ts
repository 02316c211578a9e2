import type { Records } from '../database/database.ts';
import type { AlertMailsTable } from '../database/tables/alerts.ts';

export type AlertMailRow = AlertMailsTable;

/** Recipients of the mails about an account's alerts; of one rhythm, or of both. */
export function listAlertMails(
  records: Records,
  accountId: string,
  rhythm?: AlertMailRow['rhythm'],
): Promise<AlertMailRow[]> {
  return records
    .selectFrom('alert_mails')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(rhythm !== undefined, (rows) => rows.where('rhythm', '=', rhythm!))
    .orderBy('address')
    .execute();
}

/** Replaces the recipients of an account; digests of those that stay go on where they were. */
export async function saveAlertMails(
  transaction: Records,
  accountId: string,
  recipients: readonly Pick<AlertMailRow, 'address' | 'rhythm'>[],
  now: number,
): Promise<void> {
  const kept = recipients.map(({ address }) => address);
  await transaction
    .deleteFrom('alert_mails')
    .where('account_id', '=', accountId)
    .$if(kept.length > 0, (rows) => rows.where('address', 'not in', kept))
    .execute();
  for (const { address, rhythm } of recipients) {
    await transaction
      .insertInto('alert_mails')
      .values({ account_id: accountId, address, rhythm, missed: 0, digest_at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'address']).doUpdateSet({ rhythm }))
      .execute();
  }
}

/** Notes that an alert went to no mail at once: the next digest has it. */
export async function noteMissed(records: Records, accountId: string, address: string): Promise<void> {
  await updateOf(records, accountId, address).set({ missed: 1 }).execute();
}

export async function noteDigest(records: Records, { account_id, address }: AlertMailRow, at: number): Promise<void> {
  await updateOf(records, account_id, address).set({ missed: 0, digest_at: at }).execute();
}

/** Recipients whose last digest is from before a moment: the daily ones, and those that missed an alert. */
export function dueDigests(records: Records, before: number): Promise<AlertMailRow[]> {
  return records
    .selectFrom('alert_mails')
    .selectAll()
    .where('digest_at', '<=', before)
    .where((e) => e.or([e('rhythm', '=', 'daily'), e('missed', '=', 1)]))
    .orderBy('account_id')
    .orderBy('address')
    .execute();
}

/** Alerts that were raised since a moment, newest first, and how many there are; those of tried rules ring nowhere. */
export async function alertsSince(records: Records, accountId: string, since: number, limit: number) {
  const raised = records
    .selectFrom('alerts')
    .where('account_id', '=', accountId)
    .where('last_raised_at', '>', since)
    .where('is_test', '=', 0);
  const { total } = await raised.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const alerts = await raised
    .select(['title', 'severity', 'last_raised_at'])
    .orderBy('rank', 'desc')
    .orderBy('last_raised_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return { alerts, total: Number(total) };
}

function updateOf(records: Records, accountId: string, address: string) {
  return records.updateTable('alert_mails').where('account_id', '=', accountId).where('address', '=', address);
}
