import type { EvmChain } from '../../../domain/chain.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { numberEquals } from '../../../domain/transfers/transfer-id.ts';
import { eachInSlices } from '../../../fairness/time-slices.ts';
import type { RequestOptions } from '../../port.ts';
import { blockscoutRpc } from '../explorer/confirming.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { proxyRpc } from '../explorer/proxy.ts';
import { type FoundMovement, type TokenFacts, toTransfer, UNKNOWN_TOKEN } from '../format/transfer.ts';
import type { Rpc } from '../node/rpc.ts';
import type { TokenReader } from '../node/token.ts';
import { withCoinOnce } from './coin-once.ts';

/** Sources configured for one chain: an explorer, a node, or both. */
export interface EvmSources {
  chain: EvmChain;
  explorer: Explorer | null;
  rpc: Rpc | null;
  tokens: TokenReader;
  pageLimit: number;
}

const DROPPED_AT_ONCE = 1_000;

/** Returns what answers the methods of a node: the node, else the explorer. */
export function rpcOf({ rpc, explorer }: EvmSources): Rpc {
  return rpc ?? (explorer!.style === 'blockscout' ? blockscoutRpc(explorer!) : proxyRpc(explorer!));
}

export function sourceNames(sources: EvmSources): string[] {
  return [...(sources.explorer ? ['explorer'] : []), ...(sources.rpc ? ['rpc'] : [])];
}

/**
 * Movements to transfers, each place of a transaction once, and each move of the coin. Symbols and decimals come from the contracts where a node can be asked, else from
 * the list. The list of movements is empty afterwards: a whole history of them takes much memory.
 */
export async function toTransfers(
  sources: EvmSources,
  found: FoundMovement[],
  options?: RequestOptions,
): Promise<Transfer[]> {
  const facts = new Map<string, TokenFacts | null>();
  const once = withCoinOnce(sources.chain, found);
  if (once !== found) found.length = 0;
  await eachInSlices(once, ({ movement, token }) => {
    if (movement.token) facts.set(movement.token, token);
  });
  const unread = [...facts.keys()].filter((token) => sources.rpc !== null || !facts.get(token));
  for (const [token, read] of await sources.tokens(unread, options)) facts.set(token, read);
  const placed = new Map<string, Transfer>();
  const transfers: Transfer[] = [];
  await eachInSlices(dropping(once), ({ movement, facts: tx, token: listed }) => {
    const token = movement.token && (facts.get(movement.token) ?? listed ?? UNKNOWN_TOKEN);
    const transfer = toTransfer(sources.chain, movement, tx, token || null);
    if (movement.index === null) transfers.push(transfer);
    else placed.set(`${tx.txHash} ${movement.index}`, transfer);
  });
  transfers.push(...placed.values());
  numberEquals(transfers);
  return transfers;
}

function* dropping<T>(items: T[]): Generator<T> {
  while (items.length > 0) yield* items.splice(0, DROPPED_AT_ONCE);
}
