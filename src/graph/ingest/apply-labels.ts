import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { slicesOf } from '../../domain/slices.ts';
import { asColumns } from '../columns.ts';
import { listedTogether, recut } from '../entities/recut.ts';
import { nameEntities, settle } from '../entities/settle.ts';
import type { Graph, GraphTransaction, Row } from '../port.ts';
import { lockEnds } from './ends.ts';

/** Properties that labels give an address's node: its best label, or nulls for none. */
export interface NodeLabel {
  category: string | null;
  label: string | null;
  label_source: string | null;
  /** Left out where the list is not sure of it. */
  label_sure?: true;
  /** Name or id of the owner. */
  entity_id: string | null;
}

const CHUNK = 5_000;

interface AppliedRow extends Row {
  key: string;
  entity_before: string | null;
  holder: string | null;
  before: (string | boolean | null)[];
}

/** Which of these keys are nodes of the graph. Waits for the writes under way, so that theirs count. */
export async function heldKeys(graph: Graph, keys: readonly string[]): Promise<string[]> {
  const held: string[] = [];
  for (const key of slicesOf(keys, CHUNK)) {
    const rows = await graph.transact((tx) => tx.run<{ key: string }>('labels/held', { key }));
    for (const { key } of rows) held.push(key);
  }
  return held;
}

/** Puts labels on the nodes of `<chain>:<address>` keys that the graph holds, and skips the others. */
export async function applyLabels(graph: Graph, labels: ReadonlyMap<string, NodeLabel>): Promise<{ applied: number }> {
  const ends = [...labels.keys()].sort().map((key) => ({ key }));
  let applied = 0;
  for (const chunk of slicesOf(ends, CHUNK)) {
    applied += await graph.transact(async (tx) => {
      await lockEnds(tx, chunk);
      return applyToEnds(tx, chunk, labels);
    });
  }
  return { applied };
}

/** The same inside a transaction that has locked these addresses, sorted by key. */
export async function applyToEnds(
  tx: GraphTransaction,
  ends: readonly { key: string }[],
  labels: ReadonlyMap<string, NodeLabel>,
): Promise<number> {
  const rows = ends.flatMap(({ key }) => (labels.has(key) ? [{ key, ...labels.get(key)! }] : []));
  if (rows.length === 0) return 0;
  const before = await tx.run<AppliedRow>(
    'labels/apply',
    asColumns(rows, ['key', 'category', 'label', 'label_source', 'label_sure', 'entity_id']),
  );
  const held = new Map(before.map((row) => [row.key, row.entity_before]));
  const moved = rows.filter((row) => held.has(row.key) && held.get(row.key) !== row.entity_id);
  const left = moved.filter((row) => held.get(row.key) !== null);
  if (left.length > 0) await tx.run('labels/leave-entities', { key: left.map((row) => row.key) });
  const joined = moved
    .filter((row) => row.entity_id !== null)
    .map((row) => ({ ...row, name: row.entity_id }))
    .sort((a, b) => compare(a.name!, b.name!));
  if (joined.length > 0) {
    await tx.run('labels/join-entities', asColumns(joined, ['key', 'entity_id', 'name', 'category']));
  }
  const given = new Map(rows.map((row) => [row.key, row]));
  const called = before.filter(({ key, holder, before }) => {
    const { category, label, label_sure = null, entity_id } = given.get(key)!;
    return holder !== null && [category, label, label_sure, entity_id].some((value, i) => value !== before[i]);
  });
  await nameEntities(tx, new Set(called.map(({ holder }) => holder!)));
  await joinListed(tx, joined, left);
  return before.length;
}

/** Lists join what they give to one owner, and part what they no longer do. */
async function joinListed(
  tx: GraphTransaction,
  joined: readonly { key: string; entity_id: string | null }[],
  left: readonly { key: string }[],
): Promise<void> {
  await recut(
    tx,
    left.map(({ key }) => key),
  );
  if (joined.length === 0) return;
  const byOwner = groupBy(joined, ({ entity_id }) => entity_id!);
  const owned = await tx.run<{ owner: string; first: string }>('entities/owned', {
    owner: [...byOwner.keys()],
    joined: Object.fromEntries(joined.map(({ key }) => [key, true])),
  });
  const first = new Map(owned.map((row) => [row.owner, row.first]));
  await settle(
    tx,
    [...byOwner].map(([owner, rows]) => {
      const keys = rows.map(({ key }) => key);
      return listedTogether(first.has(owner) ? [first.get(owner)!, ...keys] : keys);
    }),
  );
}
