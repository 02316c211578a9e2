import { compare } from '../../domain/compare.ts';
import { type Category, STOP_CATEGORIES } from '../../domain/label.ts';
import { NULL_ADDRESSES } from '../../domain/null-addresses.ts';
import { ANY_TIME, type MomentSpan } from '../../domain/time.ts';
import type { Graph, Row } from '../../graph/port.ts';
import {
  farOf,
  type Known,
  type OpenedPair,
  type OpenedPairRows,
  type PathSide,
  type ReadExtent,
} from '../../graph/queries/path.ts';
import type { PairFlow } from '../engine/flow-path.ts';

/** Pairs opened of one address, largest sums first; a hub's tail is not followed. */
const PAIRS_PER_ADDRESS = 200;
/** Addresses that a walk opens at its second hop and at each one after, the widest, for each end that walks begin at. */
const WIDE = { second: 200, later: 40 };

/** An address of a walk: money was there from `at` on (`forward`), or had to leave until then (`backward`); epoch ms. */
export interface FrontEntry {
  key: string;
  at: number;
}

/** Addresses where walks begin: whenever money was there within the span. */
export function startsOf(
  side: PathSide,
  keys: readonly string[],
  { from, until }: MomentSpan = ANY_TIME,
): FrontEntry[] {
  const at = side === 'forward' ? from : until;
  return keys.map((key) => ({ key, at }));
}

/** True where `at` leaves room for more transfers than `than` does. */
export function isWider(side: PathSide, at: number, than: number): boolean {
  return side === 'forward' ? at < than : at > than;
}

/** Returns the first (last) moment at which money can be at the far end of a pair, if at the near end it is `at`. */
export function farAt(side: PathSide, at: number, { firstAt, lastAt }: PairFlow): number {
  return side === 'forward' ? Math.max(at, firstAt) : Math.min(at, lastAt);
}

/** True where one of the pair's transfers can carry on (back) what is at the near end at `at`. */
export function carries(side: PathSide, at: number, { firstAt, lastAt }: PairFlow): boolean {
  return side === 'forward' ? lastAt >= at : firstAt <= at;
}

export interface WalkRules {
  /** Keys of the addresses that walks begin at; elsewhere they are reached and not opened. */
  starts: Record<PathSide, readonly string[]>;
  /** Smallest sum of a pair; 0 keeps unpriced ones. */
  minUsd: number;
  /** Money cannot leave before it came; false: whatever the times. */
  timeOrdered: boolean;
  throughServices: boolean;
  /** Left out: whenever. */
  span?: MomentSpan;
}

interface WalkReach {
  hops: number;
  /** Addresses opened where these hops end, the widest. */
  beyond: number;
  timeoutMs: number;
}

interface WalkRow extends Row {
  opened: [key: string, at: number][];
  found: Far[];
  known: [key: string, category: Category | null, read: ReadExtent, hasBridges: boolean][];
}

type Far = [far: string, pairs: [near: string, usd: number, firstAt: number, lastAt: number][]];

interface Opened {
  at: number;
  /** Pairs by far end, at most as many as are followed and one more. */
  pairs: Map<string, OpenedPair>;
}

/** The pairs of addresses, read by walks through the graph: each is one statement of several hops. */
export class PairWalk {
  private readonly graph: Graph;
  private readonly rules: WalkRules;
  private readonly opened: Record<PathSide, Map<string, Opened>> = { forward: new Map(), backward: new Map() };
  private readonly known = new Map<string, Known & { category: Category | null }>();
  private begun: Promise<unknown> | null = null;

  constructor(graph: Graph, rules: WalkRules) {
    this.graph = graph;
    this.rules = rules;
  }

  /** Walks from all the starts, once, both ways beside each other. Throws GraphError. */
  async begin(reach: WalkReach): Promise<void> {
    const { starts, span } = this.rules;
    this.begun ??= Promise.all([
      this.walk('forward', startsOf('forward', starts.forward, span), reach),
      this.walk('backward', startsOf('backward', starts.backward, span), reach),
    ]);
    await this.begun;
  }

  /** Walks from those of the addresses that are not open yet. Throws GraphError. */
  async walk(side: PathSide, from: readonly FrontEntry[], { hops, beyond, timeoutMs }: WalkReach): Promise<void> {
    const unopened = this.unopened(side, from);
    if (unopened.length === 0) return;
    const inner = Array.from({ length: hops - 1 }, (_, i) => (i === 0 ? WIDE.second : WIDE.later));
    const { starts, minUsd, timeOrdered, throughServices } = this.rules;
    const after = [...inner, beyond].filter((most) => most > 0);
    const wide = [unopened.length, ...after.map((most) => most * starts[side].length)];
    const params = {
      keys: unopened.map(({ key }) => key),
      ats: unopened.map(({ at }) => at),
      wide,
      breadth: PAIRS_PER_ADDRESS + 1,
      min_usd: minUsd,
      timed: timeOrdered,
      stops: throughServices ? [] : [...STOP_CATEGORIES],
      no_parties: [...NULL_ADDRESSES],
      closed: [...new Set([...starts.forward, ...starts.backward])],
    };
    const statement = `walk/${side === 'forward' ? 'sent' : 'received'}-${wide.length}`;
    const [row] = await this.graph.read<WalkRow>(statement, params, { timeoutMs });
    const { opened, found, known } = row!;
    for (const [key, category, read, hasBridges] of known) this.known.set(key, { category, read, hasBridges });
    for (const { key, at } of unopened) this.open(side, key, at);
    for (const [key, at] of opened) this.open(side, key, at);
    this.keep(side, found);
  }

  /** Lists addresses whose pairs were not read yet, or, where times count, only those of a shorter time. */
  unopened(side: PathSide, entries: readonly FrontEntry[]): FrontEntry[] {
    return entries.filter(({ key, at }) => {
      const opened = this.opened[side].get(key);
      return opened === undefined || (this.rules.timeOrdered && isWider(side, at, opened.at));
    });
  }

  /** The pairs of open addresses that can carry on (back) what is there; `cut` where one had more than are followed. */
  pairsOf(side: PathSide, entries: readonly FrontEntry[]): OpenedPairRows {
    let cut = false;
    const pairs = entries.flatMap(({ key, at }) => {
      const all = [...this.opened[side].get(key)!.pairs.values()];
      const carrying = this.rules.timeOrdered ? all.filter((pair) => carries(side, at, pair)) : all;
      if (carrying.length <= PAIRS_PER_ADDRESS) return carrying;
      cut = true;
      const far = (pair: OpenedPair) => farOf(pair, side);
      return carrying.sort((a, b) => b.usd - a.usd || compare(far(a), far(b))).slice(0, PAIRS_PER_ADDRESS);
    });
    return { pairs, cut };
  }

  /** Returns what is known of an address that a walk met; of others nothing is known. */
  knownOf(key: string): Known {
    return this.known.get(key) ?? { read: 'none', hasBridges: false };
  }

  private open(side: PathSide, key: string, at: number): void {
    const opened = this.opened[side].get(key);
    if (opened === undefined) this.opened[side].set(key, { at, pairs: new Map() });
    else if (isWider(side, at, opened.at)) opened.at = at;
  }

  private keep(side: PathSide, reached: Far[]): void {
    for (const [far, pairs] of reached) {
      const known = this.known.get(far)!;
      for (const [near, usd, firstAt, lastAt] of pairs) {
        const [from, to] = side === 'forward' ? [near, far] : [far, near];
        this.opened[side].get(near)!.pairs.set(far, { from, to, usd, firstAt, lastAt, ...known });
      }
    }
  }
}
