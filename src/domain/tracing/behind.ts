import type { TracedTransfer } from './traced-transfer.ts';

/** Largest part of a payment that a router may keep as its fee. */
const FEE_MAX = 0.03;
/** One party is behind it that gave, or got, so much of what passed it. */
const LEAST_PART = 0.9;

/**
 * Finds who stands behind a party that a transaction leaves as it was, as a router: who gave what it paid on with the transfer, or got what
 * the transfer brought it. Null where it keeps more than a fee, or several stand there. By dollars, without a price by quantity.
 */
export function behindOf(router: string, transfer: TracedTransfer, together: readonly TracedTransfer[]): string | null {
  const alike = transfer.priced ? together : together.filter(({ assetId }) => assetId === transfer.assetId);
  const worthOf = ({ usd, amount }: TracedTransfer) => (transfer.priced ? usd : Number(amount));
  const isPayer = transfer.from === router;
  const other = isPayer ? transfer.to : transfer.from;
  /** Above zero: it stands on the other side of the router than the transfer. */
  const nets = new Map<string, number>();
  for (const one of alike) {
    if ((one.from === router) === (one.to === router)) continue;
    const far = one.from === router ? one.to : one.from;
    nets.set(far, (nets.get(far) ?? 0) + worthOf(one) * ((one.to === router) === isPayer ? 1 : -1));
  }
  const kept = [...nets.values()].reduce((sum, net) => sum + net, 0);
  nets.delete(other);
  const behind = [...nets].filter(([, net]) => net > 0).sort(([, a], [, b]) => b - a);
  const whole = behind.reduce((sum, [, net]) => sum + net, 0);
  const [largest] = behind;
  if (!largest || Math.abs(kept) > FEE_MAX * whole || largest[1] < LEAST_PART * whole) return null;
  return largest[0];
}
