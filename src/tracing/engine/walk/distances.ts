import { DAY_MS } from '../../../domain/time.ts';
import type { AddressTransfers, TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';

/** The deepest trace. One that may go so far passes relays at no cost; with fewer hops each step counts. */
export const HOPS_DEEPEST = 15;
/** Steps of a way at most, relays among them. */
const STEPS_MAX = 100;
/** Least part of an asset that one payer brings to an address, and one receiver takes, where it only passes one party's money on. */
const RELAY = { payer_share: 0.8, receiver_share: 0.5 } as const;
/** Relays in a row that make a chain. */
const CHAIN_FROM = 5;

/** Steps between the subject and the far end of the longest way that is followed. */
export function stepsWithin(hopsMax: number): number {
  return hopsMax < HOPS_DEEPEST ? hopsMax : STEPS_MAX;
}

/**
 * True where nearly all of an asset came in from one payer and half or more went out to one receiver: a change, a peel, a relay. What
 * came back from a receiver, or was given back to a payer, is set off: a wallet that bounces a part stays a relay.
 */
export function isRelay(transfers: AddressTransfers, assetId: string): boolean {
  const nets = [...netByParty(transfers, assetId).values()];
  const payer = largestPart(nets);
  return payer >= RELAY.payer_share && largestPart(nets.map((net) => -net)) >= RELAY.receiver_share;
}

/** A wallet that only passes money on has few parties, keeps next to nothing, and is done within days. */
const PASSING = { parties_max: 10, passed_share: 0.95, days: 30 } as const;

/** True for a wallet that was there to pass an asset on, in however many parts: several beside each other make a layer. */
export function isPassing({ received, sent }: AddressTransfers, assetId: string): boolean {
  const came = received.filter((one) => one.assetId === assetId);
  const went = sent.filter((one) => one.assetId === assetId);
  const sumOf = (transfers: readonly TracedTransfer[]) =>
    transfers.reduce((sum, { amount }) => sum + Number(amount), 0);
  const parties = [new Set(came.map(({ from }) => from)), new Set(went.map(({ to }) => to))];
  const times = [...came, ...went].map(({ at }) => at);
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), 0)];
  return (
    parties.every(({ size }) => size > 0 && size <= PASSING.parties_max) &&
    sumOf(went) >= PASSING.passed_share * sumOf(came) &&
    last - first <= PASSING.days * DAY_MS
  );
}

/** Sums what each party brought of an asset, less what it got. */
function netByParty({ received, sent }: AddressTransfers, assetId: string): Map<string, number> {
  const nets = new Map<string, number>();
  const add = (party: string, amount: number) => nets.set(party, (nets.get(party) ?? 0) + amount);
  for (const one of received) if (one.assetId === assetId) add(one.from, Number(one.amount));
  for (const one of sent) if (one.assetId === assetId) add(one.to, -Number(one.amount));
  return nets;
}

/** The largest of the sums above 0, as a part of them all; 0 without any. */
function largestPart(sums: readonly number[]): number {
  const most = sums.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? most / sums.reduce((whole, sum) => whole + Math.max(sum, 0), 0) : 0;
}

interface Distance {
  steps: number;
  /** Steps but for those out of relays. */
  hops: number;
}

/** How far addresses lie from the subjects: the fewest steps, and the fewest hops, over the transfers that were seen so far. */
export class Distances {
  private readonly known: Map<string, Distance>;
  private readonly onward = new Map<string, Set<string>>();
  private readonly hopsMax: number;
  private readonly relays: ReadonlySet<string>;

  /** Relays are to be known before what lies behind them is added. */
  constructor(subjects: Iterable<string>, hopsMax: number, relays: ReadonlySet<string>) {
    this.known = new Map(Array.from(subjects, (subject) => [subject, { steps: 0, hops: 0 }]));
    this.hopsMax = hopsMax;
    this.relays = relays;
  }

  /** Returns the distance of an address in steps. */
  of(address: string): number {
    return this.known.get(address)?.steps ?? Number.POSITIVE_INFINITY;
  }

  /** True where money may go on through the address. */
  isWithin(address: string): boolean {
    const { steps, hops } = this.known.get(address) ?? UNREACHED;
    return hops < this.hopsMax && steps < stepsWithin(this.hopsMax);
  }

  /** Adds a transfer; what lies behind it may come nearer. */
  add(near: string, far: string): void {
    const ways = this.onward.get(near);
    if (ways?.has(far)) return;
    if (ways) ways.add(far);
    else this.onward.set(near, new Set([far]));
    const nearer = [[near, far] as const];
    for (const [from, to] of nearer) {
      const before = this.known.get(from) ?? UNREACHED;
      const known = this.known.get(to) ?? UNREACHED;
      const isFree = this.hopsMax >= HOPS_DEEPEST && this.relays.has(from);
      const steps = Math.min(known.steps, before.steps + 1);
      const hops = Math.min(known.hops, before.hops + (isFree ? 0 : 1));
      if (steps === known.steps && hops === known.hops) continue;
      this.known.set(to, { steps, hops });
      for (const next of this.onward.get(to) ?? []) nearer.push([to, next]);
    }
  }
}

const UNREACHED: Distance = { steps: Number.POSITIVE_INFINITY, hops: Number.POSITIVE_INFINITY };

/** True where a way from the subject, the farthest address first, passes a chain of relays. */
export function passesChain(way: Iterable<string>, relays: ReadonlySet<string>): boolean {
  let run = 0;
  for (const address of way) {
    run = relays.has(address) ? run + 1 : 0;
    if (run >= CHAIN_FROM) return true;
  }
  return false;
}
