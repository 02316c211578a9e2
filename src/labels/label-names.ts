import { CHAINS } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import { foldForSearch, searchWords } from '../domain/text/search-words.ts';
import { chunksOf, type Records, readerOf } from '../records/database/database.ts';
import { indexTexts, textConditions } from '../records/text-index.ts';
import { toLabel } from './find-label-rows.ts';

/** Names that a search looks at, and those of which it reads the labels. */
const CANDIDATES_MAX = 2_000;
const NAMES_MAX = 100;

/** Makes the names of these labels known to the search, in the transaction that stores the labels. */
export async function addLabelNames(transaction: Records, labels: readonly Label[]): Promise<void> {
  const names = new Map(
    labels.map(({ label, source, entity }) => {
      const parts = [label, entity ?? '', source];
      return [parts.join('\0'), { label, source, entity: entity ?? '', search_text: foldForSearch(parts.join('\n')) }];
    }),
  );
  // In one order, so that two loads at once wait for each other and never both.
  const rows = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  for (const chunk of chunksOf(rows)) {
    await transaction
      .insertInto('label_names')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (rows.length > 0) await indexTexts(transaction, 'label_search');
}

/** The answer of `LabelStore.search`: each address once. */
export async function searchLabels(
  records: Records,
  query: string,
  { limit, at }: { limit: number; at: number },
): Promise<{ found: Label[]; truncated: boolean }> {
  const words = searchWords(query);
  const reader = readerOf(records);
  const candidates = await reader
    .selectFrom('label_names')
    .select(['label', 'source', 'entity'])
    .where((e) => e.and(textConditions(reader, 'label_search', words)))
    .limit(CANDIDATES_MAX)
    .execute();
  const distance = distanceFrom(words);
  const names = candidates
    .map((name) => ({ ...name, distance: distance(name.label) }))
    .sort((a, b) => a.distance - b.distance || (a.label < b.label ? -1 : 1));
  const found = new Map<string, Label>();
  for (const { label, source, entity } of names.slice(0, NAMES_MAX)) {
    const rows = await reader
      .selectFrom('labels')
      .selectAll()
      .where('label', '=', label)
      .where('source', '=', source)
      .where((e) => e(e.fn.coalesce('entity', e.val('')), '=', entity))
      .where('chain', 'in', [...CHAINS, 'evm'])
      .where('valid_from', '<=', at)
      .where((e) => e.or([e('valid_to', 'is', null), e('valid_to', '>', at)]))
      // Addresses that another name has given may be among them.
      .limit(limit + 1)
      .execute();
    for (const row of rows) if (!found.has(row.address)) found.set(row.address, toLabel(row));
    if (found.size > limit) break;
  }
  return {
    found: [...found.values()].slice(0, limit),
    truncated: found.size > limit || candidates.length === CANDIDATES_MAX || names.length > NAMES_MAX,
  };
}

/** Returns the length of a name beyond the words, 0 where it is just them; names without all of them come last. */
function distanceFrom(words: readonly string[]): (name: string) => number {
  const wanted = words.join('').length;
  return (name) => {
    const text = foldForSearch(name);
    return words.every((word) => text.includes(word)) ? text.length - wanted : Number.MAX_SAFE_INTEGER;
  };
}
