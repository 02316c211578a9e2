import { pairName } from '../../../domain/address/address-key.ts';
import { type Crossing, type CrossingPolicy, crossingEnd, decided } from '../../../domain/bridges/crossing.ts';
import { addToGroup } from '../../../domain/group-by.ts';
import type { AddressLabel, Category } from '../../../domain/label.ts';
import { ANY_TIME, type MomentSpan } from '../../../domain/time.ts';
import type { EndedBridge } from '../../../domain/tracing/traced-transfer.ts';
import type { Graph } from '../../../graph/port.ts';
import { openCrossings } from '../../../graph/queries/crossings.ts';
import { type OpenedPair, type PathSide, type PathTransfer, pairTransfers } from '../../../graph/queries/path.ts';
import type { PairFlow } from '../../engine/flow-path.ts';

/** Crossings of one pair that a path chooses from, largest first. */
const CROSSINGS_PER_PAIR = 200;

/** Pairs whose single transfers are compared with crossings; the transfers of a path are compared in any case. */
const EXAMINED_PAIRS_MAX = 1_000;

/** All crossings between two addresses that can be followed, as one pair. */
export type CrossedPair = PairFlow & Pick<OpenedPair, 'from' | 'to' | 'category'>;

/** A crossing at which paths end, seen from the address on this side of it. */
export interface PathEnd {
  key: string;
  usd: number;
  bridge: EndedBridge;
}

/** The crossings of the addresses that a search for paths meets: each address is read once. */
export class PathCrossings {
  /** True once an address had more crossings than are read. */
  cut = false;
  private readonly graph: Graph;
  private readonly policy: CrossingPolicy;
  private readonly minUsd: number;
  private readonly span: MomentSpan;
  private readonly labels = new Map<string, AddressLabel>();
  private readonly byKey = new Map<string, readonly Crossing[]>();
  private readonly replaced = new Set<string>();
  private readonly isFollowed = (crossing: Crossing) => crossingEnd(crossing, this.policy) === null;

  constructor(
    graph: Graph,
    { policy, minUsd, span = ANY_TIME }: { policy: CrossingPolicy; minUsd: number; span?: MomentSpan },
  ) {
    this.graph = graph;
    this.policy = policy;
    this.minUsd = minUsd;
    this.span = span;
  }

  /** Throws GraphError. */
  async read(keys: readonly string[], timeoutMs: number): Promise<void> {
    const unread = keys.filter((key) => !this.byKey.has(key));
    const { byKey, cut } = await openCrossings(this.graph, unread, { timeoutMs, labels: this.labels });
    this.cut ||= cut.received.size > 0 || cut.sent.size > 0;
    for (const key of unread) {
      const crossings = (byKey.get(key) ?? []).map((crossing) => decided(crossing, this.policy));
      this.byKey.set(key, crossings);
      for (const { from, to, source, destination } of crossings.filter(this.isFollowed)) {
        for (const id of source?.explains ?? []) this.replaced.add(`${from}> ${id}`);
        for (const id of destination?.explains ?? []) this.replaced.add(`>${to} ${id}`);
      }
    }
  }

  /** The pairs without those found to move nothing but what followed crossings explain. Throws GraphError. */
  async unexplained<Pair extends { from: string; to: string }>(pairs: Pair[], timeoutMs: number): Promise<Pair[]> {
    const asked = pairs
      .filter(({ from, to }) => [from, to].some((key) => this.byKey.get(key)?.some(this.isFollowed)))
      .slice(0, EXAMINED_PAIRS_MAX);
    if (asked.length === 0) return pairs;
    const moved = await pairTransfers(this.graph, asked, { minUsd: this.minUsd, timeoutMs });
    const explained = new Set(
      asked.filter((pair) => moved.get(pairName(pair))?.every((transfer) => this.replaces(transfer))),
    );
    return pairs.filter((pair) => !explained.has(pair));
  }

  /** Pairs that lead on from addresses that were read (`forward`), or back (`backward`), and the crossings that do not. */
  leading(keys: readonly string[], side: PathSide): { pairs: CrossedPair[]; ends: PathEnd[] } {
    const pairs = new Map<string, CrossedPair>();
    const ends: PathEnd[] = [];
    for (const key of keys) {
      for (const crossing of this.byKey.get(key) ?? []) {
        const { from, to, source, destination } = crossing;
        const [near, far, stated] = side === 'forward' ? [from, to, source] : [to, from, destination];
        const usd = crossing.usd ?? 0;
        if (near !== key || !stated || !this.isAskedFor(crossing)) continue;
        const end = crossingEnd(crossing, this.policy);
        if (end !== null) ends.push({ key, usd, bridge: { crossing, end } });
        else addCrossing(pairs, crossing, this.labels.get(far)?.category ?? null);
      }
    }
    return { pairs: [...pairs.values()], ends };
  }

  /** Transfers over bridges from one address to another, by pair name, each crossing as one. */
  transfers(keys: readonly string[]): Map<string, PathTransfer[]> {
    const byPair = new Map<string, PathTransfer[]>();
    const all = new Map(keys.flatMap((key) => this.byKey.get(key) ?? []).map((crossing) => [crossing.id, crossing]));
    for (const crossing of all.values()) {
      if (this.isFollowed(crossing) && this.isAskedFor(crossing)) {
        addToGroup(byPair, pairName(crossing), transferOf(crossing));
      }
    }
    for (const [pair, transfers] of byPair) {
      byPair.set(pair, transfers.sort((a, b) => b.usd - a.usd).slice(0, CROSSINGS_PER_PAIR));
    }
    return byPair;
  }

  private isAskedFor({ usd, source, destination }: Crossing): boolean {
    const { from, until } = this.span;
    const times = [source, destination].flatMap((side) => (side ? [side.at] : []));
    return (usd ?? 0) >= this.minUsd && times.every((at) => from <= at && at <= until);
  }

  /** True where a crossing stands for the transfer: it paid the bridge, or paid out another one's money. */
  replaces({ id, from, to }: PathTransfer): boolean {
    return this.replaced.has(`${from}> ${id}`) || this.replaced.has(`>${to} ${id}`);
  }
}

function addCrossing(pairs: Map<string, CrossedPair>, crossing: Crossing, category: Category | null): void {
  const { from, to, usd } = crossing;
  const [departedAt, arrivedAt] = [crossing.source!.at, crossing.destination!.at];
  const name = pairName(crossing);
  const known = pairs.get(name) ?? { from, to, usd: 0, firstAt: arrivedAt, lastAt: departedAt, category };
  pairs.set(name, {
    ...known,
    usd: known.usd + (usd ?? 0),
    firstAt: Math.min(known.firstAt, arrivedAt),
    lastAt: Math.max(known.lastAt, departedAt),
  });
}

function transferOf(crossing: Crossing): PathTransfer {
  const { id, from, to, usd } = crossing;
  const { tx: txHash, position: seq, at, asset, amount } = crossing.source!;
  return {
    id,
    from,
    to,
    txHash,
    index: `bridge:${seq}`,
    seq,
    at,
    block: null,
    position: null,
    asset,
    token: null,
    amount,
    usd: usd ?? 0,
    priced: usd !== null,
    bridge: { crossing, end: null },
  };
}
