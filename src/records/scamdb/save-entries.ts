import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Records } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';
import type { ScamEntriesTable, ScamHistoryTable } from '../database/scam-tables.ts';
import type { EntryContent } from './merge.ts';
import { indexScamEntries } from './search-index.ts';

export type NewEntry = Omit<Selectable<ScamEntriesTable>, 'seq'>;
export type NewHistory = Omit<Selectable<ScamHistoryTable>, 'seq'>;

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

/** Adds and updates entries with their lines of history. */
export async function saveScamEntries(transaction: Records, entries: NewEntry[], history: NewHistory[]): Promise<void> {
  await insertRows(transaction, 'scam_entries', entries, {
    key: ['address', 'family'],
    update: [...ENTRY_CONTENT, 'updated_at'],
  });
  await insertRows(transaction, 'scam_history', history);
  await indexScamEntries(transaction);
}

/** A UUID of version 7: what is made later sorts later, so that an index takes it at its end. */
export function newEntryId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
