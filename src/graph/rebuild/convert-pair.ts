import { parseAddressKey } from '../../domain/address/address-key.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { additions, FACT_FIELDS, type Fact, leanFact } from '../ingest/facts.ts';
import { contentId, findMatches, idsBeside } from '../ingest/match-facts.ts';

/** Changes of a rebuild in the transfers of one pair. */
export interface ConvertedPair {
  /** Properties that differ, null for those that go, by the id that a transfer had. */
  changed: Map<string, Partial<Fact>>;
  /** Ids of transfers that are another one read from another source, with that one's new id. */
  merged: Map<string, string>;
  /** All transfers that are left. */
  facts: Fact[];
}

/** Places that earlier versions made from the content, where the source gave none. */
const MADE_UP = { evm: /^(native|token|internal|nft):/, tron: /^event:/ };

/** The transfers of a pair with the ids of their content, each once: those of one source are several, those of two may be one. */
export function convertPair(pair: { from: string; to: string }, stored: readonly Partial<Fact>[]): ConvertedPair {
  const converted: ConvertedPair = { changed: new Map(), merged: new Map(), facts: [] };
  if (!stored.some(({ id }) => id?.includes(':'))) return { ...converted, facts: stored.map(wholeFact) };
  for (const ofTransaction of groupBy(stored.map(wholeFact), (fact) => fact.tx_hash).values()) {
    convertTransaction(pair, ofTransaction, converted);
  }
  return converted;
}

function convertTransaction(pair: { from: string; to: string }, before: Fact[], converted: ConvertedPair): void {
  const held = new Map<string, Fact>();
  const origin = new Map<string, Fact>();
  const freeId = idsBeside(pair, held);
  const bySource = [...groupBy(before, ({ source }) => source)].sort(([a, of], [b, others]) => {
    const placed = (facts: Fact[]) => facts.filter((fact) => placeOf(pair, fact) !== null).length;
    return Number(a === null) - Number(b === null) || placed(others) - placed(of) || compare(a ?? '', b ?? '');
  });
  for (const [, facts] of bySource) {
    const inOrder = facts.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0) || compare(a.id, b.id));
    const renamed = inOrder.map((fact) => renamedFact(pair, fact));
    const matches = findMatches(renamed, held);
    for (const [i, fact] of renamed.entries()) {
      const same = matches.get(fact);
      const id = same?.id ?? freeId(fact);
      if (same) converted.merged.set(inOrder[i]!.id, id);
      else origin.set(id, inOrder[i]!);
      held.set(id, same ? { ...held.get(id)!, ...additions(same, fact) } : { ...fact, id });
    }
  }
  for (const [id, fact] of held) {
    const old = origin.get(id)!;
    const fields = FACT_FIELDS.filter((field) => old[field] !== fact[field]);
    if (fields.length > 0)
      converted.changed.set(old.id, Object.fromEntries(fields.map((field) => [field, fact[field]])));
    converted.facts.push(fact);
  }
}

function renamedFact(pair: { from: string; to: string }, fact: Fact): Fact {
  const index = placeOf(pair, fact);
  return leanFact({ ...fact, index, seq: index === null ? null : fact.seq, id: contentId(pair, fact, 0) });
}

function placeOf({ from }: { from: string }, { index }: Fact): string | null {
  const { chain } = parseAddressKey(from);
  const madeUp = isEvmChain(chain) ? MADE_UP.evm : chain === 'tron' ? MADE_UP.tron : null;
  return index === null || madeUp?.test(index) ? null : index;
}

function wholeFact(stored: Partial<Fact>): Fact {
  return Object.fromEntries(FACT_FIELDS.map((field) => [field, stored[field] ?? null])) as unknown as Fact;
}
