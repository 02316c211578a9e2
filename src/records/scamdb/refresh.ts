import { slicesOf } from '../../domain/slices.ts';
import type { Selectable } from 'kysely';
import { type ChainFamily, chainFamily, type LabelChain } from '../../domain/chain.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import { inTransaction, type Records, readInChunks } from '../database/database.ts';
import type { EntryContent, NewEntry, NewHistory, ScamEntriesTable } from '../database/tables/scamdb.ts';
import { mergeStatements } from './merge.ts';
import { ENTRY_CONTENT, newEntryId, saveScamEntries } from './save-entries.ts';
import { findScamStatements, type ScamStatement } from './statements.ts';

interface EntryKey {
  family: ChainFamily;
  address: string;
}

/** Addresses per transaction, where the caller has none open. */
const CHUNK = 1_000;

/**
 * Makes the entries of these addresses say what lists and verified reports say now, with a line of history for each
 * that came or went. Doing it again changes nothing.
 */
export async function refreshScamEntries(
  records: Records,
  keys: readonly { chain: LabelChain; address: string }[],
  now: number,
): Promise<void> {
  const places = new Map<string, EntryKey>();
  for (const { chain, address } of keys) {
    const family = chainFamily(chain);
    places.set(`${family} ${address}`, { family, address });
  }
  for (const chunk of slicesOf([...places], CHUNK)) {
    await inTransaction(records, (transaction) => refreshChunk(transaction, new Map(chunk), now));
    // SQLite answers within the turn: whatever else the process does has its own between two chunks.
    if (!records.isTransaction) await nextTurn();
  }
}

async function refreshChunk(transaction: Records, places: ReadonlyMap<string, EntryKey>, now: number): Promise<void> {
  const addresses = [...places.values()].map(({ address }) => address);
  const { statements, domains } = await findScamStatements(transaction, addresses, now);
  const known = await findKnown(transaction, addresses);
  const entries: NewEntry[] = [];
  const history: NewHistory[] = [];
  for (const [key, place] of places) {
    const before = known.get(key);
    const said = statements.get(key) ?? [];
    const live = said.filter((statement) => statement.live);
    if (!before && live.length === 0) continue;
    const id = before?.id ?? newEntryId(now);
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
    const next =
      before && live.length === 0
        ? { ...contentOf(before), verified: 0, sources: '[]' }
        : mergeStatements(place.address, live, domains.get(key) ?? []);
    if (before && ENTRY_CONTENT.every((column) => before[column] === next[column])) continue;
    entries.push({ ...next, ...place, id, first_seen: before?.first_seen ?? now, updated_at: now });
  }
  await saveScamEntries(transaction, entries, history);
}

function contentOf(row: Selectable<ScamEntriesTable>): EntryContent {
  return Object.fromEntries(ENTRY_CONTENT.map((column) => [column, row[column]])) as unknown as EntryContent;
}

function isReport(source: string): boolean {
  return source.startsWith('report:');
}

function bySource(statements: readonly ScamStatement[]): Iterable<ScamStatement> {
  if (statements.length < 2) return statements;
  return new Map(statements.map((statement) => [statement.source, statement])).values();
}

async function findKnown(
  transaction: Records,
  addresses: readonly string[],
): Promise<Map<string, Selectable<ScamEntriesTable>>> {
  const rows = await readInChunks(addresses, (chunk) =>
    transaction.selectFrom('scam_entries').selectAll().where('address', 'in', chunk).execute(),
  );
  return new Map(rows.map((row) => [`${row.family} ${row.address}`, row]));
}
