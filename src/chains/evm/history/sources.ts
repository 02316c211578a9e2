import type { EvmChain } from '../../../domain/chain.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { eachInSlices } from '../../../fairness/time-slices.ts';
import type { RequestOptions } from '../../port.ts';
import { inParallel } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import {
  contentIndex,
  type EvmMovement,
  type TokenFacts,
  type TxFacts,
  toTransfer,
  UNKNOWN_TOKEN,
} from '../format/transfer.ts';
import type { Rpc } from '../node/rpc.ts';
import type { TokenReader } from '../node/token.ts';

/** Sources configured for one chain: an explorer, a node, or both. */
export interface EvmSources {
  chain: EvmChain;
  explorer: Explorer | null;
  rpc: Rpc | null;
  tokens: TokenReader;
  pageLimit: number;
}

/** A movement with its transaction; `token` is what a list said of the token. */
export interface FoundMovement {
  movement: EvmMovement;
  facts: TxFacts;
  token: TokenFacts | null;
}

/** Requests to one source at the same time. */
export const PARALLEL = 8;

const DROPPED_AT_ONCE = 1_000;

export function sourceNames(sources: EvmSources): string[] {
  return [...(sources.explorer ? ['explorer'] : []), ...(sources.rpc ? ['rpc'] : [])];
}

/**
 * Movements to transfers, each id once. Symbols and decimals come from the contracts where a node can be asked, else from
 * the list. The list of movements is empty afterwards: a whole history of them takes much memory.
 */
export async function toTransfers(
  sources: EvmSources,
  found: FoundMovement[],
  options?: RequestOptions,
): Promise<Transfer[]> {
  const facts = new Map<string, TokenFacts | null>();
  await eachInSlices(found, ({ movement, token }) => {
    if (movement.token) facts.set(movement.token, token);
  });
  const unread = [...facts.keys()].filter((token) => sources.rpc !== null || !facts.get(token));
  await inParallel(unread, PARALLEL, async (token) => {
    facts.set(token, await sources.tokens(token, options));
  });
  const seen = new Map<string, number>();
  const transfers = new Map<string, Transfer>();
  await eachInSlices(dropping(found), (item) => {
    // One without a place in its transaction is named by its content.
    const index = item.movement.index || contentIndex(item.movement, seen, item.facts.txHash);
    const token = item.movement.token && (facts.get(item.movement.token) ?? item.token ?? UNKNOWN_TOKEN);
    const transfer = toTransfer(sources.chain, { ...item.movement, index }, item.facts, token || null);
    transfers.set(transfer.id, transfer);
  });
  return [...transfers.values()];
}

function* dropping<T>(items: T[]): Generator<T> {
  while (items.length > 0) yield* items.splice(0, DROPPED_AT_ONCE);
}
