import { chainFamily } from '../../domain/chain.ts';
import type { Label } from '../../domain/label.ts';
import { type Records, readInChunks } from '../database/database.ts';
import type { NewEntry, NewHistory } from '../database/tables/scamdb.ts';
import { mergeStatements } from './merge.ts';
import { refreshScamEntries } from './refresh.ts';
import { newEntryId, saveScamEntries } from './save-entries.ts';
import { statementOf } from './statements.ts';

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
  const known = await findKnown(transaction, [...named.keys()]);
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

async function findKnown(transaction: Records, addresses: readonly string[]): Promise<Set<string>> {
  const rows = await readInChunks(addresses, (chunk) =>
    transaction.selectFrom('scam_entries').select('address').where('address', 'in', chunk).execute(),
  );
  return new Set(rows.map(({ address }) => address));
}
