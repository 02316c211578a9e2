import type { TracedTransfer } from '../domain/exposure.ts';
import type { Category } from '../domain/label.ts';
import type { Graph } from './port.ts';

/** Pairs opened of one address, largest sums first; a hub's tail is not followed. */
export const PAIRS_PER_ADDRESS = 200;
/** Single transfers read of one pair, largest first. */
const TRANSFERS_PER_PAIR = 200;

export interface OpenedPair {
  from: string;
  to: string;
  usd: number;
  /** Category of the end that was not asked for. */
  category: Category | null;
}

/** The pairs of each address towards its payees (`forward`) or its payers (`backward`). */
export async function openPairs(
  graph: Graph,
  keys: string[],
  options: { side: 'forward' | 'backward'; minUsd: number; timeoutMs: number },
): Promise<OpenedPair[]> {
  const params = { keys, min_usd: options.minUsd, breadth: PAIRS_PER_ADDRESS };
  const rows = await graph.read<{ near: string; far: string; usd: number; category: Category | null }>(
    `path/expand-${options.side}`,
    params,
    { timeoutMs: options.timeoutMs },
  );
  return rows.map(({ near, far, usd, category }) => ({
    from: options.side === 'forward' ? near : far,
    to: options.side === 'forward' ? far : near,
    usd,
    category,
  }));
}

/** A transfer on a path; an unpriced one counts as 0 USD in choices and is shown without a value. */
export interface PathTransfer extends TracedTransfer {
  priced: boolean;
}

interface TransferRow {
  [name: string]: string | number | null;
  from_key: string;
  to_key: string;
  id: string;
  usd: number | null;
  tx_hash: string;
  at: number;
  block: number | null;
  position: number | null;
  seq: number | null;
  asset: string;
  amount: string;
}

/** Single transfers of each pair, by `from to`. */
export async function pairTransfers(
  graph: Graph,
  pairs: { from: string; to: string }[],
  options: { minUsd: number; timeoutMs: number },
): Promise<Map<string, PathTransfer[]>> {
  const params = { pairs, min_usd: options.minUsd, per_pair: TRANSFERS_PER_PAIR };
  const rows = await graph.read<TransferRow>('path/transfers', params, { timeoutMs: options.timeoutMs });
  const byPair = new Map<string, PathTransfer[]>();
  for (const row of rows) {
    const pair = `${row.from_key} ${row.to_key}`;
    const transfers = byPair.get(pair) ?? [];
    transfers.push({
      id: row.id,
      near: row.from_key,
      far: row.to_key,
      usd: row.usd ?? 0,
      priced: row.usd !== null,
      txHash: row.tx_hash,
      at: row.at,
      block: row.block,
      position: row.position,
      seq: row.seq ?? 0,
      asset: row.asset,
      amount: row.amount,
    });
    byPair.set(pair, transfers);
  }
  return byPair;
}
