import type { ChainAddress } from '../../domain/chain.ts';
import { NotFoundError } from '../../errors.ts';
import type { ChangeOf, Records } from '../database/database.ts';
import type { WatchlistRow } from '../database/tables/monitoring.ts';

/** The account's items in the order in which they were added. */
export function listItems(
  records: Records,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<WatchlistRow[]> {
  return records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countItems(records: Records, accountId: string): Promise<number> {
  const { count } = await records
    .selectFrom('watchlist_items')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countLiveItems(records: Records, accountId: string): Promise<number> {
  const { count } = await records
    .selectFrom('watchlist_items')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('live', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Items of the account that were added before this one. */
export async function countItemsBefore(records: Records, item: WatchlistRow): Promise<number> {
  const { count } = await records
    .selectFrom('watchlist_items')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', item.account_id)
    .where((e) =>
      e.or([
        e('created_at', '<', item.created_at),
        e.and([e('created_at', '=', item.created_at), e('id', '<', item.id)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function findItemOf(
  records: Records,
  accountId: string,
  { chain, address }: ChainAddress,
): Promise<WatchlistRow | undefined> {
  return records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst();
}

/** Throws NotFoundError. */
export async function findItem(records: Records, accountId: string, id: string): Promise<WatchlistRow> {
  return records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

export async function insertItem(records: Records, item: WatchlistRow): Promise<void> {
  await records.insertInto('watchlist_items').values(item).execute();
}

/** Throws NotFoundError. */
export async function updateItem(records: Records, id: string, change: ChangeOf<WatchlistRow>): Promise<WatchlistRow> {
  return records
    .updateTable('watchlist_items')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Throws NotFoundError. */
export async function deleteItem(records: Records, accountId: string, id: string): Promise<WatchlistRow> {
  return records
    .deleteFrom('watchlist_items')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Counts one manual rescan of the UTC day; false when there were `max` already. */
export async function countManualRescan(records: Records, id: string, day: string, max: number): Promise<boolean> {
  const started = await records
    .updateTable('watchlist_items')
    .set({ manual_day: day, manual_rescans: 1 })
    .where('id', '=', id)
    .where((e) => e.or([e('manual_day', 'is', null), e('manual_day', '!=', day)]))
    .executeTakeFirst();
  if (started.numUpdatedRows > 0n) return true;
  const counted = await records
    .updateTable('watchlist_items')
    .set((e) => ({ manual_rescans: e('manual_rescans', '+', 1) }))
    .where('id', '=', id)
    .where('manual_day', '=', day)
    .where('manual_rescans', '<', max)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

/** Counts the items last scanned under another rule set, of the first `limit` that the plan scans (-1: all). */
export async function countOtherRuleSet(
  records: Records,
  accountId: string,
  ruleSet: string,
  limit: number,
): Promise<number> {
  const { count } = await records
    .selectFrom('watchlist_items')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('last_rule_set', '!=', ruleSet)
    .where('failing_since', 'is', null)
    .$if(limit !== -1, (items) =>
      items.where('id', 'in', (e) =>
        e
          .selectFrom('watchlist_items as scanned')
          .select('scanned.id')
          .where('scanned.account_id', '=', accountId)
          .orderBy('scanned.created_at')
          .orderBy('scanned.id')
          .limit(limit),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The items whose level a new rule set changed, and forgets that it did. */
export async function takeRuleSetChanges(records: Records, accountId: string): Promise<WatchlistRow[]> {
  const changed = await records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('level_before_rule_set', 'is not', null)
    .orderBy('created_at')
    .execute();
  if (changed.length === 0) return [];
  await records
    .updateTable('watchlist_items')
    .set({ level_before_rule_set: null })
    .where('account_id', '=', accountId)
    .where('level_before_rule_set', 'is not', null)
    .execute();
  return changed;
}
