import { parseAddressKey } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { AddressLabel } from '../../domain/tracing/walk/address-roles.ts';
import type { Graph, Row } from '../port.ts';
import { type ListedTransfer, toTraced } from './listed-transfers.ts';

/** An address with more counterparties is not asked: it would take as long as all the rest. */
const COUNTERPARTIES_MAX = 5_000;

interface TransactionRow extends Row {
  key: string;
  received: boolean;
  transfer: ListedTransfer;
}

/** A party of a transaction, by a transfer of it. */
export interface TransactionParty {
  key: string;
  one: TracedTransfer;
}

/** Reads what parties moved in transactions, with whose history it is from; of busy ones nothing. Adds the labels of the ends. Throws GraphError. */
export async function readTransactions(
  graph: Graph,
  wanted: readonly TransactionParty[],
  { labels, timeoutMs }: { labels: Map<string, AddressLabel>; timeoutMs: number },
): Promise<TransactionParty[]> {
  const items = [...groupBy(wanted, ({ key }) => key)].map(([key, parts]) => {
    const times = parts.map(({ one }) => one.at).sort((a, b) => a - b);
    // A map: in a list an engine compares every transfer with every hash.
    const named = Object.fromEntries(parts.map(({ one }) => [one.txHash, true]));
    return { key, from: times[0] as number, to: times.at(-1) as number, named };
  });
  const params = { items, most: COUNTERPARTIES_MAX };
  const rows = await graph.read<TransactionRow>('exposure/transactions', params, { timeoutMs });
  return rows.map(({ key, received, transfer }) => {
    const near = { key, chain: parseAddressKey(key).chain };
    return { key, one: toTraced(transfer, near, received ? 'received' : 'sent', new Map(), labels) };
  });
}
