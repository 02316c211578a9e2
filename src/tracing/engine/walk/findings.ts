import { roundUsd } from '../../../domain/amount.ts';
import type { BridgeEnd } from '../../../domain/bridges/crossing.ts';
import type { Category } from '../../../domain/label.ts';
import { COIN } from '../../../domain/tracing/asset-id.ts';
import {
  addArrival,
  type Direction,
  type EndedMoney,
  type EndReason,
  type FlowPortion,
  largestFirst,
  type MoneyEnd,
  type UnattributedReason,
  unattributedBy,
} from '../../../domain/tracing/flow-portion.ts';
import type { Reading } from '../../../domain/tracing/reading.ts';
import type { EndedBridge, TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { placeKind } from '../../../domain/transfers/transfer-id.ts';
import type { ReplayHistory } from '../replay.ts';
import type { Restitution } from '../restitution.ts';
import type { AddressRoles } from './address-roles.ts';
import type { Move } from './haircut-replay.ts';
import type { PassedMoney } from './taint-balance.ts';

type LostReason = BridgeEnd | 'contract';

/** The history of an address, or why its money is not followed. */
interface TraceHistory extends ReplayHistory {
  /** True where it has too many transfers to follow the money of one customer; none are listed. */
  isHub: boolean;
  /** True for a contract or program that pools the money of strangers. */
  isPool: boolean;
  /** Ids of transfers in whose place a crossing stands (cross-chains.ts); absent where there are none. */
  replaced?: ReadonlySet<string>;
  /** Money that it lost and got back; absent where there is none. */
  restitution?: Restitution;
}

/** An address that was opened, as the caller may know it. */
export interface OpenedAddress extends TraceHistory {
  /** False where the caller may not learn what was read of it. */
  isReadKnown: boolean;
}

/** An address as the graph holds it. */
export interface GraphAddress extends TraceHistory {
  category: Category | null;
  /** Epoch ms; null where it was never scanned. */
  scannedAt: number | null;
  isScanComplete: boolean;
  isContract: boolean;
  /** True where some of its history was read from its chain. */
  wasRead: boolean;
  /** Spans that loaded files were declared to hold of it; null where none was. */
  loaded: Reading | null;
  /** True where it received, or sent, more crossings of bridges than were read: some of its transfers may be sides of others. */
  hasUnreadCrossings: Record<Direction, boolean>;
  /** Its transfers as the graph holds them, before crossings take the place of any. */
  listed: Record<Direction, readonly TracedTransfer[]>;
  /** How many more the graph holds on a side than are listed. */
  unlisted: Record<Direction, number>;
  /** US dollars and number of all transfers on a side, listed or not. */
  totals: Record<Direction, { usd: number; count: number; unpriced: number }>;
}

/** An address where the trace stopped, or that money passed outside the spans that were read. */
export interface FrontierEntry {
  address: string;
  direction: Direction;
  /** 0 for the subject. */
  hop: number;
  usd: number;
  reason: EndReason;
  /** The transfer with the address from which to read. Null for the subject. */
  around: TracedTransfer | null;
  /** The crossing at which the money ended; null for other ends. */
  bridge: EndedBridge | null;
}

/** Direct is what the subject's own transfer moved. */
type Tier = 'direct' | 'indirect';

/** A labelled address that money was traced to. Direct and indirect money of one address are two entries. */
export interface TracedParty {
  address: string;
  tier: Tier;
  label: string | null;
  category: Category;
  usd: number;
  /** Part of it that the subject moved recently. */
  recentUsd: number;
  /** Its distance from the subject; of an indirect one by way of others. */
  hops: number;
  /** First and last transfer with it, epoch ms. */
  firstAt: number;
  lastAt: number;
  /** Every transfer with it, with its money and path. */
  arrivals: FlowPortion[];
  /** Known as a bridge by its contract alone: what ended there is not followed to the other side. */
  isUnlabelledBridge: boolean;
}

/** The ends of the money, labelled or not, and where to read on. */
interface FoundEnds {
  /** Largest first. */
  parties: TracedParty[];
  /** Money without a labelled end, largest first. */
  ends: MoneyEnd[];
  /** Its sums, in US dollars. */
  unattributed: ReadonlyMap<EndReason, number>;
  /**
   * US dollars of the parties whose end is not known, by why: they left over a bridge whose other side is not followed, or were
   * put into an exchange of tokens and not seen to come out, or the other way round (`contract`).
   */
  lost: ReadonlyMap<LostReason, number>;
  /** Attributed US dollars that passed an address outside the spans that were read. */
  throughUnreadUsd: number;
  /** Largest first. */
  frontier: FrontierEntry[];
}

export interface Trace extends FoundEnds {
  totalUsd: number;
  /** Exchanges of the subject's own, which the account of the money leaves out; 0 in other traces. */
  exchangedUsd: number;
  /** US dollars in the account of what was sent that nothing which came in explains; 0 in other traces. */
  uncoveredUsd: number;
  /** Part of it that the subject moved recently. */
  recentUsd: number;
  /** Epoch ms: what the subject moved since then is recent. */
  recentSince: number;
  /** US dollars that were followed over crossings whose two sides are only likely to be one transfer. */
  likelyUsd: number;
  /** US dollars that were followed over crossings which anybody could have stated, but for those only likely. */
  openUsd: number;
  /** US dollars that such statements speak of, and that were not followed over their crossings. */
  claimedUsd: number;
  /** US dollars that ended at a limit of hops, addresses or time on ways with a chain of relays or an address that is reported as adverse. */
  suspectUsd: number;
  /** Moves at the addresses that money passed through: several passes, each from the subject outwards. */
  passes: readonly (readonly Move[])[];
  /** Own transfers without a price over known bridges: no money in US dollars, and not followed. */
  unpricedBridged: readonly BridgedTransfer[];
}

/** An own transfer that entered or left a bridge. */
export interface BridgedTransfer {
  /** Its far end. */
  address: string;
  label: string | null;
  portion: FlowPortion;
}

/** Money without a labelled end, as far as it was found; its distance is known at the end. */
interface CollectedEnd extends MoneyEnd {
  arrivedBy: Set<FlowPortion>;
}

/** Writes down what a trace finds: labelled ends, money without one and why, addresses to read next. */
export class Findings {
  private readonly direction: Direction;
  private readonly roles: AddressRoles;
  private readonly parties = new Map<string, TracedParty>();
  private readonly ends = new Map<string, CollectedEnd>();
  private readonly frontier = new Map<string, FrontierEntry & { mostUsd: number }>();
  private readonly lost = new Map<LostReason, number>();
  private throughUnreadUsd = 0;

  constructor(direction: Direction, roles: AddressRoles) {
    this.direction = direction;
    this.roles = roles;
  }

  /**
   * Attributes the money to the address when that is a labelled service, or ends it at a known contract of a bridge. One-sided is what
   * got nothing in return in its transaction, or was given nothing for.
   */
  classify(address: string, portion: FlowPortion, isOneSided: () => boolean): boolean {
    if (this.roles.serviceOf(address) !== null) {
      if (!this.addTo(address, portion, null)) return true;
      if (!this.roles.isExchange(address) || !isOneSided()) {
        this.throughUnreadUsd += portion.unreadUsd;
        return true;
      }
      portion.isDeposit = true;
      this.lost.set('contract', (this.lost.get('contract') ?? 0) + portion.usd);
      return true;
    }
    if (this.roles.bridgeOf(address) === null) return false;
    this.endBridged(address, portion, 'bridge_not_looked_up', null);
    return true;
  }

  /** Ends money at the bridge that it entered or left, where the other side is not known or not followed. */
  endAtBridge(address: string, portion: FlowPortion, bridge: EndedBridge): void {
    this.endBridged(address, portion, bridge.end, bridge);
  }

  /** Adds to the frontier what a statement claims of a receipt that is traced back all the same. */
  noteClaim(address: string, portion: FlowPortion, bridge: EndedBridge): void {
    this.noteFrontier(address, portion, { reason: bridge.end, usd: portion.usd, bridge });
  }

  private endBridged(address: string, portion: FlowPortion, reason: BridgeEnd, bridge: EndedBridge | null): void {
    const { usd } = portion;
    if (this.addTo(address, portion, bridge)) this.lost.set(reason, (this.lost.get(reason) ?? 0) + usd);
    this.noteFrontier(address, portion, { reason, usd, bridge });
  }

  /** Adds what a transfer carried to its party; false where it adds nothing. */
  private addTo(address: string, portion: FlowPortion, bridge: EndedBridge | null): boolean {
    const tier: Tier = portion.onto === null ? 'direct' : 'indirect';
    const key = `${tier} ${address}`;
    let party = this.parties.get(key);
    if (!party) {
      const service = this.roles.serviceOf(address);
      const protocol = this.roles.bridgeOf(address);
      const { label } = this.roles.labelOf(address);
      party = {
        address,
        tier,
        label: service === null ? (label ?? bridge?.crossing.protocol ?? protocol) : label,
        category: service ?? 'bridge',
        usd: 0,
        recentUsd: 0,
        hops: 1,
        firstAt: 0,
        lastAt: 0,
        arrivals: [],
        isUnlabelledBridge: service === null && protocol !== null,
      };
      this.parties.set(key, party);
    }
    if (!addArrival(party.arrivals, portion, this.direction)) return false;
    party.usd += portion.usd;
    party.recentUsd += portion.recentUsd;
    return true;
  }

  end(address: string, portion: FlowPortion, reason: EndReason): void {
    this.add({ address, reason, usd: portion.usd, arrived: [portion], quantities: null });
  }

  /** Adds money that ended. */
  add({ address, reason, usd, arrived, quantities }: EndedMoney): void {
    if (usd <= 0) return;
    const key = `${reason} ${address}`;
    let end = this.ends.get(key);
    if (!end) {
      const none = { usd: 0, hops: 0, arrivals: [], arrivedBy: new Set<FlowPortion>() };
      end = { address, reason, ...none, quantities: quantities && new Map() };
      this.ends.set(key, end);
    }
    end.usd += usd;
    for (const one of arrived) end.arrivedBy.add(one);
    for (const [asset, quantity] of quantities ?? []) {
      end.quantities?.set(asset, (end.quantities.get(asset) ?? 0) + quantity);
    }
  }

  /**
   * Ends money at an address behind which there is no party. Coin that a rollup made came over its bridge, known or not; what was minted
   * without a price, and not by the receiver's own call, another may have paid for.
   */
  endNowhere(address: string, portion: FlowPortion): void {
    const { index, priced, assetId, signer, to } = portion.transfer;
    const isBridged = placeKind(index) === 'mint';
    const isGiven = !priced && assetId !== COIN && signer !== to;
    const origin = isBridged ? 'bridge_not_looked_up' : isGiven ? 'unpriced' : 'unknown_origin';
    this.end(address, portion, this.direction === 'received' ? origin : 'burned');
  }

  /** Ends money at an address that may lead further, and adds the address to the frontier. */
  stop(address: string, arrived: readonly FlowPortion[], reason: EndReason): void {
    for (const portion of arrived) {
      this.end(address, portion, reason);
      this.noteFrontier(address, portion, { reason, usd: portion.usd });
    }
  }

  /** Adds an address to the frontier whose history decides whose money it is. */
  toRead(address: string, portion: FlowPortion): void {
    this.noteFrontier(address, portion, { reason: 'not_read', usd: portion.usd });
  }

  /** Adds the money that one pass through an address did not lead on. */
  passed(address: string, passed: PassedMoney): void {
    const { arrivedUsd, arrived, unattributed, toRead } = passed;
    for (const [reason, { usd, quantities }] of unattributed) {
      // A contract holds it in common.
      const end = reason === 'held' && this.roles.labelOf(address).isContract ? 'contract' : reason;
      this.add({ address, reason: end, usd, arrived, quantities });
    }
    let [usd, main] = [0, null as [UnattributedReason, number] | null];
    for (const entry of toRead) {
      usd += entry[1];
      if (main === null || entry[1] > main[1]) main = entry;
    }
    const from = main && passed.readFrom(this.direction);
    if (main && from) this.noteFrontier(address, from, { reason: main[0], usd: Math.min(usd, arrivedUsd) });
  }

  private noteFrontier(
    address: string,
    { transfer: around }: FlowPortion,
    { reason, usd, bridge = null }: { reason: EndReason; usd: number; bridge?: EndedBridge | null },
  ): void {
    const name = bridge === null ? address : `${address} ${bridge.crossing.id}`;
    const known = this.frontier.get(name);
    const isMain = known === undefined || usd > known.mostUsd;
    this.frontier.set(name, {
      address,
      direction: this.direction,
      hop: 0,
      usd: usd + (known?.usd ?? 0),
      reason: isMain ? reason : known.reason,
      around: isMain ? around : known.around,
      bridge,
      mostUsd: Math.max(usd, known?.mostUsd ?? 0),
    });
  }

  /** Lists what was found, largest first. */
  summary(distanceOf: (address: string) => number): FoundEnds {
    const ends = [...this.ends.values()].map(({ arrivedBy, ...end }): MoneyEnd => {
      const arrivals = [...arrivedBy];
      const hops = arrivals.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
      return { ...end, arrivals, hops };
    });
    ends.sort(largestFirst);
    const frontier = [...this.frontier.values()].map(({ mostUsd: _, ...entry }) => ({
      ...entry,
      hop: distanceOf(entry.address),
    }));
    const parties = [...this.parties.values()].map((party): TracedParty => {
      const times = party.arrivals.map(({ transfer }) => transfer.at);
      const firstAt = times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
      const lastAt = times.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
      const hops = party.arrivals.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
      return { ...party, hops, firstAt, lastAt };
    });
    return {
      parties: parties.sort(largestFirst),
      ends,
      unattributed: unattributedBy(ends),
      lost: this.lost,
      throughUnreadUsd: this.throughUnreadUsd,
      frontier: frontier.sort(largestFirst),
    };
  }
}

/** US dollars that have a known end: those of labelled parties. */
export function attributedUsd({ parties, lost }: Trace): number {
  const ended = parties.reduce((sum, { usd }) => sum + usd, 0);
  return Math.max(0, ended - [...lost.values()].reduce((sum, usd) => sum + usd, 0));
}

/** US dollars that have no known end, as answers show them. */
export function unattributedUsd(traced: Trace): number {
  return Math.max(0, roundUsd(traced.totalUsd - attributedUsd(traced)));
}

/** The trace with money of the subject itself that was not followed; 0: none that is known, but the reason holds. */
export function withOwnEnd(traced: Trace, subject: string, reason: EndReason, usd: number): Trace {
  const ends = [...traced.ends, { address: subject, reason, usd, hops: 0, arrivals: [], quantities: null }];
  return { ...traced, ends, unattributed: unattributedBy(ends), totalUsd: traced.totalUsd + usd };
}
