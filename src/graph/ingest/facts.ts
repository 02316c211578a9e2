import { parseAddressKey } from '../../domain/address/address-key.ts';
import { rawAmount } from '../../domain/amount.ts';
import { NATIVE_COIN } from '../../domain/chain.ts';
import {
  createTransfer,
  TRANSFER_COLUMNS,
  type Transfer,
  type TransferProperties,
} from '../../domain/transfers/transfer.ts';
import { FLOW, type Flow } from '../model.ts';

/** A transfer as the graph keeps it: the properties of a TRANSFER, null where unknown. */
export type Fact = TransferProperties;

export const FACT_FIELDS = TRANSFER_COLUMNS.map(({ column }) => column);

/** All properties in one order: objects of one shape take a fraction of the memory of others. */
const BLANK = Object.fromEntries(FACT_FIELDS.map((field) => [field, null])) as Record<string, unknown>;

export function factOf(transfer: Transfer): Fact {
  const fact = { ...BLANK };
  for (const { field, column } of TRANSFER_COLUMNS) fact[column] = transfer[field];
  return leanFact(fact as Fact);
}

/** The fact without the smallest units where amount and decimals give them: two million such texts are 50 MB of memory. */
export function leanFact(fact: Fact): Fact {
  return fact.amount_raw === rawAmount(fact.amount, fact.decimals) ? { ...fact, amount_raw: null } : fact;
}

/** A transfer between two addresses as far as it is known; absent means unknown. */
export type KnownFact = Pick<Fact, 'id' | 'tx_hash' | 'at' | 'asset' | 'amount'> & Partial<Fact>;

/** The amount of a stored fact in smallest units, null where nothing gives it. */
export function rawOfFact({ amount, amount_raw, decimals }: KnownFact): string | null {
  return amount_raw ?? rawAmount(amount, decimals ?? null);
}

/** The transfer that the properties of a TRANSFER describe; absent ones are unknown. */
export function transferOfFact(
  { chain, from, to }: Pick<Transfer, 'chain' | 'from' | 'to'>,
  properties: Readonly<Record<string, unknown>>,
): Transfer {
  const stored = TRANSFER_COLUMNS.filter(({ column }) => properties[column] !== undefined);
  const known = Object.fromEntries(stored.map(({ field, column }) => [field, properties[column]])) as Partial<Transfer>;
  const amountRaw = rawOfFact(properties as unknown as Fact);
  return createTransfer({ ...(known as Transfer), amountRaw, chain, from, to });
}

/** Returns what `found` knows and `held` does not; null when that is nothing. */
export function additions(held: Partial<Fact>, found: Fact): Partial<Fact> | null {
  return addedOf(ADDED, held, found);
}

/** Fields that are added where they were unknown, and those that are though the readings contradict each other. */
const ADDED = FACT_FIELDS.filter((field) => field !== 'source' && field !== 'read_at');
const WORDS = ['joint', 'change'] as const;

function addedOf(fields: readonly (keyof Fact)[], held: Partial<Fact>, found: Fact): Partial<Fact> | null {
  const added = fields.filter((field) => (held[field] ?? null) === null && found[field] !== null);
  return added.length === 0 ? null : Object.fromEntries(added.map((field) => [field, found[field]]));
}

/**
 * Returns what a reading changes in a held fact; null for nothing. What was unknown is added. Where both contradict each other,
 * the newer reading of the same source replaces the held one, any named source replaces what has none, and nothing else
 * changes but a missing word about who signed and got the change.
 */
export function changes(held: Partial<Fact>, found: Fact): Partial<Fact> | null {
  if (!contradicts(held, found)) return additions(held, found);
  if (!mayReplace(held, found)) return addedOf(WORDS, held, found);
  const stated = FACT_FIELDS.filter((field) => found[field] !== null || field === 'usd' || field === 'amount_raw');
  return Object.fromEntries(stated.map((field) => [field, found[field]]));
}

/** True where another source holds another amount, token or time, and stays. */
export function isConflict(held: Partial<Fact>, found: Fact): boolean {
  return contradicts(held, found) && !mayReplace(held, found) && (held.source ?? null) !== found.source;
}

function contradicts(held: Partial<Fact>, found: Fact): boolean {
  return held.amount !== found.amount || held.at !== found.at || (held.token ?? null) !== found.token;
}

function mayReplace(held: Partial<Fact>, found: Fact): boolean {
  if (found.source === null) return false;
  if ((held.source ?? null) === null) return true;
  return held.source === found.source && (found.read_at ?? 0) > (held.read_at ?? 0);
}

export const FLOW_FIELDS = Object.keys(FLOW) as (keyof Flow)[];

/** Fields of a fact that a roll-up needs. */
export type FlowFact = Pick<Fact, 'at' | 'asset'> & Partial<Pick<Fact, 'usd' | 'token'>>;

/** Rolls up at least one fact of a pair; the same facts in any order give the same Flow. */
export function rollUp({ from }: { from: string }, facts: readonly FlowFact[]): Flow {
  const coin = coinOf(from);
  let [first_at, last_at] = [facts[0]!.at, facts[0]!.at];
  let has_coin: true | null = null;
  const priced: number[] = [];
  for (const fact of facts) {
    if (typeof fact.usd === 'number') priced.push(fact.usd);
    first_at = Math.min(first_at, fact.at);
    last_at = Math.max(last_at, fact.at);
    if ((fact.token ?? null) === null && fact.asset === coin) has_coin = true;
  }
  return {
    usd: sumMicroUsd(priced),
    tx_count: facts.length,
    unpriced_count: facts.length - priced.length,
    first_at,
    last_at,
    has_coin,
  };
}

/** Symbol of the coin of the chain that the address (key) is on. */
export function coinOf(key: string): string {
  return NATIVE_COIN[parseAddressKey(key).chain].symbol;
}

/** Adds up US dollars in whole micro-dollars, whose sum depends on neither order nor split. */
export function sumMicroUsd(values: readonly number[]): number {
  let micros = 0n;
  for (const usd of values) micros += BigInt(Math.round(usd * 1e6));
  return Number(micros) / 1e6;
}
