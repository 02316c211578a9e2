import { parseAddressKey } from '../../domain/address/address-key.ts';
import { agreeingAmounts, compareAmounts } from '../../domain/amount.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { placeKind, transferId } from '../../domain/transfers/transfer-id.ts';
import { additions, type Fact, type KnownFact, rawOfFact } from './facts.ts';

/**
 * Rules by which a found transfer is a held one that has neither its place nor its id, the surest first. Each holds for all
 * transfers before the next is asked, and never for two whose places are numbered alike: those are two.
 */
const RULES: readonly ((held: KnownFact, found: KnownFact) => boolean)[] = [
  isSameContent,
  isRounded,
  (held, found) => isInexactly(held, found, isSameAsset),
  (held, found) => isInexactly(held, found, isSameAmount),
];

/** Facts of one pair, each once: of two readings of one transfer the first stays, with what it lacks from the other. */
export function distinctFacts(facts: readonly Fact[]): Fact[] {
  const distinct: Fact[] = [];
  const byId = new Map<string, number[]>();
  const byPlace = new Map<string, number>();
  for (const fact of facts) {
    const place = fact.index === null ? null : `${fact.tx_hash} ${fact.index} ${fact.source}`;
    const placeOfId = `${fact.id} ${placeOf(fact)}`;
    // Those of one id have places of one scope, but for the first, which another reading may have completed.
    const among = byId.get(fact.id)?.slice(0, 2) ?? [];
    const sameId = among.find((at) => !isOtherPlace(distinct[at]!, fact)) ?? byPlace.get(placeOfId);
    const known = (place === null ? undefined : byPlace.get(place)) ?? sameId;
    const at = known ?? distinct.push(fact) - 1;
    const seesStrangers = fact.joint === false ? { joint: false } : {};
    if (known !== undefined) distinct[at] = { ...distinct[at]!, ...additions(distinct[at]!, fact), ...seesStrangers };
    else {
      addToGroup(byId, fact.id, at);
      if (place !== null) byPlace.set(placeOfId, at);
    }
    if (place !== null) byPlace.set(place, at);
  }
  return distinct;
}

/**
 * The found transfers of a pair by the ids of the graph: one that is held by its held id, the others by their own, or, where
 * another transfer has that, by the next number among equals.
 */
export function matchFacts(
  pair: { from: string; to: string },
  found: readonly Fact[],
  held: ReadonlyMap<string, KnownFact> = new Map(),
): Map<string, Fact> {
  const matches = findMatches(found, held);
  const taken = new Set(held.keys());
  const named = new Map<string, Fact>();
  for (const fact of found) {
    const match = matches.get(fact);
    if (match) {
      const id = taken.has(fact.id) ? match.id : fact.id;
      taken.add(id);
      named.set(match.id, { ...fact, id });
    }
  }
  const freeId = idsBeside(pair, taken);
  for (const fact of found) {
    if (matches.has(fact)) continue;
    const id = freeId(fact);
    taken.add(id);
    named.set(id, id === fact.id ? fact : { ...fact, id });
  }
  return named;
}

/** Matches the found transfers of a pair with the held ones that they are. */
export function findMatches(found: readonly Fact[], held: ReadonlyMap<string, KnownFact>): Map<Fact, KnownFact> {
  const matches = new Map<Fact, KnownFact>();
  if (held.size === 0) return matches;
  const hashes = new Set(found.map((fact) => fact.tx_hash));
  const heldByTx = new Map<string, KnownFact[]>();
  for (const fact of held.values()) if (hashes.has(fact.tx_hash)) addToGroup(heldByTx, fact.tx_hash, fact);
  const known = found.filter((fact) => heldByTx.has(fact.tx_hash));
  for (const [tx, facts] of groupBy(known, (fact) => fact.tx_hash)) matchTransaction(heldByTx.get(tx)!, facts, matches);
  return matches;
}

/** Asks each rule of a kind of transfer once: thousands alike in one transaction cost no more than their number. */
function matchTransaction(held: readonly KnownFact[], found: readonly Fact[], matches: Map<Fact, KnownFact>): void {
  const free = new Map(held.map((fact, place) => [fact, place]));
  const match = (fact: Fact, one: KnownFact | undefined) => {
    if (!one) return;
    matches.set(fact, one);
    free.delete(one);
  };
  const placed = groupBy(held, placeOf);
  for (const fact of found) {
    const place = placeOf(fact);
    if (place !== null) match(fact, firstFree(placed.get(place), free));
  }
  const byId = new Map(held.map((one) => [one.id, one]));
  for (const fact of found) {
    const one = byId.get(fact.id);
    if (!matches.has(fact) && one && free.has(one) && !isOtherPlace(one, fact)) match(fact, one);
  }
  const alike = groupBy(held, likenessOf);
  for (const isSame of RULES) {
    const kinds = new Map<string, KnownFact[][]>();
    for (const fact of found) {
      if (free.size === 0) return;
      if (matches.has(fact)) continue;
      const likeness = likenessOf(fact);
      let same = kinds.get(likeness);
      if (!same) {
        same = [...alike.values()].filter(([one]) => one && isSame(one, fact) && !areNumberedAlike(one, fact));
        kinds.set(likeness, same);
      }
      const firsts = same.flatMap((group) => firstFree(group, free) ?? []);
      match(fact, firsts.sort((a, b) => free.get(a)! - free.get(b)!)[0]);
    }
  }
}

/** The first of a group that is free; those before it leave the group. */
function firstFree(group: KnownFact[] | undefined, free: ReadonlyMap<KnownFact, number>): KnownFact | undefined {
  while (group && group.length > 0 && !free.has(group[0]!)) group.shift();
  return group?.[0];
}

/** Everything that the rules compare. */
function likenessOf(fact: KnownFact): string {
  const { token = null, token_id = null, amount, asset, source = null } = fact;
  return JSON.stringify([placeScope(fact), token, token_id, rawOfFact(fact), amount, asset, source]);
}

/** Gives transfers of this pair their ids beside those taken: each its own, or the first of its equals that is not taken. */
export function idsBeside(
  pair: { from: string; to: string },
  taken: { has: (id: string) => boolean },
): (fact: Fact) => string {
  const next = new Map<string, number>();
  return (fact) => {
    if (!taken.has(fact.id)) return fact.id;
    const first = contentId(pair, fact, 0);
    let ordinal = next.get(first) ?? 0;
    while (taken.has(contentId(pair, fact, ordinal))) ordinal++;
    next.set(first, ordinal);
    return contentId(pair, fact, ordinal);
  };
}

/** The id that the content of a fact gives, as the nth of its equals. */
export function contentId(pair: { from: string; to: string }, fact: KnownFact, ordinal: number): string {
  const { chain, address } = parseAddressKey(pair.from);
  return transferId(
    {
      chain,
      txHash: fact.tx_hash,
      token: fact.token ?? null,
      tokenId: fact.token_id ?? null,
      from: address,
      to: parseAddressKey(pair.to).address,
      amountRaw: rawOfFact(fact),
      amount: fact.amount,
      failed: false,
    },
    ordinal,
  );
}

/** Numbers of the same meaning: sources count inner calls in their own way, and files rows. */
function placeScope({ index, source }: KnownFact): string | null {
  const kind = placeKind(index ?? null);
  return kind === 'trace' || kind === '' ? `${kind} ${source ?? ''}` : kind;
}

/** Null without a place. */
function placeOf(fact: KnownFact): string | null {
  const scope = placeScope(fact);
  return scope === null ? null : `${scope} ${fact.index}`;
}

function areNumberedAlike(a: KnownFact, b: KnownFact): boolean {
  const scope = placeScope(a);
  return scope !== null && scope === placeScope(b);
}

function isOtherPlace(a: KnownFact, b: KnownFact): boolean {
  return areNumberedAlike(a, b) && a.index !== b.index;
}

function isSameContent(a: KnownFact, b: KnownFact): boolean {
  const isSameToken = (a.token ?? null) === (b.token ?? null) && (a.token_id ?? null) === (b.token_id ?? null);
  if (!isSameToken) return false;
  const [rawOfA, rawOfB] = [rawOfFact(a), rawOfFact(b)];
  return rawOfA !== null && rawOfB !== null ? rawOfA === rawOfB : isSameAmount(a, b);
}

/** A file's row whose amount is that of a chain source, rounded: the decimals of a known token do not make it exact. */
function isRounded(a: KnownFact, b: KnownFact): boolean {
  return fileRowOf(a, b) !== null && isSameAsset(a, b) && agreeingAmounts(a.amount, b.amount);
}

/** A file's row of unknown decimals, or whose asset is a mere name, beside what a chain source reported. */
function isInexactly(a: KnownFact, b: KnownFact, isLike: (a: KnownFact, b: KnownFact) => boolean): boolean {
  const ofFile = fileRowOf(a, b);
  return ofFile !== null && rawOfFact(ofFile) === null && isLike(a, b);
}

/** Which of the two a file gave, where a chain source gave the other. */
function fileRowOf(a: KnownFact, b: KnownFact): KnownFact | null {
  const [ofFile, named] = (a.source ?? null) === null ? [a, b] : [b, a];
  return (ofFile.source ?? null) === null && (named.source ?? null) !== null ? ofFile : null;
}

function isSameAsset(a: KnownFact, b: KnownFact): boolean {
  return (a.token ?? null) === (b.token ?? null) || a.asset === b.asset;
}

function isSameAmount(a: KnownFact, b: KnownFact): boolean {
  return compareAmounts(a.amount, b.amount) === 0;
}
