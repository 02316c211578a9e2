import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Chain } from '../domain/chain.ts';
import { type ChainFamily, familyOfChain } from '../domain/scam.ts';
import { inTransaction, type Records } from './database.ts';
import { type EntryContent, mergeStatements } from './scam-merge.ts';
import { findScamStatements, type ScamStatement } from './scam-statements.ts';
import type { ScamEntriesTable, ScamHistoryTable } from './scam-tables.ts';

interface Place {
  family: ChainFamily;
  address: string;
}

/** Addresses per transaction: with each, the full-text index writes and merges a part of its own. */
const CHUNK = 1_000;
const ROWS_PER_INSERT = 400;

/**
 * Makes the entries of these addresses say what lists and verified reports say now, with a line of history for each
 * that came or went. Doing it again changes nothing.
 */
export async function refreshScamEntries(
  records: Records,
  keys: readonly { chain: Chain | 'evm'; address: string }[],
  now: number,
): Promise<void> {
  const places = new Map<string, Place>();
  for (const { chain, address } of keys) {
    const family = familyOfChain(chain);
    places.set(`${family} ${address}`, { family, address });
  }
  const wanted = [...places];
  for (let start = 0; start < wanted.length; start += CHUNK) {
    const chunk = new Map(wanted.slice(start, start + CHUNK));
    await inTransaction(records, (transaction) => refreshChunk(transaction, chunk, now));
  }
}

async function refreshChunk(transaction: Records, places: ReadonlyMap<string, Place>, now: number): Promise<void> {
  const addresses = [...new Set([...places.values()].map(({ address }) => address))];
  const { statements, domains } = await findScamStatements(transaction, addresses, now);
  const known = await findKnown(transaction, addresses);
  const entries: EntryRow[] = [];
  const history: Omit<ScamHistoryTable, 'seq'>[] = [];
  for (const [key, place] of places) {
    const before = known.get(key);
    const said = statements.get(key) ?? [];
    const live = said.filter((statement) => statement.live);
    if (!before && live.length === 0) continue;
    const id = before?.id ?? randomUUID();
    const sourcesBefore = before ? (JSON.parse(before.sources) as string[]) : [];
    const came = live.filter((statement) => !sourcesBefore.includes(statement.source));
    const gone = sourcesBefore.filter((source) => !live.some((statement) => statement.source === source));
    for (const { source, reason } of bySource(came)) {
      history.push({ entry_id: id, at: now, action: isReport(source) ? 'verified' : 'listed', source, reason });
    }
    for (const source of gone) {
      const reason = said.find((statement) => statement.source === source)?.reason ?? null;
      history.push({ entry_id: id, at: now, action: isReport(source) ? 'rejected' : 'delisted', source, reason });
    }
    // What nobody says any more keeps its last words, for whoever appeals.
    const next: EntryContent =
      before && live.length === 0
        ? { ...before, verified: 0, sources: '[]' }
        : mergeStatements(place.address, live, domains.get(key) ?? []);
    if (before && CONTENT.every((column) => before[column] === next[column])) continue;
    const content = Object.fromEntries(CONTENT.map((column) => [column, next[column]])) as unknown as EntryContent;
    entries.push({ ...place, ...content, id, first_seen: before?.first_seen ?? now, updated_at: now });
  }
  await save(transaction, entries);
  for (let start = 0; start < history.length; start += ROWS_PER_INSERT) {
    await transaction
      .insertInto('scam_history')
      .values(history.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}

type EntryRow = Omit<Selectable<ScamEntriesTable>, 'seq'>;

const CONTENT = [
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

function isReport(source: string): boolean {
  return source.startsWith('report:');
}

function bySource(statements: readonly ScamStatement[]): ScamStatement[] {
  return [...new Map(statements.map((statement) => [statement.source, statement])).values()];
}

async function findKnown(
  transaction: Records,
  addresses: readonly string[],
): Promise<Map<string, Selectable<ScamEntriesTable>>> {
  const rows = await transaction.selectFrom('scam_entries').selectAll().where('address', 'in', addresses).execute();
  return new Map(rows.map((row) => [`${row.family} ${row.address}`, row]));
}

async function save(transaction: Records, rows: EntryRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await transaction
      .insertInto('scam_entries')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['address', 'family'])
          .doUpdateSet((e) =>
            Object.fromEntries([...CONTENT, 'updated_at' as const].map((name) => [name, e.ref(`excluded.${name}`)])),
          ),
      )
      .execute();
  }
}
