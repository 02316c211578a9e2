import type { Selectable } from 'kysely';
import { searchWords } from '../../domain/text/search-words.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import type { Records } from '../database/database.ts';
import type { ScamEntriesTable } from '../database/tables/scamdb.ts';
import { areFew, textConditions, wordConditions } from '../text-index.ts';

/** Texts that are read before other work has its turn: SQLite answers in the process itself. */
const AT_ONCE = 10_000;

interface Match {
  seq: number;
  total_stolen_usd: number;
}

interface Page {
  limit: number;
  offset: number;
}

/** Numbers of the entries of a page, and how many match in all. */
interface Found {
  seqs: number[];
  total: number;
}

/** Verified entries in which each word of the query occurs anywhere, largest loss first, and how many there are. */
export async function searchScamEntries(
  records: Records,
  query: string,
  page: Page,
): Promise<{ rows: Selectable<ScamEntriesTable>[]; total: number }> {
  const words = searchWords(query);
  if (words.length === 0) return { rows: [], total: 0 };
  const isQuick = await areFew(records, 'scam_search', words);
  const { seqs, total } = await (isQuick ? pageByIndex : pageByReading)(records, words, page);
  if (seqs.length === 0) return { rows: [], total };
  // Sorted by number first: whole entries are long, and all that match would be carried along.
  const rows = await records
    .selectFrom('scam_entries')
    .selectAll()
    .where('seq', 'in', seqs)
    .orderBy('total_stolen_usd', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  return { rows, total };
}

async function pageByIndex(records: Records, words: readonly string[], { limit, offset }: Page): Promise<Found> {
  const matching = verified(records).where((e) => e.and(textConditions(records, 'scam_search', words)));
  const best = matching.select('seq').orderBy('total_stolen_usd', 'desc').orderBy('seq', 'desc');
  const rows = await best.limit(limit).offset(offset).execute();
  const { total } = await matching.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { seqs: rows.map(({ seq }) => seq), total: Number(total) };
}

async function pageByReading(records: Records, words: readonly string[], { limit, offset }: Page): Promise<Found> {
  const matches = await findByReading(records, words);
  matches.sort((a, b) => b.total_stolen_usd - a.total_stolen_usd || b.seq - a.seq);
  return { seqs: matches.slice(offset, offset + limit).map(({ seq }) => seq), total: matches.length };
}

/** @internal Tested alone. */
export async function findByReading(records: Records, words: readonly string[], atOnce = AT_ONCE): Promise<Match[]> {
  const matches: Match[] = [];
  const newest = records.selectFrom('scam_entries').select((e) => e.fn.max('seq').as('seq'));
  const { seq: last } = await newest.executeTakeFirstOrThrow();
  for (let after = 0; after < (last ?? 0); after += atOnce) {
    const found = verified(records)
      .select(['seq', 'total_stolen_usd'])
      .where('seq', '>', after)
      .where('seq', '<=', after + atOnce)
      .where((e) => e.and(wordConditions(words)));
    for (const match of await found.execute()) matches.push(match);
    await nextTurn();
  }
  return matches;
}

function verified(records: Records) {
  return records.selectFrom('scam_entries').where('verified', '=', 1);
}
