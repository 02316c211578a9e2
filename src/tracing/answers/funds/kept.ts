import type { MoneyEnd } from '../../../domain/tracing/ends.ts';
import { replayOf } from '../../engine/replay.ts';
import type { OpenedAddress } from '../../engine/walk/findings.ts';
import { HaircutReplay } from '../../engine/walk/haircut-replay.ts';

/**
 * Returns what an address had not paid on of all that it received when it was last read: the replay of every wallet on the way.
 * Null where that is nothing, or where it was never read.
 */
export function keptBy(address: string, opened: OpenedAddress): MoneyEnd | null {
  // What it got in an exchange is a receipt of its own, so none is followed through.
  const replay = replayOf(
    opened,
    () => 'none',
    () => false,
  );
  const pass = new HaircutReplay(address, replay, {
    direction: 'sent',
    isReadKnown: opened.isReadKnown,
    heldSince: Number.NEGATIVE_INFINITY,
    withPaths: false,
    smallestUsd: 0,
    budget: { left: Number.POSITIVE_INFINITY },
  });
  for (const transfer of opened.received) {
    const { usd } = transfer;
    pass.arrive({ transfer, hops: 0, usd, unreadUsd: 0, recentUsd: 0, fraction: 1, onto: null, conversions: [] });
  }
  while (pass.isActive) pass.visit();
  const held = pass.finish(false).unattributed.get('held');
  if (!held || held.usd <= 0) return null;
  const { usd, quantities } = held;
  return { address, reason: 'held', usd, hops: 0, arrivals: [], quantities };
}
