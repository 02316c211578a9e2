import type { Context } from '../../context.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { type Category, STOP_CATEGORIES } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { type Hop, hopOf } from '../../domain/tracing/hop.ts';
import { addPair, type OpenedPairs, sequences, widestChoice } from '../../domain/tracing/paths/flow-path.ts';
import { GraphTimeoutError } from '../../errors.ts';
import { addressKey } from '../../graph/address-key.ts';
import {
  openPairs,
  type PathSide,
  type PathTransfer,
  pairTransfers,
  type ReadPart,
  readParts,
} from '../../graph/queries/path.ts';
import { type MetAddress, searchCoverage, type UnreadAddress, unreadOnly } from './search-coverage.ts';
import type { TraceCoverage } from './trace-coverage.ts';
import type { ReadBy } from './trace-money.ts';

/** Time for one question; what was found by then is the answer, marked as truncated. */
const BUDGET_MS = 10_000;
/** Addresses opened at one end; a wider front is cut to its widest and the answer says so. */
const FRONT_MAX = 2_000;
/** Sequences of addresses tried for each length. */
const SEQUENCES_MAX = 200;

export interface FlowPathRequest {
  chain: Chain;
  /** Canonical. */
  from: string;
  to: string;
  maxHops: number;
  minUsd: number;
  timeOrdered: boolean;
  maxPaths: number;
  throughServices: boolean;
  readBy?: ReadBy;
}

export interface FlowPath {
  length: number;
  /** Value of the smallest transfer; null where none on the path is priced. */
  bottleneck_usd: number | null;
  first_at: string;
  last_at: string;
  hops: Hop[];
}

export interface FlowPathAnswer {
  found: boolean;
  from_address: string;
  to_address: string;
  paths: FlowPath[];
  searched: { addresses: number; truncated: boolean; reasons: string[] };
  coverage: TraceCoverage;
  note: string | null;
}

/** Directed money paths from one address to another: shortest first, then the larger bottleneck. */
export async function findFlowPath(ctx: Pick<Context, 'graph'>, request: FlowPathRequest): Promise<FlowPathAnswer> {
  return (await searchFlowPath(ctx, request)).answer;
}

/** The same with every address that was met and not read in full, largest first. */
export async function searchFlowPath(
  ctx: Pick<Context, 'graph'>,
  request: FlowPathRequest,
): Promise<{ answer: FlowPathAnswer; unread: UnreadAddress[] }> {
  const search = new Search(ctx, request);
  const paths: FlowPath[] = [];
  try {
    for (let length = 1; length <= request.maxHops && paths.length < request.maxPaths; length++) {
      await search.openTo(length);
      paths.push(...(await search.pathsOf(length)).slice(0, request.maxPaths - paths.length));
    }
    if (paths.length === 0 && (await search.goesOn())) search.reasons.add('max_hops');
  } catch (error) {
    if (!(error instanceof GraphTimeoutError)) throw error;
    search.reasons.add('time_budget');
  }
  const unread = await unreadOnly(search.met.values(), request.readBy);
  for (const { reason } of unread) search.reasons.add(reason);
  const answer = {
    found: paths.length > 0,
    from_address: request.from,
    to_address: request.to,
    paths,
    searched: search.summary(),
    coverage: searchCoverage(unread, search.reasons),
    note: paths.length > 0 ? null : noteOf(unread, search.reasons.has('max_hops') ? request.maxHops : null),
  };
  return { answer, unread };
}

/** What a search without a result says; null where it ended neither at unread addresses nor after `maxHops`. */
function noteOf(met: UnreadAddress[], maxHops: number | null): string | null {
  if (met.length === 0 && maxHops === null) return null;
  const within = maxHops === null ? '' : ` within ${maxHops} ${maxHops === 1 ? 'hop' : 'hops'}; a longer one may exist`;
  const none = `No path in the known graph${within}.`;
  if (met.length === 0) return none;
  const addresses = `${met.length} ${met.length === 1 ? 'address' : 'addresses'}`;
  return `${none} ${addresses} on the way not read in full may hide one (coverage.frontier).`;
}

class Search {
  readonly reasons = new Set<string>();
  private readonly ctx: Pick<Context, 'graph'>;
  private readonly request: FlowPathRequest;
  private readonly deadline = performance.now() + BUDGET_MS;
  private readonly from: string;
  private readonly to: string;
  private readonly pairs: OpenedPairs = new Map();
  /** Every address of the fronts, as it was first met. */
  readonly met = new Map<string, MetAddress>();
  private readonly seen: Record<PathSide, Set<string>>;
  private readonly front: Record<PathSide, string[]>;
  private readonly depth = { forward: 0, backward: 0 };
  private opened = 0;

  constructor(ctx: Pick<Context, 'graph'>, request: FlowPathRequest) {
    this.ctx = ctx;
    this.request = request;
    this.from = addressKey(request.chain, request.from);
    this.to = addressKey(request.chain, request.to);
    this.seen = { forward: new Set([this.from]), backward: new Set([this.to]) };
    this.front = { forward: [this.from], backward: [this.to] };
  }

  /** Opens one more hop at the smaller front until paths of `length` hops lie wholly in what is open. */
  async openTo(length: number): Promise<void> {
    while (this.opened < length) {
      const [side] = (['forward', 'backward'] as const).toSorted((a, b) => this.front[a].length - this.front[b].length);
      // Once all that can be reached from one end is open, so is every path.
      if (side && this.front[side].length > 0) await this.open(side);
      this.opened += 1;
    }
  }

  private async meetEnds(): Promise<void> {
    const parts = await readParts(this.ctx.graph, [this.from, this.to], this.timeLeftMs());
    this.met.set(this.from, {
      key: this.from,
      direction: 'sent',
      hop: 0,
      usd: 0,
      read: parts.get(this.from) ?? 'none',
    });
    this.met.set(this.to, { key: this.to, direction: 'received', hop: 0, usd: 0, read: parts.get(this.to) ?? 'none' });
  }

  private async open(side: PathSide): Promise<void> {
    const keys = this.front[side];
    const timeoutMs = this.timeLeftMs();
    const [{ pairs, cut }] = await Promise.all([
      openPairs(this.ctx.graph, keys, { side, minUsd: this.request.minUsd, timeoutMs }),
      this.opened === 0 ? this.meetEnds() : null,
    ]);
    if (cut) this.reasons.add('hub_not_expanded');
    const next = new Map<string, number>();
    const reads = new Map<string, ReadPart>();
    for (const { from, to, category, read, ...flow } of pairs) {
      const far = side === 'forward' ? to : from;
      const isEnd = far === this.from || far === this.to;
      if (!isEnd && this.stopsAt(category)) continue;
      addPair(this.pairs, from, to, flow);
      if (isEnd || this.seen[side].has(far)) continue;
      next.set(far, Math.max(next.get(far) ?? 0, flow.usd));
      reads.set(far, read);
    }
    if (next.size > FRONT_MAX) this.reasons.add('limit');
    const widest = [...next].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, FRONT_MAX);
    this.front[side] = widest.map(([key]) => key);
    const hop = ++this.depth[side];
    const direction = side === 'forward' ? 'sent' : 'received';
    for (const [key, usd] of widest) {
      this.seen[side].add(key);
      const read = reads.get(key) ?? 'none';
      if (!this.met.has(key)) this.met.set(key, { key, direction, hop, usd, read });
    }
  }

  /** Whether both fronts lead to further addresses, so that a path longer than what is open may exist. */
  async goesOn(): Promise<boolean> {
    const sides = (['forward', 'backward'] as const).toSorted((a, b) => this.front[a].length - this.front[b].length);
    for (const side of sides) if (!(await this.leadsFurther(side))) return false;
    return true;
  }

  private async leadsFurther(side: PathSide): Promise<boolean> {
    if (this.front[side].length === 0) return false;
    const options = { side, minUsd: this.request.minUsd, timeoutMs: this.timeLeftMs() };
    const { pairs } = await openPairs(this.ctx.graph, this.front[side], options);
    return pairs.some(({ from, to, category }) => {
      const far = side === 'forward' ? to : from;
      const isEnd = far === this.from || far === this.to;
      return !this.seen[side].has(far) && (isEnd || !this.stopsAt(category));
    });
  }

  private stopsAt(category: Category | null): boolean {
    if (this.request.throughServices || category === null || !STOP_CATEGORIES.includes(category)) return false;
    this.reasons.add('service_stop');
    return true;
  }

  /** Paths of exactly `length` hops, larger bottleneck first. */
  async pathsOf(length: number): Promise<FlowPath[]> {
    const { found, cut } = sequences(this.pairs, {
      from: this.from,
      to: this.to,
      length,
      max: SEQUENCES_MAX,
      timeOrdered: this.request.timeOrdered,
    });
    if (cut) this.reasons.add('limit');
    if (found.length === 0) return [];
    const wanted = new Map<string, { from: string; to: string }>();
    for (const sequence of found) {
      for (const pair of pairsOf(sequence)) wanted.set(`${pair.from} ${pair.to}`, pair);
    }
    const transfers = await pairTransfers(this.ctx.graph, [...wanted.values()], {
      minUsd: this.request.minUsd,
      timeoutMs: this.timeLeftMs(),
    });
    return found
      .flatMap((sequence) => {
        const hops = pairsOf(sequence).map((pair) => transfers.get(`${pair.from} ${pair.to}`) ?? []);
        const chosen = widestChoice(hops, this.request.timeOrdered);
        return chosen ? [this.toPath(chosen)] : [];
      })
      .sort((a, b) => (b.bottleneck_usd ?? 0) - (a.bottleneck_usd ?? 0) || (rankOf(a) < rankOf(b) ? -1 : 1));
  }

  private toPath(chosen: PathTransfer[]): FlowPath {
    const times = chosen.map((transfer) => transfer.at);
    const priced = chosen.filter((transfer) => transfer.priced).map((transfer) => transfer.usd);
    return {
      length: chosen.length,
      bottleneck_usd: priced.length > 0 ? roundUsd(Math.min(...priced)) : null,
      first_at: iso(Math.min(...times)),
      last_at: iso(Math.max(...times)),
      hops: chosen.map((transfer) => hopOf(transfer, transfer)),
    };
  }

  summary(): FlowPathAnswer['searched'] {
    const truncating = ['time_budget', 'limit', 'hub_not_expanded', 'max_hops'];
    return {
      addresses: new Set([...this.seen.forward, ...this.seen.backward]).size,
      truncated: truncating.some((reason) => this.reasons.has(reason)),
      reasons: [...this.reasons].sort(),
    };
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

/** Among equally wide paths the earlier one comes first, then the order of the addresses: always the same answer. */
function rankOf(path: FlowPath): string {
  return [path.hops[0]?.at, ...path.hops.map((hop) => hop.to)].join(' ');
}
