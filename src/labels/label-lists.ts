import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { CHAINS, type Chain, isChain, isEvmChain, type LabelChain } from '../domain/chain.ts';
import { timestamp } from '../domain/fields.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Category, Label, ListGap } from '../domain/label.ts';
import { DAY_MS, dayOf, iso } from '../domain/time.ts';
import { inTransaction, type Records, readerOf } from '../records/database/database.ts';
import { readKeptLists } from '../records/lists/kept-lists.ts';
import { countLabelChanges, noteLabelChange } from './label-changes.ts';
import { OFFICIAL_SOURCES, sourceFamily } from './label-order.ts';

export const LabelListSchema = z
  .object({
    source: z.string().describe('Name of the list'),
    entries: z.int().describe('Labels of it that are in force'),
    as_of: z.iso.date().describe('Day of the list'),
    loaded_at: timestamp.describe('When the operator loaded it'),
  })
  .meta({ id: 'LabelList', description: 'A loaded list of labels' });

export type LabelList = z.infer<typeof LabelListSchema>;

export interface LabelLists {
  /** Returns all lists, ordered by name. */
  lists(): Promise<LabelList[]>;
  /** Labels in force that hold on each chain; those of all EVM chains count on each of them. */
  countByChain(): Promise<Record<Chain, number>>;
  /** Null where every list of sanctions is as new as it should be. */
  gap(): Promise<ListGap | null>;
}

/** Labels in force of one source, chain and category. */
interface Held {
  source: string;
  chain: LabelChain;
  category: Category;
  entries: number;
  loadedAt: number;
}

interface Inventory {
  held: Held[];
  /** Epoch ms, by source, as it was stated on loading. */
  days: ReadonlyMap<string, number>;
}

const CACHE_MS = 60_000;

/** Intervals of official lists that no one has the service keep. */
const PUBLISHED_EVERY_MS = DAY_MS;

/** Reads which lists are loaded. Cached until a label changes, for 60 seconds at most: it counts all labels. */
export function openLabelLists(records: Records, now: () => number): LabelLists {
  const cache = new LRUCache<number, Inventory>({ max: 1, ttl: CACHE_MS });
  const inventory = async () => {
    const changes = await countLabelChanges(records);
    const cached = cache.get(changes);
    if (cached) return cached;
    const read = await readInventory(records, now());
    cache.set(changes, read);
    return read;
  };
  return {
    lists: async () => listsOf(await inventory()),
    countByChain: async () => countsOf(await inventory()),
    gap: async () => gapOf(records, await inventory(), now()),
  };
}

async function readInventory(records: Records, now: number): Promise<Inventory> {
  const rows = await readerOf(records)
    .selectFrom('labels')
    .select((e) => [
      'source',
      'chain',
      'category',
      e.fn.countAll().as('entries'),
      e.fn.max('loaded_at').as('loaded_at'),
    ])
    .where((e) => e.or([e('valid_to', 'is', null), e('valid_to', '>', now)]))
    .groupBy(['source', 'chain', 'category'])
    .orderBy('source')
    .execute();
  const days = await readerOf(records).selectFrom('label_lists').selectAll().execute();
  return {
    held: rows.map(({ entries, loaded_at, ...row }) => {
      return { ...row, entries: Number(entries), loadedAt: Number(loaded_at) };
    }),
    days: new Map(days.map((row) => [row.source, row.as_of])),
  };
}

function listsOf({ held, days }: Inventory): LabelList[] {
  return [...groupBy(held, ({ source }) => source)].map(([source, rows]) => {
    const loadedAt = newest(rows);
    const entries = rows.reduce((sum, row) => sum + row.entries, 0);
    return { source, entries, as_of: dayOf(days.get(source) ?? loadedAt), loaded_at: iso(loadedAt) };
  });
}

function countsOf({ held }: Inventory): Record<Chain, number> {
  const counts = Object.fromEntries(CHAINS.map((chain) => [chain, 0])) as Record<Chain, number>;
  for (const { chain: on, entries } of held) {
    for (const chain of CHAINS) if (on === chain || (on === 'evm' && isEvmChain(chain))) counts[chain] += entries;
  }
  return counts;
}

/**
 * Both forms of OFAC's list are one list, of which one has to be fresh; lists of one's own are another. Public collections that
 * copy OFAC's list count where it is not loaded itself. A list that no one keeps and whose publisher names no interval does
 * not age.
 */
async function gapOf(records: Records, { held, days }: Inventory, now: number): Promise<ListGap | null> {
  const sanctions = groupBy(
    // A signed set is not a list of sanctions.
    held.filter(({ category, source }) => category === 'sanctioned' && sourceFamily(source) !== 'signed'),
    ({ source }) => sourceFamily(source),
  );
  if (sanctions.size === 0) return 'no_lists';
  const isOfficial = (family: string) => OFFICIAL_SOURCES.includes(family);
  const hasOfficial = [...sanctions.keys()].some(isOfficial);
  const kept = await readKeptLists(records);
  const isFresh = (family: string, rows: readonly Held[]) => {
    const loadedAt = Math.max(...rows.map(({ source, loadedAt }) => days.get(source) ?? loadedAt));
    const ofFamily = kept.filter((list) => list.source === family);
    if (ofFamily.length === 0) return !isOfficial(family) || now - loadedAt <= 2 * PUBLISHED_EVERY_MS;
    return ofFamily.every(({ every_ms, loaded_at }) => now - Math.max(loaded_at ?? 0, loadedAt) <= 2 * every_ms);
  };
  const counted = [...sanctions].filter(([family]) => !hasOfficial || !COPYING.includes(family));
  const [official, others] = [
    counted.filter(([name]) => isOfficial(name)),
    counted.filter(([name]) => !isOfficial(name)),
  ];
  const isStale =
    (official.length > 0 && !official.some((one) => isFresh(...one))) || !others.every((one) => isFresh(...one));
  return isStale ? 'lists_stale' : null;
}

function newest(rows: readonly Held[]): number {
  return Math.max(...rows.map(({ loadedAt }) => loadedAt));
}

/** Day of the list of a source that is loaded, epoch ms; null where none is. */
export async function findListDay(records: Records, source: string): Promise<number | null> {
  const row = await records.selectFrom('label_lists').select('as_of').where('source', '=', source).executeTakeFirst();
  return row?.as_of ?? null;
}

/** Keeps the day of a source's list; another day than before is a change that answers show at once. */
export async function saveListDay(records: Records, source: string, asOf: number): Promise<void> {
  await inTransaction(records, async (transaction) => {
    const before = await findListDay(transaction, source);
    await transaction
      .insertInto('label_lists')
      .values({ source, as_of: asOf })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ as_of: asOf }))
      .execute();
    if (before === null || dayOf(before) !== dayOf(asOf)) await noteLabelChange(transaction);
  });
}

/** Public collections whose sanctions are those of OFAC, copied at some day and seldom taken back. */
const COPYING = ['tagpack', 'eth-labels'];
/** These state no day of designation, and the second form of OFAC's own list does not either. */
const WITHOUT_DAY = [...COPYING, 'ofac-list'];
/** The form of OFAC's list that has the days. */
const DATED = 'ofac';

/**
 * Labels of one address: what was copied of a designation by OFAC begins on the day that OFAC's own list states, where the
 * copy states none, and a public collection's ends where OFAC's list has ended it. Sanctions of any other source, the
 * operator's own among them, stand for themselves.
 */
export function dateCopiedSanctions(labels: readonly Label[]): Label[] {
  return labels.map((label) => {
    if (label.category !== 'sanctioned' || !WITHOUT_DAY.includes(sourceFamily(label.source))) return label;
    const official = labels.filter((one) => isDesignationOf(one, label));
    const begun = withBeginning(label, official);
    return COPYING.includes(sourceFamily(label.source)) ? withEnd(begun, official) : begun;
  });
}

function withBeginning(label: Label, official: readonly Label[]): Label {
  const days = official.flatMap(({ source, validFrom }) => (source === DATED ? [validFrom] : []));
  if (label.validFrom !== null || days.length === 0 || days.includes(null)) return label;
  return { ...label, validFrom: Math.min(...days.map(Number)) };
}

function withEnd(label: Label, official: readonly Label[]): Label {
  if (official.length === 0 || official.some((one) => one.validTo === null)) return label;
  const end = Math.max(label.validFrom ?? 0, ...official.map((one) => one.validTo!));
  return label.validTo !== null && label.validTo <= end ? label : { ...label, validTo: end };
}

function isDesignationOf(official: Label, { chain }: Label): boolean {
  if (official.category !== 'sanctioned' || !OFFICIAL_SOURCES.includes(official.source)) return false;
  return official.chain === chain || (official.chain === 'evm' && isChain(chain) && isEvmChain(chain));
}
