import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { Degrees, End } from './ends.ts';
import { type Fact, factOf } from './facts.ts';
import { distinctFacts } from './match-facts.ts';

/** One ordered pair of addresses and the transfers read between them. */
export interface Pair {
  from: string;
  to: string;
  /** Each once, with the ids that the reading gave them. */
  read: readonly Fact[];
  /** The same by the ids of the graph, once they are compared with what it holds; a changed content may bring a new id. */
  found: Map<string, Fact>;
}

/** Transfers of a statement, and about those of a transaction. Others wait meanwhile, and larger batches are not faster. */
export const BATCH = 2_000;

export interface Batch {
  /** Whole pairs, or a part of one that has more transfers than a batch. */
  pairs: Pair[];
  part: 'last' | 'other' | null;
  /** Sorted by key. */
  ends: End[];
}

/**
 * Batches of about `size` of the transfers that moved value, each made when it is asked for. Those of one pair stay
 * together, but for a pair with more of them, which is several batches of its own, each of whole transactions.
 */
export async function* batchesOf(transfers: readonly Transfer[], size: number): AsyncGenerator<Batch> {
  const byPair = new Map<string, Transfer[]>();
  await eachInSlices(transfers, (transfer) => {
    if (movedValue(transfer)) addToGroup(byPair, `${transfer.chain} ${transfer.from} ${transfer.to}`, transfer);
  });
  const batches: Transfer[][][] = [];
  const large: Transfer[][] = [];
  let room = 0;
  for (const together of byPair.values()) {
    if (together.length > size) {
      large.push(together);
      continue;
    }
    if (room <= 0) {
      batches.push([]);
      room = size;
    }
    batches.at(-1)!.push(together);
    room -= together.length;
  }
  for (const pairs of batches) yield { pairs: pairs.map(pairOf), ends: endsOf(pairs), part: null };
  for (const together of large) {
    const parts = partsOf(together, size);
    for (const [i, some] of parts.entries()) {
      yield { pairs: [pairOf(some)], ends: endsOf([some]), part: i === parts.length - 1 ? 'last' : 'other' };
    }
  }
}

/** Whole transactions, about `size` transfers at a time: equals of one have their numbers from it. */
function partsOf(transfers: readonly Transfer[], size: number): Transfer[][] {
  const parts: Transfer[][] = [];
  let room = 0;
  for (const together of groupBy(transfers, ({ txHash }) => txHash).values()) {
    if (room <= 0) {
      parts.push([]);
      room = size;
    }
    for (const transfer of together) parts.at(-1)!.push(transfer);
    room -= together.length;
  }
  return parts;
}

function pairOf(transfers: Transfer[]): Pair {
  const { chain, from, to } = transfers[0]!;
  const read = distinctFacts(transfers.map(factOf));
  return { from: addressKey(chain, from), to: addressKey(chain, to), read, found: new Map() };
}

function endsOf(pairs: Transfer[][]): End[] {
  const ends = new Map<string, End>();
  const end = (chain: Chain, address: string, at: number): End => {
    const key = addressKey(chain, address);
    const known = ends.get(key) ?? { key, chain, address, first_at: at, last_at: at, degree_in: 0, degree_out: 0 };
    ends.set(key, known);
    return known;
  };
  for (const transfers of pairs) {
    const { chain, from, to, at } = transfers[0]!;
    const [sender, receiver] = [end(chain, from, at), end(chain, to, at)];
    if (sender !== receiver) {
      sender.degree_out += 1;
      receiver.degree_in += 1;
    }
    for (const { at } of transfers) {
      for (const either of [sender, receiver]) {
        either.first_at = Math.min(either.first_at, at);
        either.last_at = Math.max(either.last_at, at);
      }
    }
  }
  return [...ends.values()].sort((a, b) => compare(a.key, b.key));
}

/** False where the degrees alone show that the graph holds nothing between the two. */
export function mayBeHeld({ from, to }: Pair, degrees: ReadonlyMap<string, Degrees>): boolean {
  const sender = degrees.get(from);
  const receiver = degrees.get(to);
  if (!sender || !receiver) return false;
  return from === to || (sender.degree_out > 0 && receiver.degree_in > 0);
}

/** The keys of pairs, as statements about pairs ask for them. */
export function pairKeys(pairs: readonly { from: string; to: string }[]): string[][] {
  return pairs.map(({ from, to }) => [from, to]);
}
