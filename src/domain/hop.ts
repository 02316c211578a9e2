import type { Chain } from './chain.ts';

/** One step of a money path with its evidence transaction, as every investigation answer shows it. */
export interface Hop {
  from: string;
  to: string;
  chain: Chain;
  tx_hash: string;
  asset: string;
  /** Exact decimal string. */
  amount: string;
  usd: number | null;
  /** ISO 8601, UTC. */
  at: string;
}

/** A transfer between two graph keys (`chain:address`) as a hop. */
export function hopOf(
  chain: Chain,
  transfer: { txHash: string; asset: string; amount: string; usd: number; at: number },
  ends: { from: string; to: string; priced?: boolean },
): Hop {
  const address = (key: string) => key.slice(chain.length + 1);
  return {
    from: address(ends.from),
    to: address(ends.to),
    chain,
    tx_hash: transfer.txHash,
    asset: transfer.asset,
    amount: transfer.amount,
    usd: ends.priced === false ? null : transfer.usd,
    at: new Date(transfer.at).toISOString(),
  };
}
