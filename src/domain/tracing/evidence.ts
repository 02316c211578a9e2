import { addAmounts, compareAmounts, plainDecimal } from '../amount.ts';
import { compare } from '../compare.ts';
import type { Carried, Direction } from './carried.ts';
import type { Trace, TracedParty } from './findings.ts';
import type { TracedTransfer } from './traced-transfer.ts';

/** The way from the subject outwards, a transfer for each hop: the shortest one, of several the one that carried most. */
export function evidencePath({ arrivals, hops }: TracedParty): Carried[] {
  const shortest = arrivals.filter((arrival) => arrival.hops === hops);
  const path: Carried[] = [];
  let step: Carried | null = shortest.reduce((most, arrival) => (arrival.usd > most.usd ? arrival : most));
  for (; step !== null; step = step.onto) path.unshift(step);
  return path;
}

const PART_DIGITS = 12;

/** Quantities that the money was at the party, by asset symbol; never more than its transfers moved. */
export function assetsOf({ arrivals }: Pick<TracedParty, 'arrivals'>, direction: Direction): Record<string, string> {
  const byTransfer = new Map<string, { carried: Carried; fraction: number }>();
  for (const carried of arrivals) {
    const known = byTransfer.get(carried.transfer.id);
    byTransfer.set(carried.transfer.id, { carried, fraction: (known?.fraction ?? 0) + carried.fraction });
  }
  const sums = new Map<string, string>();
  for (const { carried, fraction } of byTransfer.values()) {
    const { asset, amount } = atTheParty(carried.transfer, direction);
    const part = partOf(amount, fraction);
    if (part !== '0') sums.set(asset, addAmounts(sums.get(asset) ?? '0', part));
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => compare(a, b)));
}

export type TransferThere = Pick<TracedTransfer, 'asset' | 'assetId' | 'amount' | 'txHash' | 'at' | 'block'>;

/** What a transfer moved at the party's end: what crossed a bridge is another asset, and less, on the other chain. */
export function atTheParty(transfer: TracedTransfer, direction: Direction): TransferThere {
  const { bridge } = transfer;
  if (!bridge || bridge.end !== null) return transfer;
  const there = direction === 'sent' ? bridge.crossing.destination : bridge.crossing.source;
  if (!there) return transfer;
  const { asset, assetId, amount, tx: txHash, at } = there;
  return { asset, assetId, amount, txHash, at, block: null };
}

/** The whole amount exactly, a part of it to twelve digits. */
function partOf(amount: string, fraction: number): string {
  if (fraction > 1 - 1e-12) return amount;
  const part = plainDecimal((Number(amount) * fraction).toPrecision(PART_DIGITS)) ?? '0';
  return compareAmounts(part, amount) > 0 ? amount : part;
}

/**
 * The most that can have come from the parties together, or gone to them: each transfer on the way carries what it
 * moved at most, and each address pays no more than what reached it. At least what was attributed.
 */
export function upperUsd(trace: Pick<Trace, 'passages'>, parties: readonly TracedParty[]): number {
  let sum = 0;
  for (const [{ usd }, most] of ownTransfers(trace, parties)) sum += Math.min(usd, most);
  const attributed = parties.reduce((total, { usd }) => total + usd, 0);
  return Math.max(attributed, sum);
}

/** The subject's own transfers over which money can have come from the parties, or gone to them, largest first, with the most of it. */
export function ownTransfers(
  { passages }: Pick<Trace, 'passages'>,
  parties: readonly TracedParty[],
): [Carried, number][] {
  const upper = new Map<Carried, number>();
  for (const { arrivals } of parties) for (const arrival of arrivals) upper.set(arrival, worthOf(arrival));
  // Passages of far hops were met last.
  for (let i = passages.length - 1; i >= 0; i--) {
    const passage = passages[i] as Carried[];
    const near = passage.reduce((least, { hops }) => Math.min(least, hops), Number.POSITIVE_INFINITY);
    let pool = 0;
    for (const carried of passage) {
      if (carried.hops > near) pool += upper.get(carried) ?? 0;
      else if (pool > 0) {
        const taken = Math.min(worthOf(carried), pool);
        upper.set(carried, taken);
        pool -= taken;
      }
    }
  }
  return [...upper].filter(([{ hops }]) => hops === 1).sort(([a], [b]) => b.usd - a.usd);
}

/** What the whole transfer would be in the subject's dollars. */
function worthOf({ usd, fraction }: Carried): number {
  return fraction > 0 ? usd / fraction : 0;
}
