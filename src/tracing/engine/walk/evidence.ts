import { AmountSum, compareAmounts, plainDecimal } from '../../../domain/amount.ts';
import { feePart } from '../../../domain/bridges/bridge-facts.ts';
import type { Crossing } from '../../../domain/bridges/crossing.ts';
import { compare } from '../../../domain/compare.ts';
import { type Direction, type FlowPortion, farEnd, largestFirst } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer, TransferThere } from '../../../domain/tracing/traced-transfer.ts';
import { isStakeTaken } from '../accounts.ts';
import type { Trace, TracedParty } from './findings.ts';

/**
 * The way from the subject outwards, a transfer for each step: of the arrivals nearest to the subject the one that carried
 * most, each step onto the transfer that took most of it. Where the money came back to an address in the asset in which it
 * had left, the detour is left out: what remains is in order of time.
 */
export function evidencePath(
  { arrivals, hops }: Pick<TracedParty, 'arrivals' | 'hops'>,
  direction: Direction,
): FlowPortion[] {
  const shortest = arrivals.filter((arrival) => arrival.hops === hops);
  const path: FlowPortion[] = [];
  let step: FlowPortion | null = shortest.reduce((most, arrival) => (arrival.usd > most.usd ? arrival : most));
  for (; step !== null; step = step.onto) path.push(step);
  return withoutDetours(path.reverse(), direction);
}

function withoutDetours(path: readonly FlowPortion[], direction: Direction): FlowPortion[] {
  const kept: FlowPortion[] = [];
  const reached = new Map<string, number>();
  for (const step of path) {
    const { from, to, assetId } = step.transfer;
    const [near, far] = direction === 'received' ? [to, from] : [from, to];
    const first = reached.get(near);
    const before = first === undefined ? undefined : kept[first];
    if (
      first !== undefined &&
      before &&
      first < kept.length - 1 &&
      atTheParty(before.transfer, direction).assetId === assetId
    ) {
      for (const { transfer } of kept.splice(first + 1)) {
        reached.delete(farEnd(transfer, direction));
      }
      reached.set(near, first);
      kept.push({ ...step, onto: before, conversions: [] });
    } else kept.push(step);
    if (!reached.has(far)) reached.set(far, kept.length - 1);
  }
  return kept;
}

/** Parties with direct and indirect money in one entry, largest first. */
export function mergeTiers(parties: readonly TracedParty[]): TracedParty[] {
  const merged = new Map<string, TracedParty>();
  for (const party of parties) {
    const known = merged.get(party.address);
    if (!known) {
      merged.set(party.address, { ...party });
      continue;
    }
    known.usd += party.usd;
    known.recentUsd += party.recentUsd;
    known.hops = Math.min(known.hops, party.hops);
    known.firstAt = Math.min(known.firstAt, party.firstAt);
    known.lastAt = Math.max(known.lastAt, party.lastAt);
    known.arrivals = [...known.arrivals, ...party.arrivals];
  }
  return [...merged.values()].sort(largestFirst);
}

const PART_DIGITS = 12;

/** A part of what a transfer moved. */
export interface QuantityPart {
  transfer: TracedTransfer;
  /** 0-1. */
  fraction: number;
}

/** Quantities that the money was at the party, by asset symbol; never more than its transfers moved. */
export function assetsOf(
  { arrivals }: { arrivals: readonly QuantityPart[] },
  direction: Direction,
): Record<string, string> {
  const byTransfer = new Map<string, { portion: QuantityPart; fraction: number }>();
  for (const portion of arrivals) {
    const known = byTransfer.get(portion.transfer.id);
    byTransfer.set(portion.transfer.id, { portion, fraction: (known?.fraction ?? 0) + portion.fraction });
  }
  const sums = new Map<string, AmountSum>();
  for (const { portion, fraction } of byTransfer.values()) {
    const { asset, amount } = atTheParty(portion.transfer, direction);
    const part = partOf(amount, fraction);
    if (part !== '0') sums.set(asset, (sums.get(asset) ?? new AmountSum()).add(part));
  }
  const assets = [...sums].map(([asset, sum]) => [asset, sum.toString()] as const);
  return Object.fromEntries(assets.sort(([a], [b]) => compare(a, b)));
}

/** The transfer as it was at the party's end: what crossed a bridge or a swap is another asset there. */
export function atTheParty(transfer: TracedTransfer, direction: Direction): TransferThere {
  const { bridge, paidOut } = transfer;
  if (paidOut) return direction === 'sent' ? paidOut.got : paidOut.given;
  if (!bridge || bridge.end !== null) return transfer;
  const there = direction === 'sent' ? bridge.crossing.destination : bridge.crossing.source;
  if (!there) return transfer;
  const { asset, assetId, amount, tx: txHash, at } = there;
  const usd = direction === 'sent' ? arrivedUsd(bridge.crossing) : bridge.crossing.usd;
  return { asset, assetId, amount, usd: usd ?? 0, priced: usd !== null, txHash, at, block: null };
}

/** US dollars of what arrived over a bridge: at its own price, else that of the same asset as it left, else the crossing's. */
function arrivedUsd(crossing: Crossing): number | null {
  const { usd, sides } = crossing;
  return sides?.arrivedUsd ?? (usd === null ? null : usd * (1 - feePart(crossing)));
}

/**
 * Returns US dollars of the money at the party: its quantity at the price of its time, the same in every answer. Null where a part of
 * it has no price.
 */
export function pricedUsd({ arrivals }: { arrivals: readonly QuantityPart[] }, direction: Direction): number | null {
  let sum = 0;
  for (const { transfer, fraction } of arrivals) {
    if (fraction <= 0) continue;
    const { usd, priced } = atTheParty(transfer, direction);
    if (!priced) return null;
    sum += usd * Math.min(1, fraction);
  }
  return sum;
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
export function upperUsd(trace: Trace, parties: readonly TracedParty[]): number {
  let sum = 0;
  for (const [{ usd }, most] of ownTransfers(trace, parties)) sum += Math.min(usd, most);
  const attributed = parties.reduce((total, { usd }) => total + usd, 0);
  return Math.max(attributed, sum);
}

/** The subject's own transfers over which money can have come from the parties, or gone to them, largest first, with the most of it. */
export function ownTransfers({ passes }: Trace, parties: readonly TracedParty[]): [FlowPortion, number][] {
  const upper = new Map<FlowPortion, number>();
  for (const { arrivals } of parties) for (const arrival of arrivals) upper.set(arrival, worthOf(arrival));
  for (const moves of passes.toReversed()) {
    const pools = new Map<string, number>();
    for (const { address, arrived, gone } of moves.toReversed()) {
      const onward = gone ? [gone, ...(gone.returned ?? []).map((one) => one.onward)] : [];
      let pool = onward.reduce((sum, one) => sum + ((one && upper.get(one)) ?? 0), pools.get(address) ?? 0);
      for (const portion of arrived) {
        const taken = Math.min(worthOf(portion), pool);
        upper.set(portion, taken);
        pool -= taken;
      }
      pools.set(address, pool);
    }
  }
  return [...upper].filter(([{ onto }, usd]) => onto === null && usd > 0).sort(([a], [b]) => b.usd - a.usd);
}

/** The worth of the whole transfer in the subject's dollars. */
function worthOf({ usd, fraction }: FlowPortion): number {
  return fraction > 0 ? usd / fraction : 0;
}

/** US dollars of money that passed such a transfer on its way. */
export function usdPassing(
  ends: readonly { arrivals: readonly FlowPortion[] }[],
  isSuch: (passed: FlowPortion) => boolean,
): number {
  const passes = (arrival: FlowPortion) => {
    for (let one: FlowPortion | null = arrival; one; one = one.onto) if (isSuch(one)) return true;
    return false;
  };
  return ends.flatMap(({ arrivals }) => arrivals.filter(passes)).reduce((sum, { usd }) => sum + usd, 0);
}

/** True where stake was taken out that may have been another's: a deposit may name any receiver. */
export function isStaked({ transfer, conversions }: FlowPortion): boolean {
  return isStakeTaken(transfer) || conversions.some(({ isStake }) => isStake);
}
