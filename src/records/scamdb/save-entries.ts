import { randomUUID } from 'node:crypto';
import { chunksOf, type Records } from '../database/database.ts';
import type { EntryContent, NewEntry, NewHistory } from '../database/tables/scamdb.ts';
import { indexTexts } from '../text-index.ts';

/** The columns of an entry that follow from what its sources say. */
export const ENTRY_CONTENT = [
  'chains',
  'type',
  'severity',
  'method',
  'domains',
  'domain_count',
  'total_stolen_usd',
  'verified',
  'sources',
  'search_text',
] as const satisfies (keyof EntryContent)[];

/** The columns that an entry takes from a newer one. */
const UPDATED = [...ENTRY_CONTENT, 'updated_at'] as const;

/** Adds and updates entries with their lines of history. */
export async function saveScamEntries(transaction: Records, entries: NewEntry[], history: NewHistory[]): Promise<void> {
  for (const chunk of chunksOf(entries)) {
    await transaction
      .insertInto('scam_entries')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['address', 'family'])
          .doUpdateSet((e) => Object.fromEntries(UPDATED.map((column) => [column, e.ref(`excluded.${column}`)]))),
      )
      .execute();
  }
  for (const chunk of chunksOf(history)) await transaction.insertInto('scam_history').values(chunk).execute();
  await indexTexts(transaction, 'scam_search');
}

/** A UUID of version 7: what is made later sorts later, so that an index takes it at its end. */
export function newEntryId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
