import type { GraphContext } from '../../../context.ts';
import { addressKey, pairName } from '../../../domain/address/address-key.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { type Category, STOP_CATEGORIES } from '../../../domain/label.ts';
import { ANY_TIME, type MomentSpan } from '../../../domain/time.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import { GraphTimeoutError } from '../../../errors.ts';
import type { Graph } from '../../../graph/port.ts';
import {
  bySide,
  farOf,
  type OpenedPair,
  type PathSide,
  type PathTransfer,
  pairTransfers,
  readKnown,
} from '../../../graph/queries/path.ts';
import { addPair, type OpenedPairs, sequences, widestChoice } from '../../engine/flow-path.ts';
import type { Inquiry } from '../../read/inquiry.ts';
import { carries, type FrontEntry, farAt, isWider, PairWalk, startsOf } from '../../read/walk.ts';
import { PathCrossings, type PathEnd } from './path-crossings.ts';
import type { EndedPath, MetAddress, PathService } from './search-coverage.ts';

/** Addresses opened at one end; a wider front is cut to its widest and the answer says so. */
const FRONT_MAX = 2_000;
/** Addresses of a front that are read first to see whether it leads on; the others only if these do not. */
const FIRST_ASKED = 20;
/** Hops of one walk; longer paths take a second one from where it ended. */
const WALK_HOPS = 3;
/** Sequences of addresses tried for each length. */
const SEQUENCES_MAX = 200;

/** A pair that can lead on, and since when (until when) money can be at its far end. */
type Lead = OpenedPair & { at: number };

export interface PathRequest {
  chain: Chain;
  /** Canonical. */
  from: string;
  /** Left out: `chain`. */
  toChain?: Chain;
  to: string;
  maxHops: number;
  minUsd: number;
  timeOrdered: boolean;
  throughServices: boolean;
  /** Span in which every transfer of a path was made; default: any time. */
  span?: MomentSpan;
}

export type PathContext = GraphContext & Inquiry;

const NO_PAIRS = { pairs: [], cut: false };

/** Opens the graph from both ends of the paths, one hop at a time, over transfers and over crossings of bridges. */
export class PathSearch {
  /** Reasons for which something was not searched, or paths ended. */
  readonly reasons = new Set<string>();
  /** Every address of the fronts, as it was first met. */
  readonly met = new Map<string, MetAddress>();
  /** Crossings at which paths end, by their id and side. */
  readonly ended = new Map<string, EndedPath>();
  private readonly graph: Graph;
  private readonly request: PathRequest;
  private readonly remainingMs: () => number;
  private readonly from: string;
  private readonly to: string;
  private readonly pairs: OpenedPairs = new Map();
  private readonly walk: PairWalk;
  private readonly crossings: PathCrossings;
  private readonly withBridges = new Set<string>();
  /** Every address that was reached, with the widest time of all ways to it. */
  private readonly seen: Record<PathSide, Map<string, number>>;
  private readonly front: Record<PathSide, FrontEntry[]>;
  private readonly depth = { forward: 0, backward: 0 };
  /** The first labelled service at which paths stopped. */
  service: PathService | null = null;
  private opened = 0;

  /** `walk`: one that begins at both ends, shared with other searches; default: one of its own. */
  constructor({ graph, policy, remainingMs }: PathContext, request: PathRequest, walk?: PairWalk) {
    const { chain, toChain = chain, minUsd, span } = request;
    this.graph = graph;
    this.request = request;
    this.remainingMs = remainingMs;
    this.from = addressKey(chain, request.from);
    this.to = addressKey(toChain, request.to);
    const starts = { forward: [this.from], backward: [this.to] };
    this.walk = walk ?? new PairWalk(graph, { ...request, starts });
    this.front = bySide((side) => startsOf(side, starts[side], span));
    this.seen = bySide((side) => new Map(this.front[side].map(({ key, at }) => [key, at])));
    this.crossings = new PathCrossings(graph, { policy, minUsd, span });
    if (!policy.crossChain && toChain !== chain) this.reasons.add('cross_chain_off');
  }

  /** Addresses that were reached from either end. */
  get size(): number {
    return new Set([...this.seen.forward.keys(), ...this.seen.backward.keys()]).size;
  }

  /** Opens one more hop at the cheaper front until paths of `length` hops lie wholly in what is open. */
  async openTo(length: number): Promise<void> {
    if (this.met.size === 0) await this.begin();
    while (this.opened < length) {
      const [side] = this.cheaperFirst();
      // Once all that can be reached from one end is open, so is every path.
      if (this.front[side].length > 0) await this.open(side);
      this.opened += 1;
    }
  }

  /** Returns the front of which fewer addresses have to be read, then the smaller one. */
  private cheaperFirst(): [PathSide, PathSide] {
    const cost = bySide((side) => this.costOf(side));
    const more = cost.forward - cost.backward || this.front.forward.length - this.front.backward.length;
    return more <= 0 ? ['forward', 'backward'] : ['backward', 'forward'];
  }

  /** Addresses to read; an end of which only a part was read counts as that part: the way may be in the other one. */
  private costOf(side: PathSide): number {
    const { pairs, cut } = this.depth[side] === 0 ? this.walk.pairsOf(side, this.front[side]) : NO_PAIRS;
    return cut ? pairs.length : this.walk.unopened(side, this.front[side]).length;
  }

  private async begin(): Promise<void> {
    await this.walk.begin(this.reach());
    for (const [key, direction] of [
      [this.from, 'sent'],
      [this.to, 'received'],
    ] as const) {
      const { read, hasBridges } = this.walk.knownOf(key);
      this.met.set(key, { key, direction, hop: 0, usd: 0, read });
      if (hasBridges) this.withBridges.add(key);
    }
  }

  /** Hops of a walk from here: each end has half of the way, and a look beyond. */
  private reach() {
    const half = Math.ceil((this.request.maxHops - this.opened) / 2);
    return { hops: Math.min(WALK_HOPS, half), beyond: FIRST_ASKED, timeoutMs: this.timeLeftMs() };
  }

  private async open(side: PathSide): Promise<void> {
    const front = this.front[side];
    await this.walk.walk(side, front, this.reach());
    const { leads, ends } = await this.leadsFrom(side, front);
    for (const end of ends) this.endAt(end, side);
    const next = new Map<string, Pick<Lead, 'usd' | 'read' | 'at'>>();
    for (const lead of leads) {
      const { from, to, category, read, hasBridges, at, ...flow } = lead;
      const far = farOf(lead, side);
      if (hasBridges) this.withBridges.add(far);
      if (!this.canPass(far, category)) continue;
      addPair(this.pairs, from, to, flow);
      if (this.isEnd(far) || !this.isNews(side, lead)) continue;
      const known = next.get(far) ?? { usd: 0, at };
      next.set(far, { usd: Math.max(known.usd, flow.usd), read, at: isWider(side, at, known.at) ? at : known.at });
    }
    if (next.size > FRONT_MAX) this.reasons.add('limit');
    const widest = [...next].sort(([a, x], [b, y]) => y.usd - x.usd || compare(a, b)).slice(0, FRONT_MAX);
    this.front[side] = widest.map(([key, { at }]) => ({ key, at }));
    const hop = ++this.depth[side];
    const direction = side === 'forward' ? 'sent' : 'received';
    for (const [key, { usd, read, at }] of widest) {
      this.seen[side].set(key, at);
      if (!this.met.has(key)) this.met.set(key, { key, direction, hop, usd, read });
    }
  }

  /** False where as much could lead on from the far end when it was reached before. */
  private isNews(side: PathSide, lead: Lead): boolean {
    const known = this.seen[side].get(farOf(lead, side));
    return known === undefined || isWider(side, lead.at, known);
  }

  /** Lists what leads on from open addresses of a front, and their crossings that are unmatched or left out. */
  private async leadsFrom(side: PathSide, front: FrontEntry[]): Promise<{ leads: Lead[]; ends: PathEnd[] }> {
    const bridged = front.map(({ key }) => key).filter((key) => this.withBridges.has(key));
    await this.crossings.read(bridged, this.timeLeftMs());
    const opened = this.walk.pairsOf(side, front);
    if (opened.cut || this.crossings.cut) this.reasons.add('hub_not_expanded');
    const pairs = await this.crossings.unexplained(opened.pairs, this.timeLeftMs());
    const { pairs: crossed, ends } = this.crossings.leading(bridged, side);
    const farKeys = new Set(crossed.map((pair) => farOf(pair, side)));
    const known = await readKnown(this.graph, [...farKeys], this.timeLeftMs());
    const nearAt = new Map(front.map(({ key, at }) => [key, at]));
    const all = [...pairs, ...crossed.map((pair) => ({ ...pair, ...known.get(farOf(pair, side))! }))];
    const { from, until } = this.request.span ?? ANY_TIME;
    const leads = all.flatMap((pair): Lead[] => {
      if (pair.lastAt < from || pair.firstAt > until) return [];
      const at = nearAt.get(nearOf(pair, side))!;
      if (!this.request.timeOrdered) return [{ ...pair, at }];
      return carries(side, at, pair) ? [{ ...pair, at: farAt(side, at, pair) }] : [];
    });
    return { leads, ends };
  }

  private endAt({ key, usd, bridge }: PathEnd, side: PathSide): void {
    this.reasons.add(bridge.end);
    const direction = side === 'forward' ? 'sent' : 'received';
    this.ended.set(`${side} ${bridge.crossing.id}`, { key, direction, hop: this.depth[side], usd, bridge });
  }

  /** True where both fronts lead to further addresses, so that a path longer than what is open may exist. */
  async goesOn(): Promise<boolean> {
    for (const side of this.cheaperFirst()) if (!(await this.leadsFurther(side))) return false;
    return true;
  }

  /** One lead is enough: what is open is asked first, then the widest, which mostly have one. */
  private async leadsFurther(side: PathSide): Promise<boolean> {
    const front = this.front[side];
    const unopened = new Set(this.walk.unopened(side, front));
    const open = front.filter((entry) => !unopened.has(entry));
    const others = [...unopened];
    for (const part of [open, others.slice(0, FIRST_ASKED), others.slice(FIRST_ASKED)]) {
      if (part.length === 0) continue;
      await this.walk.walk(side, part, { hops: 1, beyond: 0, timeoutMs: this.timeLeftMs() });
      const { leads } = await this.leadsFrom(side, part);
      if (leads.some((lead) => this.isNews(side, lead) && this.canPass(farOf(lead, side), lead.category))) return true;
    }
    return false;
  }

  private isEnd(key: string): boolean {
    return key === this.from || key === this.to;
  }

  /** True for both ends; false for addresses that nobody holds and for services at which paths stop. */
  private canPass(key: string, category: Category | null): boolean {
    return this.isEnd(key) || !(isNullAddress(key) || this.stopsAt(key, category));
  }

  private stopsAt(key: string, category: Category | null): boolean {
    if (this.request.throughServices || category === null || !STOP_CATEGORIES.includes(category)) return false;
    this.reasons.add('service_stop');
    this.service ??= { key, category };
    return true;
  }

  /** Paths of exactly `length` hops as one transfer or crossing for each hop; those without a choice in time order left out. */
  async pathsOf(length: number): Promise<PathTransfer[][]> {
    const { timeOrdered, minUsd, span } = this.request;
    const { from, to } = this;
    const { found, cut } = sequences(this.pairs, { from, to, length, max: SEQUENCES_MAX, timeOrdered });
    if (cut) this.reasons.add('limit');
    if (found.length === 0) return [];
    const wanted = new Map<string, { from: string; to: string }>();
    for (const sequence of found) for (const pair of pairsOf(sequence)) wanted.set(pairName(pair), pair);
    const bridged = [...new Set(found.flat())].filter((key) => this.withBridges.has(key));
    const timeoutMs = this.timeLeftMs();
    const [moved] = await Promise.all([
      pairTransfers(this.graph, [...wanted.values()], { minUsd, span, timeoutMs }),
      this.crossings.read(bridged, timeoutMs),
    ]);
    if (this.crossings.cut) this.reasons.add('hub_not_expanded');
    const crossed = this.crossings.transfers(bridged);
    const hopOf = (name: string) => [
      ...(moved.get(name) ?? []).filter((transfer) => !this.crossings.replaces(transfer)),
      ...(crossed.get(name) ?? []),
    ];
    const hops = new Map([...wanted.keys()].map((name) => [name, hopOf(name)]));
    return found.flatMap((sequence) => {
      const chosen = widestChoice(
        pairsOf(sequence).map((pair) => hops.get(pairName(pair))!),
        timeOrdered,
      );
      return chosen ? [chosen] : [];
    });
  }

  private timeLeftMs(): number {
    const left = this.remainingMs();
    if (left <= 0) throw new GraphTimeoutError();
    return left;
  }
}

function nearOf({ from, to }: OpenedPair, side: PathSide): string {
  return side === 'forward' ? from : to;
}

function pairsOf(sequence: string[]): { from: string; to: string }[] {
  return sequence.slice(1).map((to, i) => ({ from: sequence[i] as string, to }));
}
