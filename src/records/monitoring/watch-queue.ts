import { type Chain, EVM_CHAINS } from '../../domain/chain.ts';
import type { Records } from '../database/database.ts';
import { chunksOf } from '../database/in-chunks.ts';
import type { WatchlistItem } from './watchlist.ts';

/** Takes an item until `busyUntil`; undefined while somebody else holds it. */
export function takeItem(
  records: Records,
  id: string,
  now: number,
  busyUntil: number,
): Promise<WatchlistItem | undefined> {
  return records
    .updateTable('watchlist_items')
    .set({ busy_until: busyUntil })
    .where('id', '=', id)
    .where('busy_until', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

/** Holds a taken item until another moment, 0 to give it back; false when it was lost or deleted. */
export async function holdItem(records: Records, id: string, heldUntil: number, busyUntil: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('watchlist_items')
    .set({ busy_until: busyUntil })
    .where('id', '=', id)
    .where('busy_until', '=', heldUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Items of these chains that are due and free: those of one account after those of others, longest due first. */
export async function dueItems(
  records: Records,
  chains: readonly Chain[],
  now: number,
  limit: number,
): Promise<WatchlistItem[]> {
  const due = records
    .selectFrom('watchlist_items')
    .selectAll()
    .select((e) =>
      e.fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('account_id').orderBy('next_scan_at').orderBy('id'))
        .as('turn'),
    )
    .where((e) => e.or([e('next_scan_at', '<=', now), e('walk_due', '=', 1)]))
    .where('busy_until', '<=', now)
    .where('chain', 'in', chains);
  return records
    .selectFrom(due.as('due'))
    .selectAll()
    .orderBy('turn')
    .orderBy('next_scan_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Items that wait for their next scan and have a label that changed since shortly before the last one, or their beginning. */
export function itemsWithChangedLabels(records: Records, now: number, marginMs: number): Promise<WatchlistItem[]> {
  return records
    .selectFrom('watchlist_items')
    .selectAll()
    .where('next_scan_at', '>', now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('labels')
          .select('labels.address')
          .whereRef('labels.address', '=', 'watchlist_items.address')
          .where((e) => {
            const seenAt = e.fn.coalesce('watchlist_items.last_scanned_at', 'watchlist_items.created_at');
            return e(e('labels.changed_at', '+', marginMs), '>', seenAt);
          })
          .where((e) =>
            e.or([
              e('labels.chain', '=', e.ref('watchlist_items.chain')),
              e.and([e('labels.chain', '=', 'evm'), e('watchlist_items.chain', 'in', EVM_CHAINS)]),
            ]),
          ),
      ),
    )
    .execute();
}

/** Makes items due now; how many were not yet. */
export async function hastenItems(records: Records, ids: readonly string[], now: number): Promise<number> {
  let hastened = 0n;
  for (const chunk of chunksOf(ids)) {
    const items = records.updateTable('watchlist_items').set({ next_scan_at: now }).where('id', 'in', chunk);
    hastened += (await items.where('next_scan_at', '>', now).executeTakeFirst()).numUpdatedRows;
  }
  return Number(hastened);
}

/** All watched items, those that are due and wait, and those whose scans fail. */
export async function countWatchedItems(
  records: Records,
  now: number,
): Promise<{ all: number; due: number; failing: number }> {
  const count = async (which: 'all' | 'due' | 'failing') => {
    const items = records.selectFrom('watchlist_items').select((e) => e.fn.countAll<number>().as('count'));
    const chosen = {
      all: items,
      due: items.where('next_scan_at', '<=', now).where('busy_until', '<=', now),
      failing: items.where('failing_since', 'is not', null),
    }[which];
    return Number((await chosen.executeTakeFirstOrThrow()).count);
  };
  return { all: await count('all'), due: await count('due'), failing: await count('failing') };
}
