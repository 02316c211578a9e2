import type { Records } from '../database/database.ts';
import type { AlertMailRow } from '../database/tables/alerts.ts';

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
  recipients: readonly { address: string; rhythm: AlertMailRow['rhythm'] }[],
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

/** Ends the mails about an account's alerts to an address. */
export async function endAlertMails(transaction: Records, accountId: string, address: string): Promise<void> {
  await transaction
    .deleteFrom('alert_mails')
    .where('account_id', '=', accountId)
    .where((e) => e(e.fn<string>('lower', ['address']), '=', address.toLowerCase()))
    .execute();
}
