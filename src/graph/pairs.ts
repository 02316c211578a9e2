import type { Chain } from '../domain/chain.ts';
import { movedValue, type Transfer } from '../domain/transfer.ts';
import { additions, type Fact, factOf } from './facts.ts';

/** One ordered pair of addresses and the transfers found between them, by id. */
export interface Pair {
  from: string;
  to: string;
  found: Map<string, Fact>;
}

/** One end of a batch: who it is and when the batch saw it. */
export interface End {
  key: string;
  chain: Chain;
  address: string;
  first_at: number;
  last_at: number;
}

/** Counterparties that an address had before the batch. */
export interface Degrees {
  degree_in: number;
  degree_out: number;
}

export interface Batch {
  pairs: Pair[];
  /** Sorted by key. */
  ends: End[];
}

/** The key of an address's node. */
export function addressKey(chain: Chain, address: string): string {
  return `${chain}:${address}`;
}

/** Batches of about `size` of the transfers that moved value; those of one pair stay together. */
export function batchesOf(transfers: readonly Transfer[], size: number): Batch[] {
  const moved = transfers.filter(movedValue);
  const byPair = new Map<string, Transfer[]>();
  for (const transfer of moved) {
    const name = `${transfer.chain} ${transfer.from} ${transfer.to}`;
    const together = byPair.get(name);
    if (together) together.push(transfer);
    else byPair.set(name, [transfer]);
  }
  const batches: Transfer[][][] = [];
  let room = 0;
  for (const together of byPair.values()) {
    if (room <= 0) {
      batches.push([]);
      room = size;
    }
    batches.at(-1)!.push(together);
    room -= together.length;
  }
  return batches.map((pairs) => ({ pairs: pairs.map(pairOf), ends: endsOf(pairs.flat()) }));
}

function pairOf(transfers: Transfer[]): Pair {
  const { chain, from, to } = transfers[0]!;
  const found = new Map<string, Fact>();
  for (const fact of transfers.map(factOf)) {
    const same = found.get(fact.id);
    found.set(fact.id, same ? { ...same, ...additions(same, fact) } : fact);
  }
  return { from: addressKey(chain, from), to: addressKey(chain, to), found };
}

function endsOf(transfers: Transfer[]): End[] {
  const ends = new Map<string, End>();
  for (const { chain, from, to, at } of transfers) {
    for (const address of [from, to]) {
      const key = addressKey(chain, address);
      const end = ends.get(key);
      if (!end) ends.set(key, { key, chain, address, first_at: at, last_at: at });
      else {
        end.first_at = Math.min(end.first_at, at);
        end.last_at = Math.max(end.last_at, at);
      }
    }
  }
  return [...ends.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** False where the degrees alone show that the graph holds nothing between the two. */
export function mayBeHeld({ from, to }: Pair, degrees: ReadonlyMap<string, Degrees>): boolean {
  return from === to || (degrees.get(from)!.degree_out > 0 && degrees.get(to)!.degree_in > 0);
}

/** Splits pairs by their end with fewer counterparties: reading or changing a pair costs the degree of one end. */
export function bySmallerEnd(
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
): { by_sender: string[][]; by_receiver: string[][] } {
  const sides = { by_sender: [] as string[][], by_receiver: [] as string[][] };
  for (const { from, to } of pairs) {
    const smallSender = degrees.get(from)!.degree_out <= degrees.get(to)!.degree_in;
    (smallSender ? sides.by_sender : sides.by_receiver).push([from, to]);
  }
  return sides;
}
