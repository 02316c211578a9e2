import { roundUsd } from '../amount.ts';
import type { Chain } from '../chain.ts';
import { iso } from '../time.ts';

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
  return {
    from: addressOf(chain, ends.from),
    to: addressOf(chain, ends.to),
    chain,
    tx_hash: transfer.txHash,
    asset: transfer.asset,
    amount: transfer.amount,
    usd: ends.priced === false ? null : roundUsd(transfer.usd),
    at: iso(transfer.at),
  };
}

/** The address in a graph key. */
export function addressOf(chain: Chain, key: string): string {
  return key.slice(chain.length + 1);
}
