import { append } from '../../../domain/append.ts';
import type { EvmChain } from '../../../domain/chain.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { isCoinContract } from '../../../domain/tokens/known-tokens.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { numberEquals } from '../../../domain/transfers/transfer-id.ts';
import { eachInSlices } from '../../../fairness/time-slices.ts';
import type { RequestOptions } from '../../port.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { rpcOfExplorer } from '../explorer/proxy.ts';
import {
  type EvmMovement,
  type FoundMovement,
  type TokenFacts,
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

const DROPPED_AT_ONCE = 1_000;

/** Returns what answers the methods of a node: the node, else the explorer. */
export function rpcOf({ rpc, explorer }: EvmSources): Rpc {
  return rpc ?? rpcOfExplorer(explorer!);
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
  append(transfers, placed.values());
  numberEquals(transfers);
  return transfers;
}

function* dropping<T>(items: T[]): Generator<T> {
  while (items.length > 0) yield* items.splice(0, DROPPED_AT_ONCE);
}

/**
 * Leaves each move of the coin once. Some chains log moves of their coin, or have a contract through which it is moved and that
 * logs it like a token: such a log is the payment itself, and what went to the contract and came from it was only its way.
 *
 * @internal Tested alone.
 */
export function withCoinOnce(chain: EvmChain, found: FoundMovement[]): FoundMovement[] {
  const isToken = ({ movement }: FoundMovement) => movement.kind === 'token' && isCoinContract(chain, movement.token);
  const isLog = ({ movement }: FoundMovement) => movement.kind === 'internal' && movement.index?.startsWith('log:');
  const touched = new Set(found.filter((one) => isToken(one) || isLog(one)).map(({ facts }) => facts.txHash));
  if (touched.size === 0) return found;
  const left = new Set(found);
  const coin = found.filter((one) => touched.has(one.facts.txHash) && (isToken(one) || one.movement.token === null));
  for (const moves of groupBy(coin, ({ facts }) => facts.txHash).values()) {
    const known = moves.filter((one) => !isToken(one) && !isLog(one) && !one.movement.failed);
    const logged = withoutEquals(moves.filter(isLog), known);
    const stated = withoutEquals(moves.filter(isToken), [...known, ...moves.filter(isLog)]);
    const kept = [...known, ...logged, ...stated];
    const isKept = new Set(kept);
    for (const one of moves) if (!one.movement.failed && !isKept.has(one)) left.delete(one);
    const isContract = (address: string) => isCoinContract(chain, address);
    for (const { movement } of [...logged, ...stated]) {
      const { from, to, amountRaw } = movement;
      if (isContract(from) || isContract(to)) continue;
      for (const isWay of [
        (way: EvmMovement) => way.from === from && isContract(way.to),
        (way: EvmMovement) => way.to === to && isContract(way.from),
      ]) {
        const way = kept.find((one) => left.has(one) && isWay(one.movement) && one.movement.amountRaw === amountRaw);
        if (way) left.delete(way);
      }
    }
  }
  return [...left].map((one) => (isToken(one) ? { ...one, token: null, movement: asCoin(one.movement) } : one));
}

/** The movements that have no equal, one for one, among others. */
function withoutEquals(movements: FoundMovement[], others: readonly FoundMovement[]): FoundMovement[] {
  const contentOf = ({ movement: { from, to, amountRaw } }: FoundMovement) => `${from} ${to} ${amountRaw}`;
  const counts = new Map<string, number>();
  for (const one of others) counts.set(contentOf(one), (counts.get(contentOf(one)) ?? 0) + 1);
  return movements.filter((one) => {
    const count = counts.get(contentOf(one)) ?? 0;
    counts.set(contentOf(one), count - 1);
    return count <= 0;
  });
}

function asCoin(movement: EvmMovement): EvmMovement {
  return { ...movement, token: null, kind: 'internal' };
}
