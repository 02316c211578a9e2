import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { searchWords } from '../../domain/text/search-words.ts';
import type { Records } from '../database/database.ts';
import type { ScamEntriesTable } from '../database/tables/scamdb.ts';
import { areFew, textConditions, wordConditions } from '../text-index.ts';

/** SQLite answers in the process itself: so many texts are read before other work has its turn. */
const AT_ONCE = 10_000;

interface Match {
  seq: number;
  total_stolen_usd: number;
}

/** Verified entries in which each word of the query occurs anywhere, largest loss first, and how many there are. */
export async function searchScamEntries(
  records: Records,
  query: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Selectable<ScamEntriesTable>[]; total: number }> {
  const words = searchWords(query);
  if (words.length === 0) return { rows: [], total: 0 };
  const isQuick = await areFew(records, 'scam_search', words);
  const matches = await (isQuick ? findByIndex(records, words) : findByReading(records, words));
  matches.sort((a, b) => b.total_stolen_usd - a.total_stolen_usd || b.seq - a.seq);
  const page = matches.slice(offset, offset + limit).map(({ seq }) => seq);
  if (page.length === 0) return { rows: [], total: matches.length };
  const rows = await records
    .selectFrom('scam_entries')
    .selectAll()
    .where('seq', 'in', page)
    .orderBy('total_stolen_usd', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  return { rows, total: matches.length };
}

function findByIndex(records: Records, words: readonly string[]): Promise<Match[]> {
  return verified(records)
    .where((e) => e.and(textConditions(records, 'scam_search', words)))
    .execute();
}

/** @internal Tested alone. */
export async function findByReading(records: Records, words: readonly string[], atOnce = AT_ONCE): Promise<Match[]> {
  const matches: Match[] = [];
  const newest = records.selectFrom('scam_entries').select((e) => e.fn.max('seq').as('seq'));
  const { seq: last } = await newest.executeTakeFirstOrThrow();
  for (let after = 0; after < (last ?? 0); after += atOnce) {
    const found = verified(records)
      .where('seq', '>', after)
      .where('seq', '<=', after + atOnce)
      .where((e) => e.and(wordConditions(words)));
    for (const match of await found.execute()) matches.push(match);
    await setImmediate();
  }
  return matches;
}

function verified(records: Records) {
  return records.selectFrom('scam_entries').select(['seq', 'total_stolen_usd']).where('verified', '=', 1);
}
