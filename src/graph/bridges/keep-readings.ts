import { newestReadings } from '../../domain/bridges/later-readings.ts';
import type { BridgeMessage, TransactionReading } from '../../domain/bridges/message.ts';
import { asColumns } from '../columns.ts';
import type { BridgeTransaction } from '../model.ts';
import type { Graph, GraphTransaction, Row } from '../port.ts';

interface HeldReading extends Row {
  read_at: BridgeTransaction['read_at'] | null;
  readings: BridgeTransaction['readings'] | null;
}

/**
 * Keeps the newest reading of each transaction, whatever the order in which they arrive. Returns those that the graph knew
 * before. Throws GraphError.
 */
export async function keepReadings(
  graph: Graph,
  readings: readonly TransactionReading[],
): Promise<TransactionReading[]> {
  const found = newestReadings(readings);
  if (found.size === 0) return [];
  const keys = [...found.keys()].sort();
  const transactions = keys.map((key) => {
    const { chain, tx } = found.get(key)![0]!.messages[0]!;
    return { key, chain, tx_hash: tx };
  });
  return graph.transact(async (tx) => {
    await tx.run('bridges/lock-transactions', asColumns(transactions, ['key', 'chain', 'tx_hash']));
    const before = await readingsOf(tx, keys);
    const newest = newestReadings([...before, ...readings]);
    const kept = keys.map((key) => {
      const all = newest.get(key)!;
      return { key, read_at: all[0]!.at, readings: JSON.stringify(all.map(({ messages }) => messages)) };
    });
    await tx.run('bridges/keep-readings', asColumns(kept, ['key', 'read_at', 'readings']));
    return before;
  });
}

/** The newest readings of these transactions that the graph knows. Throws GraphError. */
export async function heldReadings(graph: Graph, keys: ReadonlySet<string>): Promise<TransactionReading[]> {
  if (keys.size === 0) return [];
  return parsed(await graph.read<HeldReading>('bridges/readings', { key: [...keys] }));
}

async function readingsOf(tx: GraphTransaction, key: string[]): Promise<TransactionReading[]> {
  return parsed(await tx.run<HeldReading>('bridges/readings', { key }));
}

function parsed(rows: readonly HeldReading[]): TransactionReading[] {
  return rows.flatMap(({ read_at, readings }) =>
    readings === null || read_at === null
      ? []
      : (JSON.parse(readings) as BridgeMessage[][]).map((messages) => ({ messages, at: read_at })),
  );
}
