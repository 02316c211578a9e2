import type { BridgeEnd } from '../bridges/crossing.ts';
import { compare } from '../compare.ts';
import { type Category, STOP_CATEGORIES } from '../label.ts';
import { isNobody } from './asset-id.ts';
import { attributeThrough } from './attribution.ts';
import type { Arrivals, Carried, Direction, LeftReason } from './carried.ts';
import { type Replay, type ReplayHistory, type ReplayStep, replayOf } from './replay.ts';
import type { EndedBridge, TracedTransfer } from './traced-transfer.ts';

/** Label facts of an address. */
export interface AddressLabel {
  category: Category | null;
  label: string | null;
}

export type EndReason =
  | LeftReason
  | BridgeEnd
  | 'own_money'
  | 'bridge_liquidity'
  | 'max_hops'
  | 'limit'
  | 'small_share'
  | 'time_budget'
  | 'hub_not_expanded'
  | 'contract_not_expanded';

/** Reasons after which there is nothing more to trace. */
export const SETTLED_REASONS: readonly EndReason[] = [
  'held',
  'own_money',
  'burned',
  'unknown_origin',
  'bridge_liquidity',
];

/** An address that was opened: its history, or why it is not followed. */
export interface OpenedAddress extends ReplayHistory {
  /** It has too many transfers to follow the money of one customer; none are listed. */
  isHub: boolean;
  /** A contract or program that pools the money of strangers. */
  isContract: boolean;
  /** False where the caller may not learn what was read of it. */
  isReadKnown: boolean;
  /** Ids of transfers in whose place a crossing stands (cross-chains.ts); left out where there are none. */
  replaced?: ReadonlySet<string>;
}

export interface FindingsOptions {
  direction: Direction;
  labelOf: (address: string) => AddressLabel;
  /** Epoch ms: an address read then or later is taken to still hold what it has not paid on. */
  heldSince: number;
  /** Also finds labelled addresses that a path in time order reaches, even if none of the money does. */
  withPaths: boolean;
  /** Replays by address. The two traces of one question share them, since most addresses are on both sides. */
  replays: Map<string, Replay>;
}

/** Direct is one hop, indirect two or more. */
type Tier = 'direct' | 'indirect';

/** A labelled address that money was traced to. Direct and indirect money of one address are two entries. */
export interface TracedParty {
  address: string;
  tier: Tier;
  label: string | null;
  category: Category;
  usd: number;
  /** Length of the shortest path. */
  hops: number;
  /** First and last transfer with it, epoch ms. */
  firstAt: number;
  lastAt: number;
  /** Every transfer with it, with its money and path. */
  arrivals: Carried[];
}

/** An address where the trace stopped, or that money passed outside the spans that were read. */
export interface FrontierEntry {
  address: string;
  direction: Direction;
  /** 0 for the subject. */
  hop: number;
  usd: number;
  reason: EndReason;
  /** The transfer with the address that carried the most money: read from there. Null for the subject. */
  around: TracedTransfer | null;
  /** The crossing at which the money ended; null for other ends. */
  bridge: EndedBridge | null;
}

export interface Trace {
  totalUsd: number;
  /** Largest first. */
  parties: TracedParty[];
  /** Unattributed US dollars. */
  left: Map<EndReason, number>;
  /** Attributed US dollars that passed an address outside the spans that were read. */
  throughUnreadUsd: number;
  /** US dollars that were followed over crossings whose two sides are only likely to be one transfer. */
  likelyUsd: number;
  /** Largest first. */
  frontier: FrontierEntry[];
  /** For each pass-through address, its transfers that carried money, those far from the subject first. */
  passages: Carried[][];
}

const MAY_SWAP: readonly (Category | null)[] = [null, 'unknown', 'other', 'dex', 'dex_router'];

/** Collects what a trace finds: labelled ends, money left over and why, addresses to read next. */
export class Findings {
  private readonly subject: string;
  private readonly options: FindingsOptions;
  private readonly parties = new Map<string, TracedParty>();
  private readonly left = new Map<EndReason, number>();
  private readonly frontier = new Map<string, FrontierEntry & { mostUsd: number }>();
  private readonly passages: Carried[][] = [];
  private throughUnreadUsd = 0;

  constructor(subject: string, options: FindingsOptions) {
    this.subject = subject;
    this.options = options;
  }

  /** Attributes the money to the address when that is a labelled service. */
  classify(arrivals: Arrivals): boolean {
    const { category, label } = this.options.labelOf(arrivals.address);
    if (category === null || !STOP_CATEGORIES.includes(category)) return false;
    this.attribute(arrivals, { category, label });
    return true;
  }

  /** Attributes money to the bridge that it entered or left, where the other side is not known or not followed. */
  endAtBridge(arrivals: Arrivals, bridge: EndedBridge): void {
    const { category, label } = this.options.labelOf(arrivals.address);
    const isLabelled = category !== null && STOP_CATEGORIES.includes(category);
    this.attribute(
      arrivals,
      isLabelled ? { category, label } : { category: 'bridge', label: label ?? bridge.crossing.protocol },
    );
    this.note(arrivals, bridge.end, arrivals.usd, bridge);
  }

  private attribute(
    { address, carried, usd, hops }: Arrivals,
    { category, label }: { category: Category; label: string | null },
  ): void {
    const tier: Tier = hops === 1 ? 'direct' : 'indirect';
    const key = `${tier} ${address}`;
    let party = this.parties.get(key);
    if (!party) {
      const [firstAt, lastAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      party = { address, tier, label, category, usd: 0, hops, firstAt, lastAt, arrivals: [] };
      this.parties.set(key, party);
    }
    party.usd += usd;
    for (const one of carried) {
      party.arrivals.push(one);
      party.firstAt = Math.min(party.firstAt, one.transfer.at);
      party.lastAt = Math.max(party.lastAt, one.transfer.at);
      this.throughUnreadUsd += one.unreadUsd;
    }
  }

  end({ usd }: Arrivals, reason: EndReason): void {
    this.leave(reason, usd);
  }

  /** Ends money at an address that may lead further, and adds the address to the frontier. */
  stop(arrivals: Arrivals, reason: EndReason): void {
    this.end(arrivals, reason);
    this.note(arrivals, reason, arrivals.usd);
  }

  /** Money that goes on from an opened address. */
  pass(arrivals: Arrivals, opened: OpenedAddress | undefined): Carried[] {
    if (!opened) this.stop(arrivals, 'time_budget');
    else if (opened.isHub) this.stop(arrivals, 'hub_not_expanded');
    else if (opened.isContract) this.stop(arrivals, 'contract_not_expanded');
    else return this.follow(this.withoutLiquidity(arrivals, opened), opened);
    return [];
  }

  /** What a pool or a solver paid out for a crossing goes no further: it is the money of who sent it on the other chain. */
  private withoutLiquidity(arrivals: Arrivals, { replaced }: OpenedAddress): Arrivals {
    if (!replaced || replaced.size === 0) return arrivals;
    const isLiquidity = ({ transfer }: Carried) => transfer.bridge?.end !== null && replaced.has(transfer.id);
    const paidOut = arrivals.carried.filter(isLiquidity).reduce((sum, { usd }) => sum + usd, 0);
    this.leave('bridge_liquidity', paidOut);
    const carried = arrivals.carried.filter((one) => !isLiquidity(one));
    return { ...arrivals, carried, usd: arrivals.usd - paidOut };
  }

  private follow(arrivals: Arrivals, opened: OpenedAddress): Carried[] {
    const { direction, heldSince, withPaths } = this.options;
    const replay = this.replayOf(arrivals.address, opened);
    const { isReadKnown } = opened;
    const { carried, left, toRead } = attributeThrough(replay, arrivals.carried, direction, {
      isReadKnown,
      heldSince,
      withPaths,
    });
    for (const [reason, usd] of left) this.leave(reason, usd);
    let [usd, main] = [0, null as [LeftReason, number] | null];
    for (const entry of toRead) {
      usd += entry[1];
      if (main === null || entry[1] > main[1]) main = entry;
    }
    if (main) this.note(arrivals, main[0], Math.min(usd, arrivals.usd));
    this.passages.push(inPassingOrder(replay.steps, [...arrivals.carried, ...carried], direction));
    return carried;
  }

  private replayOf(address: string, opened: OpenedAddress): Replay {
    const { labelOf, replays } = this.options;
    const known = replays.get(address);
    if (known) return known;
    // What an address hands back to the subject is the subject's own money, whatever it got in return.
    const maySwapWith = (key: string) =>
      key !== this.subject && MAY_SWAP.includes(labelOf(key).category) && !isNobody(key);
    const replay = replayOf(opened, maySwapWith);
    replays.set(address, replay);
    return replay;
  }

  private leave(reason: EndReason, usd: number): void {
    if (usd > 0) this.left.set(reason, (this.left.get(reason) ?? 0) + usd);
  }

  private note(
    { address, hops, carried }: Arrivals,
    reason: EndReason,
    usd: number,
    bridge: EndedBridge | null = null,
  ): void {
    const name = bridge === null ? address : `${address} ${bridge.crossing.id}`;
    const known = this.frontier.get(name);
    const widest = carried.reduce((most, one) => (one.usd > most.usd ? one : most));
    const isMain = known === undefined || usd > known.mostUsd;
    this.frontier.set(name, {
      address,
      direction: this.options.direction,
      hop: Math.min(hops, known?.hop ?? hops),
      usd: usd + (known?.usd ?? 0),
      reason: isMain ? reason : known.reason,
      around: isMain ? widest.transfer : known.around,
      bridge,
      mostUsd: Math.max(usd, known?.mostUsd ?? 0),
    });
  }

  summary(): Omit<Trace, 'totalUsd' | 'likelyUsd'> {
    const byUsd = (a: { usd: number; address: string }, b: { usd: number; address: string }) =>
      b.usd - a.usd || compare(a.address, b.address);
    return {
      parties: [...this.parties.values()].sort(byUsd),
      left: this.left,
      throughUnreadUsd: this.throughUnreadUsd,
      frontier: [...this.frontier.values()].map(({ mostUsd: _, ...entry }) => entry).sort(byUsd),
      passages: this.passages,
    };
  }
}

/** Transfers that carried money through one address; those far from the subject before the near ones. */
function inPassingOrder(steps: readonly ReplayStep[], all: readonly Carried[], direction: Direction): Carried[] {
  const byId = new Map(all.map((carried) => [carried.transfer.id, carried]));
  const ordered: Carried[] = [];
  for (const { transfer } of steps) {
    const carried = transfer && byId.get(transfer.id);
    if (carried) ordered.push(carried);
  }
  return direction === 'received' ? ordered : ordered.reverse();
}
