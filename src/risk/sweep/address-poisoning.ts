import { addToGroup } from '../../domain/group-by.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { type Bait, findBaits } from '../poisoning/poisoning.ts';
import { RULES } from '../rules.ts';
import type { Flag, Window } from './window.ts';

/**
 * Addresses that bait a victim by looking like a party the victim really dealt with: one flag for each bait address,
 * which names the victim of the strongest evidence; said to have worked where a victim paid it afterwards.
 */
export function sweepPoisoning(window: Window): Flag[] {
  const byBait = new Map<string, { victim: string; bait: Bait }[]>();
  for (const victim of new Set(window.transfers.flatMap(({ from, to }) => [from, to]))) {
    for (const bait of findBaits(window.ledgerOf(victim))) {
      addToGroup(byBait, bait.lookalike, { victim, bait });
    }
  }
  return [...byBait].map(([address, found]): Flag => {
    const { victim, bait } = found.reduce((a, b) => (b.bait.points > a.bait.points ? b : a));
    const losses = window.transfers.filter((transfer) => found.some((pair) => isLoss(transfer, address, pair)));
    const victims = new Set(found.map((pair) => pair.victim)).size;
    const { genuine, prefix, suffix, kind } = bait;
    return {
      address,
      pattern: 'address_poisoning',
      severity: 'CRITICAL',
      ...(losses.length > 0 ? { variant: 'loss' } : {}),
      measured: { victim, genuine, prefix, suffix, kind, victims, losses: losses.length },
      transfers: [...found.map((pair) => pair.bait.transfer), ...losses],
    };
  });
}

function isLoss(transfer: Transfer, address: string, { victim, bait }: { victim: string; bait: Bait }): boolean {
  return (
    transfer.from === victim &&
    transfer.to === address &&
    movedValue(transfer) &&
    (transfer.usd ?? 0) >= RULES.address_poisoning.loss_from_usd &&
    transfer.at >= bait.transfer.at &&
    transfer.id !== bait.transfer.id
  );
}
