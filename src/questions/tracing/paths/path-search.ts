import { type CrossingPolicy, FOLLOW_MATCHED } from '../../../domain/bridges/crossing.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { type Category, STOP_CATEGORIES } from '../../../domain/label.ts';
import { isNobody } from '../../../domain/tracing/asset-id.ts';
import { addPair, type OpenedPairs, sequences, widestChoice } from '../../../domain/tracing/paths/flow-path.ts';
import { GraphTimeoutError } from '../../../errors.ts';
import { addressKey, pairName } from '../../../graph/address-key.ts';
import type { Graph } from '../../../graph/port.ts';
import {
  farOf,
  type OpenedPair,
  type OpenedPairRows,
  openPairs,
  type PathSide,
  type PathTransfer,
  pairTransfers,
  readKnown,
} from '../../../graph/queries/path.ts';
import { PathCrossings, type PathEnd } from './path-crossings.ts';
import type { EndedPath, MetAddress } from './search-coverage.ts';

/** Time for one question; what was found by then is the answer, marked as truncated. */
const BUDGET_MS = 10_000;
/** Addresses opened at one end; a wider front is cut to its widest and the answer says so. */
const FRONT_MAX = 2_000;
/** Addresses of a front that are read first to see whether it leads on; the others only if these do not. */
const FIRST_ASKED = 20;
/** Sequences of addresses tried for each length. */
const SEQUENCES_MAX = 200;

export interface PathRequest {
  chain: Chain;
  /** Canonical. */
  from: string;
  /** Left out: `chain`. */
  toChain?: Chain;
  to: string;
  minUsd: number;
  timeOrdered: boolean;
  throughServices: boolean;
  /** Which bridges paths go over; left out: those whose two sides state the same message. */
  policy?: CrossingPolicy;
}

/** Opens the graph from both ends of the paths, one hop at a time, over transfers and over crossings of bridges. */
export class PathSearch {
  /** What was left out, and what ended paths. */
  readonly reasons = new Set<string>();
  /** Every address of the fronts, as it was first met. */
  readonly met = new Map<string, MetAddress>();
  /** Crossings at which paths end, by their id and side. */
  readonly ended = new Map<string, EndedPath>();
  private readonly graph: Graph;
  private readonly request: PathRequest;
  private readonly deadline = performance.now() + BUDGET_MS;
  private readonly from: string;
  private readonly to: string;
  private readonly pairs: OpenedPairs = new Map();
  private readonly crossings: PathCrossings;
  private readonly withBridges = new Set<string>();
  private readonly seen: Record<PathSide, Set<string>>;
  private readonly front: Record<PathSide, string[]>;
  private readonly depth = { forward: 0, backward: 0 };
  /** Flows that lead on from the two ends. */
  private fromEnds: Record<PathSide, OpenedPairRows> | null = null;
  private opened = 0;

  constructor(graph: Graph, request: PathRequest) {
    const { chain, toChain = chain, policy = FOLLOW_MATCHED, minUsd } = request;
    this.graph = graph;
    this.request = request;
    this.from = addressKey(chain, request.from);
    this.to = addressKey(toChain, request.to);
    this.seen = { forward: new Set([this.from]), backward: new Set([this.to]) };
    this.front = { forward: [this.from], backward: [this.to] };
    this.crossings = new PathCrossings(graph, { policy, minUsd });
    if (!policy.crossChain && toChain !== chain) this.reasons.add('cross_chain_off');
  }

  /** Addresses that were reached from either end. */
  get size(): number {
    return new Set([...this.seen.forward, ...this.seen.backward]).size;
  }

  /** Opens one more hop at the smaller front until paths of `length` hops lie wholly in what is open. */
  async openTo(length: number): Promise<void> {
    this.fromEnds ??= await this.meetEnds();
    while (this.opened < length) {
      const [side] = this.smallerFirst();
      // Once all that can be reached from one end is open, so is every path.
      if (this.front[side].length > 0) await this.open(side);
      this.opened += 1;
    }
  }

  private smallerFirst(): [PathSide, PathSide] {
    return this.front.forward.length <= this.front.backward.length ? ['forward', 'backward'] : ['backward', 'forward'];
  }

  private async pairsFrom(side: PathSide, keys: string[]): Promise<OpenedPairRows> {
    return openPairs(this.graph, keys, { side, minUsd: this.request.minUsd, timeoutMs: this.timeLeftMs() });
  }

  /** Both ends are read at once: most searches open both. */
  private async meetEnds(): Promise<Record<PathSide, OpenedPairRows>> {
    const [known, forward, backward] = await Promise.all([
      readKnown(this.graph, [this.from, this.to], this.timeLeftMs()),
      this.pairsFrom('forward', [this.from]),
      this.pairsFrom('backward', [this.to]),
    ]);
    for (const [key, direction] of [
      [this.from, 'sent'],
      [this.to, 'received'],
    ] as const) {
      const { read, hasBridges } = known.get(key)!;
      this.met.set(key, { key, direction, hop: 0, usd: 0, read });
      if (hasBridges) this.withBridges.add(key);
    }
    return { forward, backward };
  }

  private async open(side: PathSide): Promise<void> {
    const front = this.front[side];
    const isEnd = this.depth[side] === 0;
    const opened = isEnd && this.fromEnds ? this.fromEnds[side] : await this.pairsFrom(side, front);
    const { leads, ends } = await this.leadsFrom(side, front, opened);
    for (const end of ends) this.endAt(end, side);
    const next = new Map<string, Pick<OpenedPair, 'usd' | 'read'>>();
    for (const lead of leads) {
      const { from, to, category, read, hasBridges, ...flow } = lead;
      const far = farOf(lead, side);
      if (hasBridges) this.withBridges.add(far);
      if (!this.canPass(far, category)) continue;
      addPair(this.pairs, from, to, flow);
      if (this.isEnd(far) || this.seen[side].has(far)) continue;
      next.set(far, { usd: Math.max(next.get(far)?.usd ?? 0, flow.usd), read });
    }
    if (next.size > FRONT_MAX) this.reasons.add('limit');
    const widest = [...next].sort(([a, x], [b, y]) => y.usd - x.usd || compare(a, b)).slice(0, FRONT_MAX);
    this.front[side] = widest.map(([key]) => key);
    const hop = ++this.depth[side];
    const direction = side === 'forward' ? 'sent' : 'received';
    for (const [key, { usd, read }] of widest) {
      this.seen[side].add(key);
      if (!this.met.has(key)) this.met.set(key, { key, direction, hop, usd, read });
    }
  }

  /** What leads on from addresses of a front, and their crossings whose other side is not known or left out. */
  private async leadsFrom(
    side: PathSide,
    keys: string[],
    opened: OpenedPairRows,
  ): Promise<{ leads: OpenedPair[]; ends: PathEnd[] }> {
    const bridged = keys.filter((key) => this.withBridges.has(key));
    await this.crossings.read(bridged, this.timeLeftMs());
    if (opened.cut || this.crossings.cut) this.reasons.add('hub_not_expanded');
    const pairs = await this.crossings.unexplained(opened.pairs, this.timeLeftMs());
    const { pairs: crossed, ends } = this.crossings.leading(bridged, side);
    const farKeys = new Set(crossed.map((pair) => farOf(pair, side)));
    const known = await readKnown(this.graph, [...farKeys], this.timeLeftMs());
    return { leads: [...pairs, ...crossed.map((pair) => ({ ...pair, ...known.get(farOf(pair, side))! }))], ends };
  }

  private endAt({ key, usd, bridge }: PathEnd, side: PathSide): void {
    this.reasons.add(bridge.end);
    const direction = side === 'forward' ? 'sent' : 'received';
    this.ended.set(`${side} ${bridge.crossing.id}`, { key, direction, hop: this.depth[side], usd, bridge });
  }

  /** Whether both fronts lead to further addresses, so that a path longer than what is open may exist. */
  async goesOn(): Promise<boolean> {
    const sides = this.smallerFirst();
    if (sides.some((side) => this.front[side].length === 0)) return false;
    // One lead is enough, and the widest mostly have one.
    const widest = sides.map((side) => this.front[side].slice(0, FIRST_ASKED));
    const opened = await Promise.all(sides.map((side, i) => this.pairsFrom(side, widest[i]!)));
    for (const [i, side] of sides.entries()) {
      if (await this.leadsFurther(side, widest[i]!, opened[i]!)) continue;
      const others = this.front[side].slice(FIRST_ASKED);
      if (others.length === 0) return false;
      if (!(await this.leadsFurther(side, others, await this.pairsFrom(side, others)))) return false;
    }
    return true;
  }

  private async leadsFurther(side: PathSide, keys: string[], opened: OpenedPairRows): Promise<boolean> {
    const { leads } = await this.leadsFrom(side, keys, opened);
    return leads.some((lead) => {
      const far = farOf(lead, side);
      return !this.seen[side].has(far) && this.canPass(far, lead.category);
    });
  }

  private isEnd(key: string): boolean {
    return key === this.from || key === this.to;
  }

  /** True for both ends; false for addresses that nobody holds and for services at which paths stop. */
  private canPass(key: string, category: Category | null): boolean {
    return this.isEnd(key) || !(isNobody(key) || this.stopsAt(category));
  }

  private stopsAt(category: Category | null): boolean {
    if (this.request.throughServices || category === null || !STOP_CATEGORIES.includes(category)) return false;
    this.reasons.add('service_stop');
    return true;
  }

  /** Paths of exactly `length` hops as one transfer or crossing for each hop; those without a choice in time order left out. */
  async pathsOf(length: number): Promise<PathTransfer[][]> {
    const { timeOrdered, minUsd } = this.request;
    const { from, to } = this;
    const { found, cut } = sequences(this.pairs, { from, to, length, max: SEQUENCES_MAX, timeOrdered });
    if (cut) this.reasons.add('limit');
    if (found.length === 0) return [];
    const wanted = new Map<string, { from: string; to: string }>();
    for (const sequence of found) for (const pair of pairsOf(sequence)) wanted.set(pairName(pair), pair);
    const bridged = [...new Set(found.flat())].filter((key) => this.withBridges.has(key));
    const timeoutMs = this.timeLeftMs();
    const [moved] = await Promise.all([
      pairTransfers(this.graph, [...wanted.values()], { minUsd, timeoutMs }),
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
    const left = this.deadline - performance.now();
    if (left <= 0) throw new GraphTimeoutError();
    return left;
  }
}

function pairsOf(sequence: string[]): { from: string; to: string }[] {
  return sequence.slice(1).map((to, i) => ({ from: sequence[i] as string, to }));
}
