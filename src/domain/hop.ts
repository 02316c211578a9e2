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
