import { LRUCache } from 'lru-cache';
import { dayOf, iso } from '../domain/time.ts';
import { type Records, readerOf } from '../records/database/database.ts';
import { countLabelChanges } from './label-changes.ts';

/** A list that labels come from; the fields are those of answers. */
export interface LabelList {
  source: string;
  /** Labels of it that are in force. */
  entries: number;
  /** The day of the list: that of its last load. */
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
  return rows.map(({ source, entries, loaded_at }) => {
    const at = Number(loaded_at);
    return { source, entries: Number(entries), as_of: dayOf(at), loaded_at: iso(at) };
  });
}
