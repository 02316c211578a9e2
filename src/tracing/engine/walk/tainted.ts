import { type Direction, type FlowPortion, keptPart, returnedPart } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { PoolsBackwards, type ReplayStep } from '../replay-step.ts';
import { convertedPart, swapShares } from '../swaps.ts';
import type { Trace, TracedParty } from './findings.ts';

// The trace itself, read the other way round: it followed the subject's money out to the parties, hop by hop; here the
// part that reached them comes back through the same replays, so that each of the subject's transfers gets its own.

/** Part of the money of a transfer that came from the parties, or went to them, 0-1, by transfer id. */
type Parts = Map<string, number>;

/**
 * US dollars of each of the subject's own transfers that were traced to the parties, by transfer id; a crossing counts as
 * the transfers that it replaces. Together they are what was attributed to these parties.
 */
export function tracedUsdOfOwn(
  trace: Trace,
  parties: readonly TracedParty[],
  direction: Direction,
): Map<string, number> {
  const usdOf = new Map<string, number>();
  for (const [{ onto, transfer, usd }, part] of tracedParts(trace, parties, direction)) {
    if (onto !== null || part === 0) continue;
    for (const { id, share } of listedAs(transfer)) usdOf.set(id, (usdOf.get(id) ?? 0) + usd * part * share);
  }
  return usdOf;
}

/** Part of the money that went on through each opened address that was traced to the parties, 0-1, by address. */
export function tracedPartsBehind(
  trace: Trace,
  parties: readonly TracedParty[],
  direction: Direction,
): Map<string, number> {
  const parts = tracedParts(trace, parties, direction);
  const sums = new Map<string, { usd: number; traced: number }>();
  for (const { address, arrived } of trace.passes.flat()) {
    const sum = sums.get(address) ?? { usd: 0, traced: 0 };
    sums.set(address, sum);
    for (const portion of arrived) {
      sum.usd += portion.usd;
      sum.traced += portion.usd * (parts.get(portion) ?? 0);
    }
  }
  return new Map([...sums].map(([address, { usd, traced }]) => [address, usd > 0 ? traced / usd : 0]));
}

/** Part of the money that each transfer carried that was traced to the parties, 0-1. */
function tracedParts(
  { passes }: Trace,
  parties: readonly TracedParty[],
  direction: Direction,
): Map<FlowPortion, number> {
  const parts = new Map<FlowPortion, number>();
  for (const { arrivals } of parties) for (const arrival of arrivals) parts.set(arrival, 1);
  for (const moves of passes.toReversed()) {
    const passed = new Map<object, Returning>();
    for (const { pass, step, arrived, gone } of moves.toReversed()) {
      const returning = passed.get(pass) ?? new Returning();
      passed.set(pass, returning);
      const onward = gone ? onwardOf(gone, parts) : 0;
      const part = direction === 'received' ? returning.toPayment(step, onward) : returning.toReceipt(step, onward);
      for (const portion of arrived) parts.set(portion, ofRest(portion, part));
    }
  }
  return parts;
}

/** The transfers that a history lists for this one: itself, or those that it stands for, by their value. */
function listedAs({ id, usd, bridge, paidOut }: TracedTransfer): { id: string; share: number }[] {
  if (paidOut) return [{ id: paidOut.replaces, share: 1 }];
  if (!bridge?.replaces?.length || usd === 0) return [{ id, share: 1 }];
  return bridge.replaces.map((one) => ({ id: one.id, share: one.usd / usd }));
}

/** Returns the traced part, 0-1, of the money that the near end's own contract account does not keep. */
function ofRest(portion: FlowPortion, part: number): number {
  const rest = 1 - keptPart(portion);
  return rest > 0 ? Math.min(1, part / rest) : 0;
}

/** Returns the traced part, 0-1, of all the money of a transfer, with what came back of it by another one. */
function onwardOf(portion: FlowPortion, parts: ReadonlyMap<FlowPortion, number>): number {
  const { returned = [], bridgeFee = 0 } = portion;
  const across = returned.reduce((sum, { onward, part }) => sum + part * ((onward && parts.get(onward)) ?? 0), 0);
  return across + (1 - returnedPart(portion)) * (1 - bridgeFee) * (parts.get(portion) ?? 0);
}

/** One pass of an address, the other way round: what is asked for is the part of the money nearer to the subject. */
class Returning {
  private readonly pools = new Map<string, number>();
  private readonly later = new PoolsBackwards(0);
  private readonly parts: Parts = new Map();

  /** Returns the part of a payment, by the parts of its receipts: the mix of the balance at that moment. */
  toPayment(step: ReplayStep, onward: number): number {
    const tainted = this.pools.get(step.pool) ?? 0;
    if (step.kind === 'gap') this.pools.delete(step.pool);
    if (step.kind === 'gap') return 0;
    if (step.kind === 'receipt') {
      const part = partAcross(step, 'got', this.parts, onward);
      this.pools.set(step.pool, tainted + part * step.units);
      return 0;
    }
    this.pools.set(step.pool, tainted * (1 - step.part));
    if (step.into === null) return this.keep(step, step.units > 0 ? (tainted * step.part) / step.units : 0);
    this.pools.set(step.into, (this.pools.get(step.into) ?? 0) + tainted * step.part);
    return 0;
  }

  /** Returns the part of a receipt, by the parts of the later payments with which it left. */
  toReceipt(step: ReplayStep, onward: number): number {
    if (step.kind === 'receipt') return this.keep(step, this.later.partOf(step.pool));
    this.later.undo(step, partAcross(step, 'given', this.parts, onward));
    return 0;
  }

  private keep({ transfer }: ReplayStep, part: number): number {
    if (transfer) this.parts.set(transfer.id, part);
    return part;
  }
}

/** The money of a leg crosses to the legs on the other side, to each its share (0 where these have no prices), as far as it converts. */
function partAcross(step: ReplayStep, side: 'given' | 'got', parts: Parts, onward: number): number {
  const { swap } = step;
  if (!swap?.[side].includes(step)) return onward;
  const legs = swap[side === 'got' ? 'given' : 'got'];
  const shares = swapShares(legs) ?? [];
  const across = shares.reduce((sum, share, i) => sum + share * (parts.get(legs[i]?.transfer?.id ?? '') ?? 0), 0);
  const converted = convertedPart(step);
  return converted * across + (1 - converted) * onward;
}
