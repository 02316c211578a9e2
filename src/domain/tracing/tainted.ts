import { sharesOf } from './attribution.ts';
import type { Carried, Direction } from './carried.ts';
import type { Trace, TracedParty } from './findings.ts';
import type { Replay, ReplayStep } from './replay.ts';
import type { TracedTransfer } from './traced-transfer.ts';

// The trace itself, read the other way round: it followed the subject's money out to the parties, hop by hop; here the
// part that reached them comes back through the same replays, so that each of the subject's transfers gets its own.

/** Part of the money of a transfer that came from the parties, or went to them, 0-1, by transfer id. */
type Parts = Map<string, number>;

/**
 * US dollars of each of the subject's own transfers that were traced to the parties, by transfer id; a crossing counts as
 * the transfers that it replaces. Together they are what was attributed to these parties.
 */
export function tracedUsdOfOwn(
  { passages }: Pick<Trace, 'passages'>,
  parties: readonly TracedParty[],
  direction: Direction,
  /** Replays by address, as the trace used them. */
  replays: ReadonlyMap<string, Replay>,
): Map<string, number> {
  const parts = new Map<Carried, number>();
  for (const { arrivals } of parties) for (const arrival of arrivals) parts.set(arrival, 1);
  // Passages of far hops were met last.
  for (let i = passages.length - 1; i >= 0; i--) {
    const passage = passages[i] as Carried[];
    const hops = passage.reduce((least, carried) => Math.min(least, carried.hops), Number.POSITIVE_INFINITY);
    const far: Parts = new Map();
    for (const carried of passage) {
      const part = parts.get(carried);
      if (carried.hops > hops && part !== undefined) far.set(carried.transfer.id, part);
    }
    const near = passage.filter((carried) => carried.hops === hops);
    const transfer = near[0]?.transfer;
    const replay = transfer && replays.get(direction === 'received' ? transfer.from : transfer.to);
    if (far.size === 0 || !replay) continue;
    const found = direction === 'received' ? partsOfPayments(replay, far) : partsOfReceipts(replay, far);
    for (const carried of near) parts.set(carried, found.get(carried.transfer.id) ?? 0);
  }
  const usdOf = new Map<string, number>();
  for (const [{ hops, transfer, usd }, part] of parts) {
    if (hops !== 1 || part === 0) continue;
    for (const { id, share } of listedAs(transfer)) usdOf.set(id, (usdOf.get(id) ?? 0) + usd * part * share);
  }
  return usdOf;
}

/** The transfers that a history lists for this one: itself, or for a crossing those that it replaces, by their value. */
function listedAs({ id, usd, bridge }: TracedTransfer): { id: string; share: number }[] {
  if (!bridge?.replaces || usd === 0) return [{ id, share: 1 }];
  return bridge.replaces.map((one) => ({ id: one.id, share: one.usd / usd }));
}

/** Of each payment of an address, by the parts of its receipts: the mix of the balance at that moment. */
function partsOfPayments({ steps }: Replay, receipts: Parts): Parts {
  const held = new Map<string, number>();
  const parts: Parts = new Map();
  for (const step of steps) {
    const tainted = held.get(step.asset) ?? 0;
    if (step.kind === 'receipt') {
      const part = step.swap?.got.includes(step) ? partOfSwap(step.swap.given, parts) : partOf(step, receipts);
      held.set(step.asset, tainted + part * step.units);
    } else if (step.kind === 'gap') held.delete(step.asset);
    else {
      if (step.transfer !== null && step.units > 0) parts.set(step.transfer.id, (tainted * step.part) / step.units);
      held.set(step.asset, tainted * (1 - step.part));
    }
  }
  return parts;
}

/** Of each receipt of an address, by the parts of its payments: what left with each of the later ones. */
function partsOfReceipts({ steps }: Replay, payments: Parts): Parts {
  const onward = new Map<string, number>();
  const parts: Parts = new Map();
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i] as ReplayStep;
    const later = onward.get(step.asset) ?? 0;
    if (step.kind === 'receipt') {
      if (step.transfer !== null) parts.set(step.transfer.id, later);
    } else if (step.kind === 'gap') onward.delete(step.asset);
    else {
      const part = step.swap?.given.includes(step) ? partOfSwap(step.swap.got, parts) : partOf(step, payments);
      onward.set(step.asset, step.part * part + (1 - step.part) * later);
    }
  }
  return parts;
}

function partOf({ transfer }: ReplayStep, parts: Parts): number {
  return transfer === null ? 0 : (parts.get(transfer.id) ?? 0);
}

/** The money of a leg crosses to the legs on the other side, to each its share; 0 where these have no prices. */
function partOfSwap(legs: readonly ReplayStep[], parts: Parts): number {
  const shares = sharesOf(legs) ?? [];
  return shares.reduce((sum, share, i) => sum + share * partOf(legs[i] as ReplayStep, parts), 0);
}
