import type { Context } from '../../context.ts';
import type { CrossingPolicy } from '../../domain/bridges/crossing.ts';
import type { Direction } from '../../domain/tracing/carried.ts';
import { changesForm, type Replay } from '../../domain/tracing/replay.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { EndReason } from '../../domain/tracing/walk/ends.ts';
import { type AddressLabel, type OpenedAddress, type Trace, withOwnEnd } from '../../domain/tracing/walk/findings.ts';
import { trace } from '../../domain/tracing/walk/trace.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { Graph } from '../../graph/port.ts';
import {
  type GraphAddress,
  HUB_ADDRESS,
  isHub,
  openAddresses,
  openSubject,
  type Wanted,
} from '../../graph/queries/exposure.ts';
import { nullOnTimeout } from './null-on-timeout.ts';

/** Time budget of one trace; money not traced by then is unattributed. */
export const TRACE_BUDGET_MS = 10_000;
/** Most transfers read from the graph for one trace. */
const ROW_BUDGET = 400_000;

/** Steps that a trace visits without a pause: about a millisecond. */
const VISITS_AT_ONCE = 200;

export interface TraceRequest {
  directions: readonly Direction[];
  maxHops: number;
  /** Addresses opened for each hop and direction. */
  limit: number;
  budgetMs?: number;
  rowBudget?: number;
  /** Also searches `reached`. */
  withPaths?: boolean;
  readBy?: ReadBy;
  /** Which bridges the money is followed over; left out: those whose two sides state the same message. */
  policy?: CrossingPolicy;
  /** Which of the subject's own transfers are followed; left out: all. */
  follows?: (transfer: TracedTransfer) => boolean;
}

/** Returns the keys that the caller's own scans or traces have read. Without it every address counts as such. */
export type ReadBy = (keys: string[]) => Promise<ReadonlySet<string>>;

export interface MoneyTraces {
  /** By key, without those that the graph does not know; empty where the time was up. */
  subjects: ReadonlyMap<string, OpenedSubject>;
  received: Trace;
  sent: Trace;
  /** Like `sent`, with the ends that a path in time order leads to, even if none of the money does. */
  reached: Trace;
  /** Every address that was opened, the subject among them. */
  opened: ReadonlyMap<string, GraphAddress>;
  labels: Map<string, AddressLabel>;
  /** Addresses behind the subject that were read from their chain, as far as the caller may know. */
  readAddresses: ReadonlySet<string>;
}

type OpenedSubject = GraphAddress & { isReadKnown: boolean };

const NOTHING: Trace = {
  totalUsd: 0,
  parties: [],
  ends: [],
  left: new Map(),
  throughUnreadUsd: 0,
  likelyUsd: 0,
  frontier: [],
  passes: [],
};

/**
 * Traces an address, or several as one party, through the graph: received money back to where it came from, sent money
 * on to where it went. Money that the time and transfer budgets leave untraced is unattributed. Throws GraphError.
 */
export async function traceMoney(
  ctx: Pick<Context, 'graph' | 'now' | 'config'>,
  asked: string | readonly string[],
  request: TraceRequest,
): Promise<MoneyTraces> {
  const keys = new Set(typeof asked === 'string' ? [asked] : asked);
  const reader = new GraphReader(ctx, request);
  const subjects = await reader.openSubjects(keys);
  const { labels, opened } = reader;
  const [first = ''] = keys;
  const nothing = (reason: EndReason | null) => (reason ? withOwnEnd(NOTHING, first, reason, 0) : NOTHING);
  if (subjects === 'late' || subjects.size === 0) {
    const reason = subjects === 'late' ? 'time_budget' : null;
    return {
      subjects: new Map(),
      received: nothing(reason),
      sent: nothing(reason),
      reached: nothing(reason),
      opened,
      labels,
      readAddresses: reader.readAddresses,
    };
  }
  const heldSince = ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000;
  const { maxHops: hopsMax, limit, follows } = request;
  const replays = new Map<string, Replay>();
  const begin = (name: 'received' | 'sent' | 'reached') => {
    const direction: Direction = name === 'received' ? 'received' : 'sent';
    const labelOf = (address: string) => labels.get(address) ?? UNLABELLED;
    const options = { direction, hopsMax, limit, labelOf, heldSince, withPaths: name === 'reached', replays };
    const own = [...subjects.values()].flatMap((subject) => ownTransfers(subject, { keys, direction, follows }));
    return { name, direction, search: trace(keys, own, options) };
  };
  const searches = [...request.directions.map(begin), ...(request.withPaths ? [begin('reached')] : [])];
  const pause = timeSlices();
  // The searches advance together, so that one graph query opens the addresses of a hop for all.
  for (;;) {
    const waiting = searches
      .map(({ direction, search }) => ({ direction, keys: search.wanted() }))
      .filter(({ keys }) => keys.length > 0);
    if (waiting.length === 0) break;
    const answers = await reader.open(waiting);
    for (const { direction, search } of searches) {
      search.advance(answers?.[direction] ?? null);
      do await pause();
      while (search.visit(VISITS_AT_ONCE));
    }
  }
  const traces = { received: nothing(null), sent: nothing(null), reached: nothing(null) };
  for (const { name, direction, search } of searches) {
    let traced = search.result();
    for (const [key, subject] of subjects) {
      traced = withUnlisted(traced, { key, subject, direction, isWhole: follows === undefined });
      traced = withUnreadCrossings(traced, { key, subject, direction });
    }
    traces[name] = traced;
  }
  return { subjects, ...traces, opened, labels, readAddresses: reader.readAddresses };
}

const UNLABELLED: AddressLabel = { category: null, label: null };

/** Transfers of a subject with other parties that are to be followed, without wrapping and unwrapping. */
function ownTransfers(
  subject: GraphAddress,
  { keys, direction, follows }: { keys: ReadonlySet<string>; direction: Direction; follows?: TraceRequest['follows'] },
): TracedTransfer[] {
  return subject[direction].filter((transfer) => {
    const other = direction === 'received' ? transfer.from : transfer.to;
    return !keys.has(other) && !changesForm(transfer, other) && (follows?.(transfer) ?? true);
  });
}

interface TracedSubject {
  key: string;
  subject: GraphAddress;
  direction: Direction;
}

/** Adds the money of transfers that were not read (the subject has too many) as unattributed; of a part of them, the reason. */
function withUnlisted(
  traced: Trace,
  { key, subject, direction, isWhole }: TracedSubject & { isWhole: boolean },
): Trace {
  const listedUsd = subject[direction].reduce((sum, { usd }) => sum + usd, 0);
  const unlistedUsd = subject.totals[direction].usd - listedUsd;
  return unlistedUsd <= 1e-9 * listedUsd ? traced : withOwnEnd(traced, key, 'limit', isWhole ? unlistedUsd : 0);
}

/** Where the subject has more crossings than were read, its other transfers may be sides of them: says so. */
function withUnreadCrossings(traced: Trace, { key: address, subject, direction }: TracedSubject): Trace {
  if (!subject.hasUnreadCrossings[direction]) return traced;
  const reason = 'hub_not_expanded' as const;
  const usd = subject[direction].reduce((sum, transfer) => sum + (transfer.bridge ? 0 : transfer.usd), 0);
  const entry = { address, direction, hop: 0, usd, reason, around: null, bridge: null };
  return { ...withOwnEnd(traced, address, reason, 0), frontier: [entry, ...traced.frontier] };
}

type Answers = Record<Direction, ReadonlyMap<string, OpenedAddress>>;

/** Opens each address once from the graph, until the time or transfer budget is used up. */
class GraphReader {
  readonly labels = new Map<string, AddressLabel>();
  readonly opened = new Map<string, GraphAddress>();
  readonly readAddresses = new Set<string>();
  private readonly graph: Graph;
  private readonly request: TraceRequest;
  private readonly deadline: number;
  private readonly hubs: Record<Direction, Set<string>> = { received: new Set(), sent: new Set() };
  private readonly readByCaller = new Set<string>();
  private room: number;

  constructor(ctx: Pick<Context, 'graph'>, request: TraceRequest) {
    this.graph = ctx.graph;
    this.request = request;
    this.deadline = performance.now() + (request.budgetMs ?? TRACE_BUDGET_MS);
    this.room = request.rowBudget ?? ROW_BUDGET;
  }

  async openSubjects(keys: ReadonlySet<string>): Promise<Map<string, OpenedSubject> | 'late'> {
    const found = new Map<string, OpenedSubject>();
    for (const key of keys) {
      const subject = await this.openSubject(key);
      if (subject === 'late') return 'late';
      if (subject !== null) found.set(key, subject);
    }
    return found;
  }

  private async openSubject(key: string): Promise<OpenedSubject | null | 'late'> {
    const { policy } = this.request;
    const options = { labels: this.labels, timeoutMs: this.timeLeftMs(), policy };
    const [subject] = await Promise.all([
      openSubject(this.graph, key, options).catch((error) => nullOnTimeout(error) ?? ('late' as const)),
      this.learnReading([key]),
    ]);
    if (subject === null || subject === 'late') return subject;
    this.labels.set(key, { category: subject.category, label: null });
    this.opened.set(key, subject);
    return this.asRead(key, subject);
  }

  /** Null once no time is left. */
  async open(waiting: { direction: Direction; keys: string[] }[]): Promise<Answers | null> {
    if (performance.now() >= this.deadline) return null;
    const wanted: Wanted = new Map();
    for (const { direction, keys } of waiting) {
      for (const key of keys) {
        if (this.opened.has(key) || this.hubs[direction].has(key)) continue;
        wanted.set(key, { ...(wanted.get(key) ?? { received: false, sent: false }), [direction]: true });
      }
    }
    const { policy } = this.request;
    const options = { labels: this.labels, timeoutMs: this.timeLeftMs(), room: this.room, policy };
    const [found] = await Promise.all([
      openAddresses(this.graph, wanted, options).catch(nullOnTimeout),
      this.learnReading([...wanted.keys()]),
    ]);
    if (found === null) return null;
    for (const [key, address] of found) {
      if (address.wasRead && this.isReadKnown(key)) this.readAddresses.add(key);
      this.room -= address.received.length + address.sent.length;
      const directions = (['received', 'sent'] as const).filter((direction) => wanted.get(key)?.[direction]);
      if (address.isHub) for (const direction of directions) this.hubs[direction].add(key);
      else this.opened.set(key, address);
    }
    const answers = { received: new Map<string, OpenedAddress>(), sent: new Map<string, OpenedAddress>() };
    for (const { direction, keys } of waiting) {
      for (const key of keys) {
        const opened = this.openedFor(key, direction);
        if (opened) answers[direction].set(key, opened);
      }
    }
    return answers;
  }

  private openedFor(key: string, direction: Direction): OpenedAddress | null {
    const opened = this.opened.get(key);
    if (opened) return { ...this.asRead(key, opened), isHub: isHub(opened, direction) };
    return this.hubs[direction].has(key) ? { ...HUB_ADDRESS, isReadKnown: this.isReadKnown(key) } : null;
  }

  /** Records which of the addresses the caller may know to have been read. */
  private async learnReading(keys: string[]): Promise<void> {
    for (const key of (await this.request.readBy?.(keys)) ?? []) this.readByCaller.add(key);
  }

  /** The address as the caller may know it: what others have read is hidden, what a file holds is not. */
  private asRead(key: string, address: GraphAddress): OpenedSubject {
    if (this.isReadKnown(key)) return { ...address, isReadKnown: true };
    if (address.loaded === null) return { ...address, isReadKnown: false };
    return { ...address, reading: address.loaded, scannedAt: null, isScanComplete: false, isReadKnown: true };
  }

  private isReadKnown(key: string): boolean {
    return this.request.readBy === undefined || this.readByCaller.has(key);
  }

  private timeLeftMs(): number {
    return Math.max(1, this.deadline - performance.now());
  }
}
