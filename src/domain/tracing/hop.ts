import { roundUsd } from '../amount.ts';
import type { Chain } from '../chain.ts';
import { iso } from '../time.ts';
import type { Carried, Direction } from './carried.ts';

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
  /** Swaps by which the sender turned the money of the hop before into this asset; left out where there are none. */
  conversion?: { tx_hash: string; from_asset: string; to_asset: string }[];
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

/**
 * The way of an address's money as hops in the order in which it moved. A swap stands at the hop that paid on what the
 * swap brought.
 */
export function hopsOf(chain: Chain, direction: Direction, path: readonly Carried[]): Hop[] {
  const hops = path.map(({ transfer, conversions }, i): Hop => {
    // A transfer lists the swaps between itself and the one nearer to the subject.
    const swaps = direction === 'received' ? (path[i + 1]?.conversions ?? []) : conversions;
    const hop = hopOf(chain, transfer, { from: transfer.from, to: transfer.to, priced: transfer.priced });
    if (swaps.length === 0) return hop;
    const conversion = swaps.map(({ txHash, from, to }) => ({ tx_hash: txHash, from_asset: from, to_asset: to }));
    return { ...hop, conversion: direction === 'received' ? conversion.reverse() : conversion };
  });
  return direction === 'received' ? hops.reverse() : hops;
}

/** The address in a graph key. */
export function addressOf(chain: Chain, key: string): string {
  return key.slice(chain.length + 1);
}
