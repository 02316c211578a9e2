import { LimitError, NotFoundError } from '../../errors.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { AlertTurnRow, AlertViewRow } from '../database/tables/alerts.ts';

const VIEWS_MAX = 50;

/** Lists the views of an account by name. */
export function listViews(records: Records, accountId: string): Promise<AlertViewRow[]> {
  return records.selectFrom('alert_views').selectAll().where('account_id', '=', accountId).orderBy('name').execute();
}

/** Throws NotFoundError. */
export async function findView(records: Records, accountId: string, id: string): Promise<AlertViewRow> {
  const views = records.selectFrom('alert_views').selectAll().where('account_id', '=', accountId);
  return views.where('id', '=', id).executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Saves a view; one of the same name gets the new filter. Throws LimitError. */
export function saveView(records: Records, view: AlertViewRow): Promise<AlertViewRow> {
  return inTransaction(records, async (transaction) => {
    await lockAccount(transaction, view.account_id);
    const others = (await listViews(transaction, view.account_id)).filter(({ name }) => name !== view.name);
    if (others.length >= VIEWS_MAX) throw new LimitError(`${VIEWS_MAX} views of alerts`);
    return transaction
      .insertInto('alert_views')
      .values(view)
      .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet({ filter: view.filter }))
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Throws NotFoundError. */
export async function deleteView(records: Records, accountId: string, id: string): Promise<void> {
  const views = records.deleteFrom('alert_views').where('account_id', '=', accountId).where('id', '=', id);
  if ((await views.executeTakeFirst()).numDeletedRows === 0n) throw new NotFoundError();
}

export function findTurns(records: Records, accountId: string): Promise<AlertTurnRow | undefined> {
  return records.selectFrom('alert_turns').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export async function saveTurns(
  records: Records,
  accountId: string,
  { assignees, inTurns }: { assignees: readonly string[]; inTurns: boolean },
): Promise<void> {
  const values = { assignees: JSON.stringify(assignees), in_turns: Number(inTurns) };
  await records
    .insertInto('alert_turns')
    .values({ account_id: accountId, next: 0, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}
