import type { Config } from '../../config.ts';
import type { Context, GraphContext } from '../../context.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { AddressLabel } from '../../domain/label.ts';
import { DAY_MS } from '../../domain/time.ts';
import { changesForm } from '../../domain/tracing/asset-id.ts';
import { type Direction, type EndReason, type FlowPortion, farEnd } from '../../domain/tracing/flow-portion.ts';
import { NOT_READ } from '../../domain/tracing/reading.ts';
import type { Rule } from '../../domain/tracing/rule.ts';
import { type TracedTransfer, transactionName } from '../../domain/tracing/traced-transfer.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { PartyLabelsContext } from '../../labels/node-labels.ts';
import { DUST_BELOW_USD } from '../../risk/rules.ts';
import type { Accomplice } from '../engine/accomplices/accomplices.ts';
import type { Replay } from '../engine/replay.ts';
import { isStaked, usdPassing } from '../engine/walk/evidence.ts';
import { type GraphAddress, type Trace, withOwnEnd } from '../engine/walk/findings.ts';
import { Search, type TracedSubject, type TraceOptions } from '../engine/walk/trace.ts';
import { GraphReader, type OpenedSubject, type ReadRequest } from './graph-reader.ts';
import type { Inquiry } from './inquiry.ts';
import { endsAtReports, type GoesThrough, givingWay, isCut, throughAll, throughThese } from './through-reports.ts';

/** Steps that a trace visits without a pause: about a millisecond. */
const VISITS_AT_ONCE = 200;
/** Traces after the first in which new accomplices may be found. */
const ACCOMPLICE_ROUNDS = 3;

/** Assets without a price that are followed, and addresses opened a hop for them: mostly worthless tokens. */
const UNPRICED = { assets: 20, limit: 10 };

export interface TraceRequest extends ReadRequest {
  directions: readonly Direction[];
  maxHops: number;
  /** Hops of received money, where they differ: 1 leaves the payers unopened. */
  maxHopsReceived?: number;
  /** Addresses opened for each hop and direction. */
  limit: number;
  /** Also searches `reached`. */
  withPaths?: boolean;
  /**
   * How what the subject exchanged itself counts: as a payment and a receipt (`listed`, where it is left out), as neither in
   * the account of the money, or in each its way (`both`).
   */
  exchanges?: 'listed' | 'in_account' | 'both';
  /** Rules of attribution by which the account of the money is traced beside pro rata; default: none. */
  rules?: readonly Rule[];
  /** Which of the subject's own transfers are followed; default: all. */
  follows?: (transfer: TracedTransfer) => boolean;
  /** True: money ends at receivers beside listed takers; left out, it is followed through them. */
  endsAtAccomplices?: boolean;
  /** True: assets without a price are followed too, by their quantities. */
  withUnpriced?: boolean;
  /** The addresses of which the subjects are a part: what they pay each other does not count as flow; default: the subjects. */
  own?: ReadonlySet<string>;
  /** Days before the last transfer of the subject in which its money counts as recent; default: none does. */
  recentDays?: number;
}

/** The stores that a trace reads, and who asks. */
export type TraceContext = GraphContext &
  PartyLabelsContext & { config: Config; bridges: Pick<Context['bridges'], 'protocols'> } & Inquiry;

/** Traces of the subjects in each direction. */
interface SubjectTraces {
  /** Subjects by key, without those that the graph does not know; empty where the time was up. */
  subjects: ReadonlyMap<string, OpenedSubject>;
  received: Trace;
  sent: Trace;
  /** Like `sent`, with the ends that a path in time order leads to, even if none of the money does. */
  reached: Trace;
  /** The account of the money: the same traces where no other ones were asked for, or needed. */
  account: Record<Direction, Trace>;
  /** The account by the other rules that were asked for. */
  byRule: ReadonlyMap<Rule, Record<Direction, Trace>>;
  /**
   * Traces of own transfers without a price: each asset counts as one US dollar, whatever its amount. Empty where it was not
   * asked for.
   */
  unpriced: Record<Direction, Trace>;
  /** Ids of payments on the way that may have come before or after much of what came in at the same moment. */
  unordered: ReadonlySet<string>;
}

export interface MoneyTraces extends SubjectTraces {
  /** Every address that was opened, the subject among them. */
  opened: ReadonlyMap<string, GraphAddress>;
  labels: Map<string, AddressLabel>;
  /** Receivers beside listed takers, by key; empty where money does not end there. */
  accomplices: ReadonlyMap<string, Accomplice>;
  /** True for a listed taker of money of which a source is sure, by key. */
  isTaker: (key: string) => boolean;
  /** Addresses behind the subject that were read from their chain, as far as the caller may know. */
  readAddresses: ReadonlySet<string>;
  /** Rests of transfers by id that went round inside their transactions, as far as they were looked at; null: nothing is left. */
  rounds: ReadonlyMap<string, TracedTransfer | null>;
  /** Names of transactions that limits left in part unread: more of them may have gone round. */
  cut: ReadonlySet<string>;
}

const NOTHING: Trace = {
  totalUsd: 0,
  exchangedUsd: 0,
  uncoveredUsd: 0,
  recentUsd: 0,
  recentSince: Number.POSITIVE_INFINITY,
  parties: [],
  ends: [],
  unattributed: new Map(),
  lost: new Map(),
  throughUnreadUsd: 0,
  likelyUsd: 0,
  openUsd: 0,
  claimedUsd: 0,
  suspectUsd: 0,
  frontier: [],
  passes: [],
  unpricedBridged: [],
};

/**
 * Traces an address, or several as one party, through the graph: received money back to where it came from, sent money
 * on to where it went. Money that the time and transfer budgets leave untraced is unattributed. Throws GraphError.
 */
export async function traceMoney(
  ctx: TraceContext,
  asked: readonly string[],
  request: TraceRequest,
): Promise<MoneyTraces> {
  const keys = new Set(asked);
  const protocols = await ctx.bridges.protocols();
  const reader = new GraphReader(ctx, request, (key) => keys.has(key) || protocols.has(key));
  const subjects = await reader.openSubjects(keys);
  const traces =
    subjects === 'late' || subjects.size === 0
      ? emptyTraces(keys, request, subjects === 'late' ? 'time_budget' : null)
      : await new SubjectTracing(ctx, request, { keys, subjects, protocols, reader }).run();
  const { labels, opened, accomplices, readAddresses, rounds } = reader;
  return {
    ...traces,
    ...{ opened, labels, accomplices, readAddresses, rounds: rounds.left, cut: rounds.cut },
    isTaker: (key) => reader.isTaker(key),
  };
}

/** Returns traces of subjects of which nothing was read, for a reason; null where the graph does not know them. */
function emptyTraces(
  [first = '']: ReadonlySet<string>,
  { rules = [] }: TraceRequest,
  reason: EndReason | null,
): SubjectTraces {
  const none = reason ? withOwnEnd(NOTHING, first, reason, 0) : NOTHING;
  return {
    ...{ subjects: new Map(), received: none, sent: none, reached: none },
    account: { received: none, sent: none },
    byRule: new Map(rules.map((rule) => [rule, { received: none, sent: none }])),
    unpriced: { received: none, sent: none },
    unordered: new Set(),
  };
}

const NO_ONE: ReadonlySet<string> = new Set();

/** A trace under way, and the side of the subjects that it is of. */
interface RunningTrace {
  direction: Direction;
  search: Search;
}

/** Traces of all names, each run once, and the accounts where they differ. */
interface TracesOnce {
  traces: Record<Direction | 'reached', Trace>;
  accounts: { direction: Direction; trace: Trace }[];
  goesThrough: GoesThrough | undefined;
}

/** All traces of the subjects of one request. They advance together, so that one graph query opens the addresses of a hop for all. */
class SubjectTracing {
  private readonly request: TraceRequest;
  private readonly keys: ReadonlySet<string>;
  private readonly subjects: ReadonlyMap<string, OpenedSubject>;
  private readonly histories: ReadonlyMap<string, TracedSubject>;
  private readonly reader: GraphReader;
  /** No address trades other than its label says, whether money ends there or goes on: all traces share them. */
  private readonly replays = new Map<string, Replay>();
  private readonly names: readonly (Direction | 'reached')[];
  private readonly options: Omit<TraceOptions, 'direction' | 'hopsMax'>;

  constructor(ctx: TraceContext, request: TraceRequest, { keys, subjects, protocols, reader }: OpenedSubjects) {
    this.request = request;
    this.keys = keys;
    this.subjects = subjects;
    this.reader = reader;
    this.histories = new Map([...keys].map((key) => [key, subjects.get(key) ?? NO_HISTORY]));
    this.names = [...request.directions, ...(request.withPaths ? (['reached'] as const) : [])];
    const { recentDays, limit } = request;
    this.options = {
      ...{ limit, replays: this.replays, withPaths: false },
      labelOf: (address) => reader.labels.get(address) ?? UNLABELLED,
      bridgeOf: (address) => protocols.get(address) ?? null,
      heldSince: ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000,
      recentSince: recentDays === undefined ? Number.POSITIVE_INFINITY : recentFrom(subjects, recentDays),
    };
  }

  async run(): Promise<SubjectTraces> {
    const { subjects, names, request, replays, reader } = this;
    const { traces, accounts, goesThrough } = await this.traceToAccomplices();
    // Each stage is as whole as what was read until its end: later ones spoil none before them.
    const isLate = reader.isLate;
    const ruled = await this.traceByRules(goesThrough);
    const isLateByRules = reader.isLate;
    // Last, so that it takes nothing of the time and room of money.
    const unpriced = await this.traceUnpriced();
    const unordered = new Set([...replays.values()].flatMap((replay) => [...replay.unordered]));
    const whole = (trace: Trace, direction: Direction) => this.withOwnEnds(trace, { direction, unordered, isLate });
    for (const name of names) traces[name] = whole(traces[name], directionOf(name));
    const account = { received: traces.received, sent: traces.sent };
    for (const { direction, trace } of accounts) account[direction] = whole(trace, direction);
    const byRule = new Map((request.rules ?? []).map((rule) => [rule, { received: NOTHING, sent: NOTHING }]));
    for (const { rule, direction, search } of ruled)
      byRule.get(rule)![direction] = this.withOwnEnds(search.result(), {
        ...{ direction, unordered },
        isLate: isLateByRules,
      });
    return { subjects, ...traces, account, byRule, unpriced, unordered };
  }

  /** Traces until no new accomplice is found, where money ends there. Each further trace ends nearer, mostly at open addresses. */
  private async traceToAccomplices(): Promise<TracesOnce> {
    const { request, reader, keys, replays } = this;
    let traced = await this.traceThroughReports();
    if (!request.endsAtAccomplices) return traced;
    await reader.openPaidBeside();
    await reader.openSendersOfSold();
    await reader.learnSigners();
    for (let i = 0; i < ACCOMPLICE_ROUNDS && (await reader.learnAccomplices(keys)); i++) {
      replays.clear();
      traced = await this.traceThroughReports();
    }
    return traced;
  }

  /** Traces through the reports that give way; to all of them first. */
  private async traceThroughReports(): Promise<TracesOnce> {
    const { reports } = this.reader;
    const plain = await this.traceOnce();
    if (!endsAtReports(plain.traces, reports)) return plain;
    const giving = new Set<string>();
    // Both: money that goes on to a listed party over one report leaves others that lead to a certain one.
    const tried: { beyond: TracesOnce; met: ReadonlySet<string> }[] = [];
    for (const ends of reports.certain.size > 0 ? [NO_ONE, reports.certain] : [NO_ONE]) {
      const { goesThrough, met } = throughAll(reports, ends);
      const beyond = await this.traceOnce(goesThrough);
      for (const name of givingWay(beyond.traces, met, reports)) giving.add(name);
      tried.push({ beyond, met });
    }
    if (giving.size === 0) return plain;
    const known = tried.find(({ met }) => met.size === giving.size && [...met].every((name) => giving.has(name)));
    const through = known?.beyond ?? (await this.traceOnce(throughThese(giving)));
    // Rather the trace that had its time.
    return isCut(through.traces) ? plain : through;
  }

  private async traceOnce(goesThrough?: GoesThrough): Promise<TracesOnce> {
    const { directions, exchanges = 'listed' } = this.request;
    const plain = this.names.map((name) => {
      const options = { withPaths: name === 'reached', leavesOutExchanges: exchanges === 'in_account' };
      return { name, ...this.begin(directionOf(name), { goesThrough, ...options }) };
    });
    const inAccount = exchanges === 'both' ? directions : [];
    const accounts = inAccount
      .map((direction) => this.begin(direction, { goesThrough, leavesOutExchanges: true }))
      .filter(({ search }) => search.exchangedUsd > 0);
    await this.advance([...plain, ...accounts]);
    const traces = { received: NOTHING, sent: NOTHING, reached: NOTHING };
    for (const { name, search } of plain) traces[name] = search.result();
    const ended = accounts.map(({ direction, search }) => ({ direction, trace: search.result() }));
    return { traces, accounts: ended, goesThrough };
  }

  /** Traces by each rule that was asked for; by all of them the money ends at the same parties. */
  private async traceByRules(goesThrough: GoesThrough | undefined): Promise<(RunningTrace & { rule: Rule })[]> {
    const { directions, rules = [], exchanges = 'listed' } = this.request;
    const leavesOutExchanges = exchanges !== 'listed';
    const ruled = directions.flatMap((direction) =>
      rules.map((rule) => {
        const options = { goesThrough, rule, withPaths: rule === 'poison', leavesOutExchanges };
        return { rule, ...this.begin(direction, options) };
      }),
    );
    await this.advance(ruled);
    return ruled;
  }

  private async traceUnpriced(): Promise<Record<Direction, Trace>> {
    const { request, reader, keys, replays } = this;
    const unpriced = { received: NOTHING, sent: NOTHING };
    for (let i = 0; request.withUnpriced && i <= ACCOMPLICE_ROUNDS; i++) {
      const searches = request.directions.flatMap((direction) => {
        const own = unpricedOf([...this.subjects.values()], this.ownIn(direction));
        return own.length > 0 ? [this.begin(direction, { own, limit: UNPRICED.limit })] : [];
      });
      await this.advance(searches);
      for (const { direction, search } of searches) {
        const trace = search.result();
        unpriced[direction] = reader.isLate ? withOwnEnd(trace, [...keys][0]!, 'time_budget', 0) : trace;
      }
      if (searches.length === 0 || !request.endsAtAccomplices || !(await reader.learnAccomplices(keys))) break;
      replays.clear();
    }
    return unpriced;
  }

  private begin(direction: Direction, { own, goesThrough, ...options }: TraceChoice): RunningTrace {
    const { maxHops, maxHopsReceived = maxHops } = this.request;
    const search = new Search(this.histories, own ?? this.ownIn(direction), {
      ...this.options,
      direction,
      hopsMax: direction === 'received' ? maxHopsReceived : maxHops,
      goesOn: goesThrough && ((address) => goesThrough(direction, address)),
      ...options,
    });
    return { direction, search };
  }

  private async advance(searches: readonly RunningTrace[]): Promise<void> {
    const pause = timeSlices();
    for (;;) {
      const waiting = searches
        .map(({ direction, search }) => ({ direction, keys: search.wanted() }))
        .filter(({ keys }) => keys.length > 0);
      if (waiting.length === 0) break;
      const answers = await this.reader.open(waiting);
      for (const { direction, search } of searches) {
        search.advance(answers[direction]);
        do await pause();
        while (search.visit(VISITS_AT_ONCE));
      }
    }
  }

  /** The own transfers of all subjects that are followed. */
  private ownIn(direction: Direction): TracedTransfer[] {
    const { follows, own = this.keys } = this.request;
    return [...this.subjects.values()].flatMap((subject) => ownTransfers(subject, { keys: own, direction, follows }));
  }

  /** Adds to a trace what was not read of the subjects themselves, and why its ways are not sure. */
  private withOwnEnds(
    trace: Trace,
    { direction, unordered, isLate }: { direction: Direction; unordered: ReadonlySet<string>; isLate: boolean },
  ): Trace {
    const { subjects, reader, request } = this;
    const [first = ''] = this.keys;
    let whole = trace;
    for (const [key, subject] of subjects) {
      whole = withUnlisted(whole, { key, subject, direction, isWhole: request.follows === undefined });
      whole = withUnreadCrossings(whole, { key, subject, direction });
    }
    if (isLate) whole = withOwnEnd(whole, first, 'time_budget', 0);
    const ends = [...trace.parties, ...trace.ends];
    const isCut = ({ transfer }: FlowPortion) => reader.rounds.cut.has(transactionName(transfer));
    if (usdPassing(ends, isCut) > 0) whole = withOwnEnd(whole, first, 'transaction_budget', 0);
    if (usdPassing(ends, ({ transfer }) => unordered.has(transfer.id)) > 0)
      whole = withOwnEnd(whole, first, 'order_unknown', 0);
    if (usdPassing(ends, isStaked) > 0) whole = withOwnEnd(whole, first, 'contract', 0);
    return whole;
  }
}

/** The subjects as the reader opened them, and the bridges at which a trace crosses chains. */
interface OpenedSubjects {
  keys: ReadonlySet<string>;
  subjects: ReadonlyMap<string, OpenedSubject>;
  protocols: Awaited<ReturnType<TraceContext['bridges']['protocols']>>;
  reader: GraphReader;
}

/** Options of one trace, where they differ from those that all of its request have. */
interface TraceChoice extends Partial<Pick<TraceOptions, 'withPaths' | 'leavesOutExchanges' | 'rule' | 'limit'>> {
  /** Own transfers that are followed; default: all that the request follows. */
  own?: readonly TracedTransfer[];
  goesThrough?: GoesThrough | undefined;
}

function directionOf(name: Direction | 'reached'): Direction {
  return name === 'received' ? 'received' : 'sent';
}

const NO_HISTORY: TracedSubject = { received: [], sent: [], fees: new Map(), reading: NOT_READ };
const UNLABELLED: AddressLabel = { category: null, label: null };

/**
 * Returns the moment (epoch ms) that many days before the last transfer of the subjects, dust apart: anybody may send that. Never where not
 * all transfers are listed: a part of the recent ones says nothing of their share.
 */
function recentFrom(subjects: ReadonlyMap<string, OpenedSubject>, days: number): number {
  let last = 0;
  for (const { received, sent, unlisted } of subjects.values()) {
    if (unlisted.received + unlisted.sent > 0) return Number.POSITIVE_INFINITY;
    for (const { at } of sent) last = Math.max(last, at);
    for (const { at, usd } of received) if (usd >= DUST_BELOW_USD) last = Math.max(last, at);
  }
  return last - days * DAY_MS;
}

/** Transfers of a subject with other parties that are to be followed, without wrapping and unwrapping. */
function ownTransfers(
  subject: GraphAddress,
  { keys, direction, follows }: { keys: ReadonlySet<string>; direction: Direction; follows?: TraceRequest['follows'] },
): TracedTransfer[] {
  return subject[direction].filter((transfer) => {
    const other = farEnd(transfer, direction);
    return !keys.has(other) && !changesForm(transfer, other) && (follows?.(transfer) ?? true);
  });
}

/**
 * Returns the own transfers without a price, those of assets that the subjects moved both ways first; each asset is worth one US dollar.
 * Leaves out collectibles that only came: anybody sends such.
 */
function unpricedOf(subjects: readonly GraphAddress[], own: readonly TracedTransfer[]): TracedTransfer[] {
  const byAsset = groupBy(
    own.filter(({ priced, amount }) => !priced && Number(amount) > 0),
    ({ assetId }) => assetId,
  );
  if (byAsset.size === 0) return [];
  const movedBoth = bothWays(subjects);
  const chosen = [...byAsset]
    .filter(([assetId]) => movedBoth.has(assetId) || !assetId.includes('#'))
    .sort(([a], [b]) => Number(movedBoth.has(b)) - Number(movedBoth.has(a)));
  return chosen.slice(0, UNPRICED.assets).flatMap(([, transfers]) => {
    const whole = transfers.reduce((sum, { amount }) => sum + Number(amount), 0);
    return transfers.map((one) => ({ ...one, usd: Number(one.amount) / whole, priced: true }));
  });
}

/** The assets that subjects received and sent. */
function bothWays(subjects: readonly GraphAddress[]): ReadonlySet<string> {
  const sent = new Set(subjects.flatMap((subject) => subject.sent.map(({ assetId }) => assetId)));
  return new Set(
    subjects.flatMap((subject) => subject.received.flatMap((one) => (sent.has(one.assetId) ? [one.assetId] : []))),
  );
}

interface OwnEnds {
  key: string;
  subject: GraphAddress;
  direction: Direction;
}

/** Adds the money of transfers that were not read (the subject has too many) as unattributed; of a part of them, the reason. */
function withUnlisted(traced: Trace, { key, subject, direction, isWhole }: OwnEnds & { isWhole: boolean }): Trace {
  const listedUsd = subject[direction].reduce((sum, { usd }) => sum + usd, 0);
  const unlistedUsd = subject.totals[direction].usd - listedUsd;
  return unlistedUsd <= 1e-9 * listedUsd ? traced : withOwnEnd(traced, key, 'limit', isWhole ? unlistedUsd : 0);
}

/** Says that other transfers of the subject may be sides of crossings, where it has more of them than were read. */
function withUnreadCrossings(traced: Trace, { key: address, subject, direction }: OwnEnds): Trace {
  if (!subject.hasUnreadCrossings[direction]) return traced;
  const reason = 'hub_not_expanded' as const;
  const usd = subject[direction].reduce((sum, transfer) => sum + (transfer.bridge ? 0 : transfer.usd), 0);
  const entry = { address, direction, hop: 0, usd, reason, around: null, bridge: null };
  return { ...withOwnEnd(traced, address, reason, 0), frontier: [entry, ...traced.frontier] };
}
