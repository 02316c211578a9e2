import { type Crossing, type CrossingPolicy, endOf } from '../../../domain/bridges/crossing.ts';
import { addToGroup } from '../../../domain/group-by.ts';
import type { AddressLabel } from '../../../domain/tracing/findings.ts';
import type { PairFlow } from '../../../domain/tracing/paths/flow-path.ts';
import type { EndedBridge } from '../../../domain/tracing/traced-transfer.ts';
import type { Graph } from '../../../graph/port.ts';
import { openCrossings } from '../../../graph/queries/crossings.ts';
import type { OpenedPair, PathSide, PathTransfer } from '../../../graph/queries/path.ts';

/** Crossings of one pair that a path chooses from, largest first. */
const CROSSINGS_PER_PAIR = 200;

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
  private readonly graph: Graph;
  private readonly policy: CrossingPolicy;
  private readonly minUsd: number;
  private readonly labels = new Map<string, AddressLabel>();
  private readonly byKey = new Map<string, readonly Crossing[]>();
  private readonly replaced = new Set<string>();

  constructor(graph: Graph, { policy, minUsd }: { policy: CrossingPolicy; minUsd: number }) {
    this.graph = graph;
    this.policy = policy;
    this.minUsd = minUsd;
  }

  /** Throws GraphError. */
  async read(keys: readonly string[], timeoutMs: number): Promise<void> {
    const unread = keys.filter((key) => !this.byKey.has(key));
    const found = await openCrossings(this.graph, unread, { timeoutMs, labels: this.labels });
    for (const key of unread) {
      const crossings = found.get(key) ?? [];
      this.byKey.set(key, crossings);
      for (const { from, to, source, destination } of crossings.filter((one) => this.isFollowed(one))) {
        for (const id of source?.explains ?? []) this.replaced.add(`${from}> ${id}`);
        for (const id of destination?.explains ?? []) this.replaced.add(`>${to} ${id}`);
      }
    }
  }

  /** Pairs that lead on from addresses that were read (`forward`), or back (`backward`), and the crossings that do not. */
  leading(keys: readonly string[], side: PathSide): { pairs: CrossedPair[]; ends: PathEnd[] } {
    const pairs: CrossedPair[] = [];
    const ends: PathEnd[] = [];
    for (const key of keys) {
      for (const crossing of this.byKey.get(key) ?? []) {
        const [near, far, stated] =
          side === 'forward'
            ? [crossing.from, crossing.to, crossing.source]
            : [crossing.to, crossing.from, crossing.destination];
        const usd = crossing.usd ?? 0;
        if (near !== key || !stated || usd < this.minUsd) continue;
        const end = endOf(crossing, this.policy);
        if (end === null) pairs.push({ ...pairOf(crossing), usd, category: this.labels.get(far)?.category ?? null });
        else ends.push({ key, usd, bridge: { crossing, end } });
      }
    }
    return { pairs, ends };
  }

  /** What bridges carried from one address to another, by `from to`, each crossing as one transfer. */
  transfers(keys: readonly string[]): Map<string, PathTransfer[]> {
    const byPair = new Map<string, PathTransfer[]>();
    const all = new Map(keys.flatMap((key) => this.byKey.get(key) ?? []).map((crossing) => [crossing.id, crossing]));
    for (const crossing of all.values()) {
      if (this.isFollowed(crossing) && (crossing.usd ?? 0) >= this.minUsd) {
        addToGroup(byPair, `${crossing.from} ${crossing.to}`, transferOf(crossing));
      }
    }
    for (const [pair, transfers] of byPair) {
      byPair.set(pair, transfers.sort((a, b) => b.usd - a.usd).slice(0, CROSSINGS_PER_PAIR));
    }
    return byPair;
  }

  /** Whether a crossing stands in the place of the transfer: it paid the bridge, or paid out another one's money. */
  replaces({ id, from, to }: PathTransfer): boolean {
    return this.replaced.has(`${from}> ${id}`) || this.replaced.has(`>${to} ${id}`);
  }

  private isFollowed(crossing: Crossing): boolean {
    return endOf(crossing, this.policy) === null;
  }
}

function pairOf({ from, to, source, destination }: Crossing): Pick<CrossedPair, 'from' | 'to' | 'firstAt' | 'lastAt'> {
  return { from, to, firstAt: destination!.at, lastAt: source!.at };
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
    amount,
    usd: usd ?? 0,
    priced: usd !== null,
    bridge: { crossing, end: null },
  };
}
