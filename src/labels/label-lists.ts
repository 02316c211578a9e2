import { LRUCache } from 'lru-cache';
import { dayOf, iso } from '../domain/time.ts';
import { inTransaction, type Records, readerOf } from '../records/database/database.ts';
import { countLabelChanges, noteLabelChange } from './label-changes.ts';

/** A list that labels come from; the fields are those of answers. */
export interface LabelList {
  source: string;
  /** Labels of it that are in force. */
  entries: number;
  /** The day of the list, as it was stated on loading, else the day of its last load. */
  as_of: string;
  loaded_at: string;
}

const CACHE_MS = 60_000;

/** Reads which lists are loaded, by name. Cached until a label changes, for 60 seconds at most: it counts all labels. */
export function openLabelLists(records: Records): () => Promise<LabelList[]> {
  const cache = new LRUCache<number, LabelList[]>({ max: 1, ttl: CACHE_MS });
  return async () => {
    const changes = await countLabelChanges(records);
    const cached = cache.get(changes);
    if (cached) return cached;
    const lists = await readLists(records);
    cache.set(changes, lists);
    return lists;
  };
}

async function readLists(records: Records): Promise<LabelList[]> {
  const rows = await readerOf(records)
    .selectFrom('labels')
    .select((e) => ['source', e.fn.countAll().as('entries'), e.fn.max('loaded_at').as('loaded_at')])
    .where('valid_to', 'is', null)
    .groupBy('source')
    .orderBy('source')
    .execute();
  const days = new Map(
    (await readerOf(records).selectFrom('label_lists').selectAll().execute()).map((row) => [row.source, row.as_of]),
  );
  return rows.map(({ source, entries, loaded_at }) => {
    const loadedAt = Number(loaded_at);
    const asOf = days.get(source) ?? loadedAt;
    return { source, entries: Number(entries), as_of: dayOf(asOf), loaded_at: iso(loadedAt) };
  });
}

/** Day of the list of a source that is loaded, epoch ms; null where none is. */
export async function findListDay(records: Records, source: string): Promise<number | null> {
  const row = await records.selectFrom('label_lists').select('as_of').where('source', '=', source).executeTakeFirst();
  return row?.as_of ?? null;
}

/** Keeps the day of a source's list; another day than before is a change that answers show at once. */
export async function saveListDay(records: Records, source: string, asOf: number): Promise<void> {
  await inTransaction(records, async (transaction) => {
    const before = await findListDay(transaction, source);
    await transaction
      .insertInto('label_lists')
      .values({ source, as_of: asOf })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ as_of: asOf }))
      .execute();
    if (before === null || dayOf(before) !== dayOf(asOf)) await noteLabelChange(transaction);
  });
}
