import type { EvmChain } from '../../../domain/chain.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { isCoinContract } from '../../../domain/tokens/known-tokens.ts';
import type { EvmMovement, FoundMovement } from '../format/transfer.ts';

/**
 * Leaves each move of the coin once. Some chains log moves of their coin, or have a contract through which it is moved and that
 * logs it like a token: such a log is the payment itself, and what went to the contract and came from it was only its way.
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
