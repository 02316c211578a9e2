import { pairName, parseAddressKey } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import { slicesOf } from '../../domain/slices.ts';
import { asColumns } from '../columns.ts';
import { recut } from '../entities/recut.ts';
import type { Graph, GraphTransaction, GraphValue } from '../port.ts';
import { type HeldEnd, lockEnds } from './ends.ts';
import { rollUp } from './facts.ts';
import { type NamedFlowFact, readFlowFacts, updateFlows } from './held-facts.ts';
import { leaveSpends } from './joint-spends.ts';
import { type Pair, pairKeys } from './pairs.ts';

/** The position of a fact in the graph: the keys of its ends, and its id. */
export interface FactPlace {
  from: string;
  to: string;
  id: string;
}

/**
 * Facts of a transaction, also of one pair. Others wait meanwhile; with fewer, the facts that a large pair keeps are
 * read again more often.
 */
const BATCH = 5_000;

/**
 * Deletes facts; roll-ups, degrees and times of their ends follow, and the scores of the ends end. With `unmark` the ends
 * count as never read. Addresses stay, also without a transfer. Returns the number of deleted facts. Each batch is
 * atomic, and repeating changes nothing.
 */
export async function removeFacts(
  graph: Graph,
  places: readonly FactPlace[],
  { unmark }: { unmark: boolean },
): Promise<number> {
  let removed = 0;
  for (const batch of batchesOf(places)) {
    removed += await graph.transact((tx) => removeBatch(tx, batch, unmark));
  }
  return removed;
}

/** Makes addresses count as never read, and ends their scores. */
export async function unmarkRead(graph: Graph, keys: readonly string[]): Promise<void> {
  for (const key of slicesOf([...keys].sort(), BATCH)) {
    const params = { key };
    await graph.write([
      { statement: 'forget/unmark', params },
      { statement: 'forget/unscore', params },
    ]);
  }
}

type Gone = Pick<FactPlace, 'from' | 'to'> & { ids: Set<string> };

function batchesOf(places: readonly FactPlace[]): Gone[][] {
  const batches: Gone[][] = [];
  let room = 0;
  for (const together of groupBy(places, pairName).values()) {
    const { from, to } = together[0]!;
    for (let start = 0; start < together.length; ) {
      if (room === 0) {
        batches.push([]);
        room = BATCH;
      }
      const some = together.slice(start, start + room);
      batches.at(-1)!.push({ from, to, ids: new Set(some.map(({ id }) => id)) });
      start += some.length;
      room -= some.length;
    }
  }
  return batches;
}

async function removeBatch(tx: GraphTransaction, batch: readonly Gone[], unmark: boolean): Promise<number> {
  const keys = [...new Set(batch.flatMap(({ from, to }) => [from, to]))].sort();
  const ends = await lockEnds(
    tx,
    keys.map((key) => ({ key })),
  );
  const idsOf = new Map(batch.map((gone) => [pairName(gone), gone.ids]));
  const asked = batch.map(({ from, to }): Pair => ({ from, to, read: [], found: new Map() }));
  const held = await readFlowFacts(tx, asked, ends);
  const changes = [...held].flatMap(([pair, facts]) => {
    const ids = idsOf.get(pairName(pair))!;
    const gone = facts.filter(({ id }) => ids.has(id));
    return gone.length > 0 ? [{ pair, gone, left: facts.filter(({ id }) => !ids.has(id)) }] : [];
  });
  if (changes.length === 0) return 0;

  const names = changes.flatMap(({ pair, gone }) => gone.map(({ id }) => `${pairName(pair)} ${id}`));
  const gone = Object.fromEntries(names.map((name) => [name, true]));
  const pairs = changes.map(({ pair }) => pair);
  await tx.run('forget/delete-transfers', { pairs: pairKeys(pairs), gone });
  await changeFlows(tx, changes);
  await changeEnds(tx, changes, ends);
  const key = [...new Set(pairs.flatMap(({ from, to }) => [from, to]))].sort();
  await tx.run('forget/unscore', { key });
  if (unmark) await tx.run('forget/unmark', { key });
  // Elsewhere no transfer is evidence of a common owner.
  const paid = changes.filter(({ pair }) => parseAddressKey(pair.from).chain === 'bitcoin');
  await leaveSpends(
    tx,
    paid.flatMap(({ pair: { from }, gone }) => gone.map(({ tx_hash }) => ({ payer: from, txHash: tx_hash }))),
  );
  await recut(
    tx,
    paid.map(({ pair }) => pair.from),
  );
  return names.length;
}

interface Change {
  pair: Pair;
  gone: NamedFlowFact[];
  left: NamedFlowFact[];
}

async function changeFlows(tx: GraphTransaction, changes: readonly Change[]): Promise<void> {
  const others = changes.filter(({ pair }) => pair.from !== pair.to);
  const emptied = others.filter(({ left }) => left.length === 0).map(({ pair }) => pair);
  const reduced = others.filter(({ left }) => left.length > 0);
  if (emptied.length > 0) await tx.run('forget/delete-flows', { pairs: pairKeys(emptied) });
  await updateFlows(tx, new Map(reduced.map(({ pair, left }) => [pair, rollUp(pair, left)])));
}

interface Seen {
  key: string;
  first_at: number | null;
  last_at: number | null;
}

/** Degrees count the pairs that are left; times are read again where a deleted fact was the first or the last. */
async function changeEnds(
  tx: GraphTransaction,
  changes: readonly Change[],
  ends: ReadonlyMap<string, HeldEnd>,
): Promise<void> {
  const changed = new Map<string, Partial<HeldEnd>>();
  const of = (key: string) => {
    const known = changed.get(key) ?? {};
    changed.set(key, known);
    return known;
  };
  const outermost = new Set<string>();
  for (const { pair, gone, left } of changes) {
    for (const key of [pair.from, pair.to]) {
      const { first_seen_at, last_seen_at } = ends.get(key)!;
      if (gone.some(({ at }) => at === first_seen_at || at === last_seen_at)) outermost.add(key);
    }
    if (left.length > 0 || pair.from === pair.to) continue;
    const [sender, receiver] = [of(pair.from), of(pair.to)];
    sender.degree_out = (sender.degree_out ?? ends.get(pair.from)!.degree_out) - 1;
    receiver.degree_in = (receiver.degree_in ?? ends.get(pair.to)!.degree_in) - 1;
  }
  for (const [key, seen] of await seenAgain(tx, [...outermost].sort())) Object.assign(of(key), seen);
  const rows = [...changed].map(([key, properties]) => ({ key, changed: properties as GraphValue }));
  if (rows.length > 0) await tx.run('ingest/update-addresses', asColumns(rows, ['key', 'changed']));
}

/** Null where no transfer is left. */
async function seenAgain(
  tx: GraphTransaction,
  key: readonly string[],
): Promise<Map<string, Pick<HeldEnd, 'first_seen_at' | 'last_seen_at'>>> {
  if (key.length === 0) return new Map();
  const params = { key: [...key] };
  const rows = [
    ...(await tx.run<Seen & Record<string, GraphValue>>('forget/seen', params)),
    ...(await tx.run<Seen & Record<string, GraphValue>>('forget/seen-alone', params)),
  ];
  return new Map(
    [...groupBy(rows, (row) => row.key)].map(([one, seen]) => {
      const times = seen.flatMap(({ first_at, last_at }) => (first_at === null ? [] : [first_at, last_at!]));
      const [first_seen_at, last_seen_at] = times.length > 0 ? [Math.min(...times), Math.max(...times)] : [null, null];
      return [one, { first_seen_at, last_seen_at }];
    }),
  );
}
