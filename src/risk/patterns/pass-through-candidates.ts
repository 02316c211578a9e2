import { HOUR_MS } from '../../domain/time.ts';
import type { Direction } from '../../domain/tracing/exposure.ts';
import type { Side } from '../../domain/tracing/strand.ts';
import { PATTERN_RULES } from '../rules.ts';

const { cycle, peel_chain, relay_chain } = PATTERN_RULES;
/** What the most lenient of the patterns takes for the same money. */
const SAME_MONEY = {
  keptShare: Math.min(cycle.kept_share, peel_chain.kept_share, relay_chain.kept_share),
  keptShareMax: Math.max(cycle.kept_share_max, peel_chain.kept_share_max, 1.001),
  windowMs: Math.max(cycle.hours, peel_chain.gap_hours, relay_chain.gap_hours) * HOUR_MS,
};

interface Payment {
  at: number;
  usd: number;
}

/**
 * Addresses of which one side was read and, by what the sides of all tell of the other, money may have passed through:
 * no chain and no round trip runs over the rest, whatever else they did.
 */
export function mayHandOn(sides: Record<Direction, ReadonlyMap<string, Side>>): string[] {
  const halfRead = [...sides.received.keys(), ...sides.sent.keys()].filter(
    (address) => !sides.received.has(address) || !sides.sent.has(address),
  );
  const payments = new Map(halfRead.map((address) => [address, { received: [] as Payment[], sent: [] as Payment[] }]));
  for (const direction of ['received', 'sent'] as const) {
    const opposite = direction === 'received' ? 'sent' : 'received';
    for (const { transfers } of sides[direction].values()) {
      for (const transfer of transfers) {
        payments.get(transfer.near)?.[direction].push(transfer);
        payments.get(transfer.far)?.[opposite].push(transfer);
      }
    }
  }
  return [...payments].flatMap(([address, { received, sent }]) =>
    sent.some((out) => received.some((before) => isSameMoney(before, out))) ? [address] : [],
  );
}

function isSameMoney(before: Payment, out: Payment): boolean {
  const kept = out.usd / before.usd;
  const passedMs = out.at - before.at;
  return (
    passedMs > 0 && passedMs <= SAME_MONEY.windowMs && kept >= SAME_MONEY.keptShare && kept <= SAME_MONEY.keptShareMax
  );
}
