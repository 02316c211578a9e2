import { groupBy } from '../../domain/group-by.ts';
import type { Ledger } from './ledger.ts';
import type { Movement } from './movements.ts';

/** Transactions in which the subject gave some assets and received others, oldest first. */
export function conversions(ledger: Ledger): Movement[][] {
  const swaps = ledger.movements.filter((movement) => movement.swap);
  return [...groupBy(swaps, (movement) => movement.transfer.txHash).values()].filter((movements) => {
    const given = new Set(movements.filter((m) => m.direction === 'out').map((m) => m.transfer.asset));
    return movements.every((m) => m.direction === 'out' || !given.has(m.transfer.asset));
  });
}
