import { HOUR_MS } from '../../domain/time.ts';
import { shownPlace } from '../../outbound/places.ts';
import { insertAudit, OPERATOR } from '../audit/audit-log.ts';
import { type ChangeOf, inTransaction, type Records, readerOf } from '../database/database.ts';
import type { KeptList, KeptListKey, KeptListTerms } from '../database/tables/lists.ts';

/** Returns all of them, by source and place. */
export async function readKeptLists(records: Records): Promise<KeptList[]> {
  return readerOf(records).selectFrom('kept_lists').selectAll().orderBy('source').orderBy('place').execute();
}

/** Adds a list, due at once; one that is kept already gets the new terms. */
export async function keepList(records: Records, list: KeptListTerms, now: number): Promise<void> {
  const { source, place, every_ms, as_of_header } = list;
  const times = { added_at: now, next_at: now, checked_at: null, loaded_at: null };
  const detail = `${shownPlace(place)} every ${every_ms / HOUR_MS} h`;
  await inTransaction(records, async (transaction) => {
    await transaction
      .insertInto('kept_lists')
      .values({ ...list, ...times, state: 'new', problem: null, version: null })
      .onConflict((conflict) =>
        conflict.columns(['source', 'place']).doUpdateSet({ every_ms, as_of_header, next_at: now }),
      )
      .execute();
    await insertAudit(transaction, { ...OPERATOR, action: 'list_kept', subject: source, detail }, now);
  });
}

/** Ends the keeping of a source's lists, or of the one at `place`; returns how many. What was loaded stays. */
export async function removeKeptLists(
  records: Records,
  { source, place }: { source: string; place?: string },
  now: number,
): Promise<number> {
  return inTransaction(records, async (transaction) => {
    const removed = await transaction
      .deleteFrom('kept_lists')
      .where('source', '=', source)
      .$if(place !== undefined, (query) => query.where('place', '=', place!))
      .returning('place')
      .execute();
    for (const list of removed) {
      const entry = { action: 'list_removed', subject: source, detail: shownPlace(list.place) } as const;
      await insertAudit(transaction, { ...OPERATOR, ...entry }, now);
    }
    return removed.length;
  });
}

/** True for one of all processes that take the turn of a list which is due. It comes again at `nextAt`. */
export async function takeListTurn(
  records: Records,
  { source, place, next_at }: KeptList,
  nextAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('kept_lists')
    .set({ next_at: nextAt })
    .where('source', '=', source)
    .where('place', '=', place)
    .where('next_at', '=', next_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Writes how a list is kept now; its key stays. */
export async function saveListState(
  records: Records,
  { source, place }: KeptListKey,
  state: ChangeOf<KeptList, keyof KeptListKey>,
): Promise<void> {
  await records.updateTable('kept_lists').set(state).where('source', '=', source).where('place', '=', place).execute();
}
