import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { CHAINS, type ChainFamily, chainFamily, EVM_CHAINS, type LabelChain } from '../../domain/chain.ts';
import type { Label } from '../../domain/label.ts';
import { gravestType, scamSeverity } from '../../domain/scam.ts';
import { slicesOf } from '../../domain/slices.ts';
import { foldForSearch } from '../../domain/text/search-words.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import { chunksOf, inTransaction, type Records, readInChunks } from '../database/database.ts';
import type { EntryContent, NewEntry, NewHistory, ScamEntriesTable } from '../database/tables/scamdb.ts';
import { indexTexts } from '../text-index.ts';
import { findScamStatements, type ScamStatement, statementOf } from './statements.ts';

/** The columns of an entry that follow from what its sources say. */
const ENTRY_CONTENT = [
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

interface ListedScam extends Label {
  /** Where the list met it. */
  domains?: readonly string[];
}

/**
 * Makes entries of what a list names, in the transaction that stored its labels and domains. An address without an
 * entry was named by nobody before: where the list names it once, that says all there is, and nothing is read. The
 * others are refreshed.
 */
export async function addScamEntries(transaction: Records, listed: readonly ListedScam[], now: number): Promise<void> {
  const named = new Map<string, number>();
  for (const { address } of listed) named.set(address, (named.get(address) ?? 0) + 1);
  const known = await findNamed(transaction, [...named.keys()]);
  const others: ListedScam[] = [];
  const entries: NewEntry[] = [];
  const history: NewHistory[] = [];
  for (const scam of listed) {
    const { chain, address, domains } = scam;
    if (known.has(address) || named.get(address)! > 1) {
      others.push(scam);
      continue;
    }
    const statement = statementOf(scam, now);
    if (!statement?.live) continue;
    const id = newEntryId(now);
    const content = mergeStatements(address, [statement], [...new Set(domains)].sort());
    entries.push({ ...content, family: chainFamily(chain), address, id, first_seen: now, updated_at: now });
    history.push({ entry_id: id, at: now, action: 'listed', source: statement.source, reason: statement.reason });
  }
  await saveScamEntries(transaction, entries, history);
  await refreshScamEntries(transaction, others, now);
}

async function findNamed(transaction: Records, addresses: readonly string[]): Promise<Set<string>> {
  const rows = await readInChunks(addresses, (chunk) =>
    transaction.selectFrom('scam_entries').select('address').where('address', 'in', chunk).execute(),
  );
  return new Set(rows.map(({ address }) => address));
}

const DOMAINS_SHOWN_MAX = 100;
const METHODS_SHOWN_MAX = 3;
const METHOD_LENGTH_MAX = 2_000;

/** One entry from what its live sources say: the gravest kind, every chain, the losses of each reporter once. */
function mergeStatements(address: string, live: readonly ScamStatement[], domains: readonly string[]): EntryContent {
  const type = gravestType(live.map((statement) => statement.type));
  const chains = new Set(live.flatMap(({ chain }) => (chain === 'evm' ? EVM_CHAINS : [chain])));
  const losses = new Map<string, number>();
  for (const { accountId, stolenUsd } of live) {
    if (accountId !== null) losses.set(accountId, Math.max(losses.get(accountId) ?? 0, stolenUsd));
  }
  const stolenUsd = [...losses.values()].reduce((sum, loss) => sum + loss, 0);
  const methods = new Set([
    ...live.filter((statement) => statement.type === type).map((statement) => statement.method),
    ...live.map((statement) => statement.method),
  ]);
  const sources = [...new Set(live.map((statement) => statement.source))].sort();
  const lists = sources.filter((source) => !source.startsWith('report:'));
  return {
    chains: JSON.stringify(CHAINS.filter((chain) => chains.has(chain))),
    type,
    severity: scamSeverity(type, stolenUsd),
    method: [...methods].slice(0, METHODS_SHOWN_MAX).join('; ').slice(0, METHOD_LENGTH_MAX),
    domains: JSON.stringify(domains.slice(0, DOMAINS_SHOWN_MAX)),
    domain_count: domains.length,
    total_stolen_usd: Math.round(stolenUsd * 100) / 100,
    verified: 1,
    sources: JSON.stringify(sources),
    search_text: searchText([address, type, ...methods, ...lists], domains),
  };
}

/** A domain that stands in another text already is found there: each character costs its place in the index. */
function searchText(texts: readonly string[], domains: readonly string[]): string {
  const text = foldForSearch(texts.join('\n'));
  return [text, ...domains.map(foldForSearch).filter((domain) => !text.includes(domain))].join('\n');
}

/** Adds and updates entries with their lines of history. */
async function saveScamEntries(transaction: Records, entries: NewEntry[], history: NewHistory[]): Promise<void> {
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
function newEntryId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
