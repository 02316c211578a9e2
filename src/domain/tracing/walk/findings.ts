import type { BridgeEnd } from '../../bridges/crossing.ts';
import { type Category, isDex, STOP_CATEGORIES } from '../../label.ts';
import { placeKind } from '../../transfers/place.ts';
import { addArrival, type Direction, type FlowPortion, type LeftReason } from '../flow-portion.ts';
import type { Restitution } from '../own-money/restitution.ts';
import { type Replay, type ReplayHistory, replayOf } from '../replay.ts';
import type { ReplayStep } from '../replay-step.ts';
import { type TraderKind, traderKind } from '../swaps.ts';
import type { EndedBridge } from '../traced-transfer.ts';
import { type EndReason, EndsByAddress, largestFirst, leftOf, type MoneyEnd } from './ends.ts';
import { Frontier, type FrontierEntry } from './frontier.ts';
import type { Move } from './pass/haircut-replay.ts';
import type { PassedMoney } from './pass/passed-money.ts';

type LostReason = BridgeEnd | 'contract';

/** Label facts of an address. */
export interface AddressLabel {
  category: Category | null;
  label: string | null;
  /** True for a known contract or program, false for a known wallet; left out where it is not known. */
  isContract?: boolean;
}

/** An address that was opened: its history, or why it is not followed. */
export interface OpenedAddress extends ReplayHistory {
  /** It has too many transfers to follow the money of one customer; none are listed. */
  isHub: boolean;
  /** A contract or program that pools the money of strangers. */
  isPool: boolean;
  /** False where the caller may not learn what was read of it. */
  isReadKnown: boolean;
  /** Ids of transfers in whose place a crossing stands (cross-chains.ts); left out where there are none. */
  replaced?: ReadonlySet<string>;
  /** Money that it lost and got back; left out where there is none. */
  restitution?: Restitution;
}

export interface FindingsOptions {
  direction: Direction;
  labelOf: (address: string) => AddressLabel;
  /** The protocol of a known contract of a bridge; null for all others. */
  bridgeOf: (address: string) => string | null;
  /** Whether the money goes on through a labelled address all the same; left out: through none. */
  goesOn?: ((address: string) => boolean) | undefined;
  /** Epoch ms: an address read then or later is taken to still hold what it has not paid on. */
  heldSince: number;
  /** Also finds labelled addresses that a path in time order reaches, even if none of the money does. */
  withPaths: boolean;
  /** Replays by address. The two traces of one question share them, since most addresses are on both sides. */
  replays: Map<string, Replay>;
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

export interface Trace {
  totalUsd: number;
  /** Exchanges of the subject's own, which the account of the money leaves out; 0 in other traces. */
  exchangedUsd: number;
  /** In the account of what was sent: the part that nothing which came in explains; 0 in other traces. */
  uncoveredUsd: number;
  /** Part of it that the subject moved recently. */
  recentUsd: number;
  /** Epoch ms: what the subject moved since then is recent. */
  recentSince: number;
  /** Largest first. */
  parties: TracedParty[];
  /** Money without a labelled end, largest first. */
  ends: MoneyEnd[];
  /** Its sums, in US dollars. */
  left: ReadonlyMap<EndReason, number>;
  /**
   * US dollars of the parties whose end is not known, by why: they left over a bridge whose other side is not followed, or were
   * put into an exchange of tokens and not seen to come out, or the other way round (`contract`).
   */
  lost: ReadonlyMap<LostReason, number>;
  /** Attributed US dollars that passed an address outside the spans that were read. */
  throughUnreadUsd: number;
  /** US dollars that were followed over crossings whose two sides are only likely to be one transfer. */
  likelyUsd: number;
  /** US dollars that were followed over crossings which anybody could have stated, but for those only likely. */
  openUsd: number;
  /** US dollars that such statements speak of, and that were not followed over their crossings. */
  claimedUsd: number;
  /** US dollars that ended at a limit of hops or time on ways with a chain of relays or an address that is reported as adverse. */
  suspectUsd: number;
  /** Largest first. */
  frontier: FrontierEntry[];
  /** What moved at the addresses that money passed through: several passes, each from the subject outwards. */
  passes: readonly (readonly Move[])[];
  /** Own transfers without a price over known bridges: no money in US dollars, and not followed. */
  unpricedBridged: readonly BridgedTransfer[];
}

/** An own transfer that entered or left a bridge. */
interface BridgedTransfer {
  /** Its far end. */
  address: string;
  label: string | null;
  carried: FlowPortion;
}

type FoundEnds = Pick<Trace, 'parties' | 'ends' | 'left' | 'lost' | 'throughUnreadUsd' | 'frontier'>;

/** Collects what a trace finds: labelled ends, money left over and why, addresses to read next. */
export class Findings {
  private readonly subjects: ReadonlySet<string>;
  private readonly options: FindingsOptions;
  private readonly parties = new Map<string, TracedParty>();
  private readonly ends = new EndsByAddress();
  private readonly frontier: Frontier;
  private readonly lost = new Map<LostReason, number>();
  private throughUnreadUsd = 0;

  constructor(subjects: ReadonlySet<string>, options: FindingsOptions) {
    this.subjects = subjects;
    this.options = options;
    this.frontier = new Frontier(options.direction);
  }

  /**
   * Attributes the money to the address when that is a labelled service, or ends it at a known contract of a bridge. One-sided is what
   * got nothing in return in its transaction, or was given nothing for.
   */
  classify(address: string, carried: FlowPortion, isOneSided: () => boolean): boolean {
    if (this.serviceOf(address) !== null) {
      if (!this.addTo(address, carried, null)) return true;
      if (!this.isExchange(address) || !isOneSided()) {
        this.throughUnreadUsd += carried.unreadUsd;
        return true;
      }
      carried.isDeposit = true;
      this.lost.set('contract', (this.lost.get('contract') ?? 0) + carried.usd);
      return true;
    }
    if (this.options.bridgeOf(address) === null) return false;
    this.endBridged(address, carried, 'bridge_not_looked_up', null);
    return true;
  }

  /** Ends money at the bridge that it entered or left, where the other side is not known or not followed. */
  endAtBridge(address: string, carried: FlowPortion, bridge: EndedBridge): void {
    this.endBridged(address, carried, bridge.end, bridge);
  }

  /** Adds to the frontier what a statement claims of a receipt that is traced back all the same. */
  noteClaim(address: string, carried: FlowPortion, bridge: EndedBridge): void {
    this.frontier.note(address, carried, { reason: bridge.end, usd: carried.usd, bridge });
  }

  private endBridged(address: string, carried: FlowPortion, reason: BridgeEnd, bridge: EndedBridge | null): void {
    const { usd } = carried;
    if (this.addTo(address, carried, bridge)) this.lost.set(reason, (this.lost.get(reason) ?? 0) + usd);
    this.frontier.note(address, carried, { reason, usd, bridge });
  }

  /** The category by which money ends at the address; null for none. */
  private serviceOf(address: string): Category | null {
    if (this.options.goesOn?.(address)) return null;
    const { category } = this.options.labelOf(address);
    return category !== null && STOP_CATEGORIES.includes(category) ? category : null;
  }

  /** Adds what a transfer carried to its party; false where it adds nothing. */
  private addTo(address: string, carried: FlowPortion, bridge: EndedBridge | null): boolean {
    const tier: Tier = carried.onto === null ? 'direct' : 'indirect';
    const key = `${tier} ${address}`;
    let party = this.parties.get(key);
    if (!party) {
      const service = this.serviceOf(address);
      const protocol = this.options.bridgeOf(address);
      const { label } = this.options.labelOf(address);
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
    if (!addArrival(party.arrivals, carried, this.options.direction)) return false;
    party.usd += carried.usd;
    party.recentUsd += carried.recentUsd;
    return true;
  }

  end(address: string, carried: FlowPortion, reason: EndReason): void {
    this.ends.add(address, reason, { usd: carried.usd, arrived: [carried], quantities: null });
  }

  /** Ends a part of the money of a transfer: these quantities. */
  endPart(
    address: string,
    reason: EndReason,
    part: { usd: number; arrived: FlowPortion[]; quantities: Map<string, number> },
  ) {
    this.ends.add(address, reason, part);
  }

  /** Ends money at an address behind which there is no party. Coin that a rollup made came over its bridge, known or not. */
  endNowhere(address: string, carried: FlowPortion): void {
    const isBridged = placeKind(carried.transfer.index) === 'mint';
    const origin = isBridged ? 'bridge_not_looked_up' : 'unknown_origin';
    this.end(address, carried, this.options.direction === 'received' ? origin : 'burned');
  }

  /** Ends money at an address that may lead further, and adds the address to the frontier. */
  stop(address: string, arrived: readonly FlowPortion[], reason: EndReason): void {
    for (const carried of arrived) {
      this.end(address, carried, reason);
      this.frontier.note(address, carried, { reason, usd: carried.usd });
    }
  }

  /** Adds an address to the frontier whose history decides whose money it is. */
  toRead(address: string, carried: FlowPortion): void {
    this.frontier.note(address, carried, { reason: 'not_read', usd: carried.usd });
  }

  /** Why an address is not followed; null for all others. */
  stopReasonOf({ isHub, isPool }: OpenedAddress): EndReason | null {
    if (isHub) return 'hub_not_expanded';
    if (!isPool) return null;
    return this.options.direction === 'sent' ? 'contract' : 'contract_not_expanded';
  }

  /** Adds the money that one pass through an address did not lead on. */
  passed(address: string, passed: PassedMoney): void {
    const { arrivedUsd, arrived, left, toRead } = passed;
    for (const [reason, { usd, quantities }] of left) {
      // A contract holds it in common.
      const end = reason === 'held' && this.options.labelOf(address).isContract ? 'contract' : reason;
      this.ends.add(address, end, { usd, arrived, quantities });
    }
    let [usd, main] = [0, null as [LeftReason, number] | null];
    for (const entry of toRead) {
      usd += entry[1];
      if (main === null || entry[1] > main[1]) main = entry;
    }
    const from = main && passed.readFrom(this.options.direction);
    if (main && from) this.frontier.note(address, from, { reason: main[0], usd: Math.min(usd, arrivedUsd) });
  }

  replayOf(address: string, opened: ReplayHistory): Replay {
    const { replays } = this.options;
    const known = replays.get(address);
    if (known) return known;
    const replay = replayOf(
      opened,
      (key) => this.traderOf(key),
      (key) => this.isExchange(key),
      {
        isDepositor: (key) => this.isDepositorAt(address, key),
        isOwnContract: (key) => this.isStrategyOf(address, key),
        isContract: this.options.labelOf(address).isContract === true,
      },
    );
    replays.set(address, replay);
    return replay;
  }

  /** The steps of transactions in which the address gave and got: what it traded does not depend on the rest. */
  tradesOf({ received, sent, ...history }: ReplayHistory): ReplayStep[] {
    const got = new Set(received.map(({ txHash }) => txHash));
    const given = sent.filter(({ txHash }) => got.has(txHash));
    if (given.length === 0) return [];
    const both = new Set(given.map(({ txHash }) => txHash));
    const traded = { ...history, received: received.filter(({ txHash }) => both.has(txHash)), sent: given };
    return replayOf(
      traded,
      (key) => this.traderOf(key),
      (key) => this.isExchange(key),
    ).steps;
  }

  /** An own transfer without a price over a known bridge; null for all others. Receipts are known by a crossing alone: anybody can send. */
  unpricedBridged(address: string, carried: FlowPortion): BridgedTransfer | null {
    const { bridge, priced } = carried.transfer;
    const { category, label } = this.options.labelOf(address);
    const protocol = bridge?.crossing.protocol ?? this.options.bridgeOf(address);
    const isKnown = this.options.direction === 'sent' && (protocol !== null || category === 'bridge');
    if (priced || !(bridge ? !bridge.goesBehind : isKnown)) return null;
    return { address, label: label ?? protocol, carried };
  }

  /** True where money ends whatever else is known of the address. */
  isEnd(address: string): boolean {
    return this.serviceOf(address) !== null || this.options.bridgeOf(address) !== null;
  }

  isExchange(address: string): boolean {
    return isDex(this.serviceOf(address));
  }

  traderOf(key: string): TraderKind {
    // What an address hands back to the subject is the subject's own money, whatever it got in return.
    if (this.subjects.has(key)) return 'none';
    return this.options.bridgeOf(key) === null ? traderKind(key, this.options.labelOf(key)) : 'none';
  }

  /** True where a party may have an account at the address: no known wallet, and the party no service, whose money is that of many. */
  private isDepositorAt(address: string, key: string): boolean {
    if (this.options.labelOf(address).isContract === false || this.options.bridgeOf(key) !== null) return false;
    return ['any', 'contract'].includes(traderKind(key, this.options.labelOf(key)));
  }

  /** True where both are contracts, the other one of no service: a vault may have lent to it. */
  private isStrategyOf(address: string, key: string): boolean {
    const { labelOf, bridgeOf } = this.options;
    if (!labelOf(address).isContract || !labelOf(key).isContract || bridgeOf(key) !== null) return false;
    return ['any', 'contract', 'trader'].includes(traderKind(key, labelOf(key))) && !this.isExchange(key);
  }

  summary(distanceOf: (address: string) => number): FoundEnds {
    const ends = this.ends.all();
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
      left: leftOf(ends),
      lost: this.lost,
      throughUnreadUsd: this.throughUnreadUsd,
      frontier: this.frontier.all(distanceOf),
    };
  }
}

/** US dollars that have a known end: those of labelled parties. */
export function attributedUsd({ parties, lost }: Pick<Trace, 'parties' | 'lost'>): number {
  const ended = parties.reduce((sum, { usd }) => sum + usd, 0);
  return Math.max(0, ended - [...lost.values()].reduce((sum, usd) => sum + usd, 0));
}

/** The trace with money of the subject itself that was not followed; 0: none that is known, but the reason holds. */
export function withOwnEnd(traced: Trace, subject: string, reason: EndReason, usd: number): Trace {
  const ends = [...traced.ends, { address: subject, reason, usd, hops: 0, arrivals: [], quantities: null }];
  return { ...traced, ends, left: leftOf(ends), totalUsd: traced.totalUsd + usd };
}
