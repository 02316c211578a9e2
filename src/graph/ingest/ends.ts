import type { Chain } from '../../domain/chain.ts';
import { asColumns } from '../columns.ts';
import type { GraphTransaction, GraphValue } from '../port.ts';

/** Counterparties of an address: senders to it, receivers from it. */
export interface Degrees {
  degree_in: number;
  degree_out: number;
}

/** An address of a batch: when the batch saw it, and its counterparties in the batch. */
export interface End extends Degrees {
  key: string;
  chain: Chain;
  address: string;
  first_at: number;
  last_at: number;
}

/** State of an address before the batch; without times where no transfer named it. */
export interface HeldEnd extends Degrees {
  first_seen_at: number | null;
  last_seen_at: number | null;
}

/** The ends, sorted by key, that the graph holds, by key; nothing changes them before the transaction ends. */
export async function lockEnds(tx: GraphTransaction, ends: readonly Pick<End, 'key'>[]): Promise<Map<string, HeldEnd>> {
  const held = await tx.run<{ key: string } & HeldEnd & Record<string, GraphValue>>(
    'ingest/lock-ends',
    asColumns(ends, ['key']),
  );
  return new Map(held.map((row) => [row.key, row]));
}

/** Makes the ends that the graph does not hold, and returns them. */
export async function createEnds(
  tx: GraphTransaction,
  ends: readonly End[],
  held: ReadonlyMap<string, HeldEnd>,
): Promise<End[]> {
  const born = ends.filter(({ key }) => !held.has(key));
  const fields = ['key', 'chain', 'address', 'first_at', 'last_at', 'degree_in', 'degree_out'] as const;
  if (born.length > 0) await tx.run('ingest/create-addresses', asColumns(born, fields));
  return born;
}

/** Widens the time in which held ends were seen, and adds the pairs that are new to their counterparties. */
export async function updateEnds(
  tx: GraphTransaction,
  ends: readonly End[],
  held: ReadonlyMap<string, HeldEnd>,
  newPairs: readonly { from: string; to: string }[],
): Promise<void> {
  const added = new Map<string, Degrees>();
  for (const { key } of ends) if (held.has(key)) added.set(key, { degree_in: 0, degree_out: 0 });
  for (const { from, to } of newPairs) {
    const [sender, receiver] = [added.get(from), added.get(to)];
    if (sender) sender.degree_out += 1;
    if (receiver) receiver.degree_in += 1;
  }
  const rows = ends.flatMap((end) => {
    const before = held.get(end.key);
    if (!before) return [];
    const changed = changesOf(before, end, added.get(end.key)!);
    return Object.keys(changed).length > 0 ? [{ key: end.key, changed }] : [];
  });
  if (rows.length > 0) await tx.run('ingest/update-addresses', asColumns(rows, ['key', 'changed']));
}

function changesOf(before: HeldEnd, end: End, added: Degrees): Partial<HeldEnd> {
  const changed: Partial<HeldEnd> = {};
  if (before.first_seen_at === null || end.first_at < before.first_seen_at) changed.first_seen_at = end.first_at;
  if (before.last_seen_at === null || end.last_at > before.last_seen_at) changed.last_seen_at = end.last_at;
  if (added.degree_in > 0) changed.degree_in = before.degree_in + added.degree_in;
  if (added.degree_out > 0) changed.degree_out = before.degree_out + added.degree_out;
  return changed;
}
