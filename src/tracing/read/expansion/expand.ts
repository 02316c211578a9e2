import type { AddressHistory, ChainSource } from '../../../chains/port.ts';
import type { Context, SourceContext } from '../../../context.ts';
import { addressKey, parseAddressKey } from '../../../domain/address/address-key.ts';
import { append } from '../../../domain/append.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import { OverloadError, SourceError } from '../../../errors.ts';
import { withDeadline } from '../../../fairness/deadline.ts';
import { readAtMost, type ScanSlot } from '../../../fairness/scan-slots.ts';
import { poolsStrangers } from '../../engine/contract-account.ts';
import { isRelay } from '../../engine/walk/distances.ts';
import { chooseNext, type ExpansionBudget, type NextAddress, nextAddressName } from '../frontier.ts';
import { ingestHistory, isBusyAddress, isContract, knownBalances, labelsOfHistory } from '../ingest-history.ts';
import { asksSources, countdown, type ReadingInquiry } from '../inquiry.ts';
import { type MoneyTraces, type TraceRequest, traceMoney } from '../trace-money.ts';
import { PayerSearch } from './ask-payers.ts';
import { BridgeSearch } from './cross-bridges.ts';

/** Most addresses read concurrently in one round. */
const AT_ONCE = 4;
/** Steps of each way that a round begins, for which the rest of the budget must do. */
const STEPS_KEPT = 5;
/** Each such round takes the nearest addresses: a way that goes on and on does not take the budget of all others. */
const NEAREST_EACH = 3;
/** A relay of so much of its direction's money costs none of the budget: what many wallets pass on in small parts does. */
const RELAYED_SHARE = 0.05;
/** An address joins the round if its share is at least this part of the best one's share. */
const COMPARABLE = 0.25;
/** After this many failed addresses the expansion gives up on the source. */
const FAILURES_MAX = 4;
/** Timeout for one address. */
const ADDRESS_MS = 60_000;
/** Limits of the trace before each round. */
const TRACE: TracedRounds = { limit: 100, traceMs: 5_000 };

type TracedRounds = Omit<TraceRequest, 'directions' | 'maxHops'> & {
  directions?: TraceRequest['directions'];
  traceMs: number;
};

export interface ExpansionRequest {
  /** The subject. */
  key: string;
  /** Also opens the subject's own history if it was not read. */
  withSubject: boolean;
  budget: ExpansionBudget;
  /** The trace before each round; default: 100 addresses a hop and 5 s, in the directions of the budget. */
  traced?: TracedRounds;
  /** True for a fresh scan: what contradicts itself is read again. */
  readsAgain?: boolean | undefined;
  /** Epoch ms: readings before this moment are continued; default: as long as scans are kept. */
  readSince?: number | undefined;
  /** Addresses that an earlier attempt expanded. */
  already?: readonly ExpandedAddress[];
  /** True once the process is stopping: no further round begins. */
  stopping?: () => boolean;
  /** Keeps what a round opened before the next one begins. */
  keep: (opened: readonly ExpandedAddress[], before: RoundStart) => Promise<void>;
}

/** State of the trace when a round began. */
interface RoundStart {
  traces: MoneyTraces;
  /** Addresses worth opening that the round left for later ones. */
  waiting: number;
}

export interface Expansion {
  /** Addresses of this attempt. Those with `reason` `source_failed` could not be read. */
  opened: ExpandedAddress[];
  /** Why there may be more to open: `time_budget`, `address_budget`, `source_failed`, `not_readable`. */
  reasons: Set<string>;
  /** Traces of the graph as the expansion leaves it. */
  traces: MoneyTraces;
}

/**
 * Reads what a trace is missing, best first: trace, open the addresses that hold most, trace again, until nothing
 * worth opening is left or a budget is used up. No address is opened after the deadline. A source failure does not throw;
 * it is among the `reasons`. Throws GraphError, and the reason of the signal.
 */
export async function expand(ctx: Context & ReadingInquiry, request: ExpansionRequest): Promise<Expansion> {
  const { key, budget, traced: { traceMs, ...traced } = TRACE, already = [], keep } = request;
  const { signal, remainingMs } = ctx;
  const subject = parseAddressKey(key);
  const bridges = new BridgeSearch(ctx, budget);
  const payers = new PayerSearch(ctx, budget);
  const tried = new Set(
    already.map(({ chain = subject.chain, address, direction }) =>
      nextAddressName({ key: addressKey(chain, address), direction }),
    ),
  );
  const opened: ExpandedAddress[] = [];
  const reasons = new Set<string>();
  if (already.some(({ reason }) => reason === 'source_failed')) reasons.add('source_failed');
  const left = { ...budget.addresses };
  let relaysLeft = budget.relays ?? 0;
  /** Opened by the last round; the next trace shows which of them are relays. */
  let maybeRelays: NextAddress[] = [];
  for (const one of already.filter(isOpened)) take(left, one);
  let failures = 0;
  let rounds = 0;
  for (;;) {
    const { directions, maxHops } = budget;
    const timed = { ...ctx, remainingMs: countdown(traceMs) };
    const traces = await traceMoney(timed, [key], { directions, maxHops, ...traced });
    signal.throwIfAborted();
    for (const { key, direction, around } of maybeRelays) {
      const known = traces.opened.get(key);
      if (relaysLeft <= 0 || !known || !around || !isRelay(known, around.assetId)) continue;
      relaysLeft -= 1;
      take(left, { direction }, -1);
    }
    maybeRelays = [];
    const isLate = remainingMs() <= 0 || request.stopping?.();
    if (!isLate && (await bridges.search(traces))) continue;
    if (!isLate && (await payers.search(traces))) continue;
    for (const reason of bridges.reasons) reasons.add(reason);
    const sources = await sourcesOf(ctx, traces, directions, key);
    const chosen = chooseNext(traces, {
      ...budget,
      key,
      withSubject: request.withSubject,
      tried,
      listsOf: (chain) => sources.get(chain)?.lists ?? [],
      readSince: Math.max(request.readSince ?? 0, ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000),
      readsAgain: request.readsAgain,
    });
    for (const reason of chosen.reasons) reasons.add(reason);
    const next = chosen.next.filter(({ direction }) => left[direction] > 0);
    if (next.length < chosen.next.length) reasons.add('address_budget');
    const stop = reasonToStop({ next, sources, left: left.total, failures, late: remainingMs() <= 0 });
    if (stop !== null) {
      if (stop !== 'done') reasons.add(stop);
      return { opened, reasons, traces };
    }
    if (request.stopping?.()) return { opened, reasons, traces };
    rounds += 1;
    const round = nextRound(next, left, rounds % NEAREST_EACH === 0 ? Math.min : Math.max);
    for (const next of round) tried.add(nextAddressName(next));
    const results = await Promise.all(
      round.map((next) => {
        const source = sources.get(parseAddressKey(next.key).chain) as ChainSource;
        return openOrReason(ctx, source, next);
      }),
    );
    signal.throwIfAborted();
    const done = results.filter((result) => result.reason !== 'time_budget');
    if (done.length < results.length) reasons.add('time_budget');
    failures += done.filter((result) => !isOpened(result)).length;
    if (failures > 0) reasons.add('source_failed');
    for (const one of done.filter(isOpened)) take(left, one);
    maybeRelays = round.filter(
      ({ share }, i) => share >= RELAYED_SHARE && done.includes(results[i]!) && isOpened(results[i]!),
    );
    append(opened, done);
    await keep(done, { traces, waiting: chosen.next.length - round.length });
  }
}

/** The sources of all chains on which the trace has something to read. */
export async function sourcesOf(
  ctx: SourceContext,
  traces: MoneyTraces,
  directions: readonly Direction[],
  key: string,
): Promise<Map<Chain, ChainSource>> {
  const keys = [key, ...directions.flatMap((direction) => traces[direction].frontier.map(({ address }) => address))];
  const sources = new Map<Chain, ChainSource>();
  for (const chain of new Set(keys.map((one) => parseAddressKey(one).chain))) {
    const source = await ctx.chainSource(chain);
    if (source) sources.set(chain, source);
  }
  return sources;
}

/**
 * The furthest, or nearest, of the addresses of comparable share: of many payers alike, a few ways that are followed to their end say whose
 * money it is, where a first step to each says nothing. The others wait: opening the best may reveal better ones.
 */
function nextRound(
  next: readonly NextAddress[],
  budget: ExpansionBudget['addresses'],
  pick: (...hops: number[]) => number,
): NextAddress[] {
  const least = (next[0]?.share ?? 0) * COMPARABLE;
  const comparable = next.filter(({ share, direction }) => share >= least && budget[direction] > 0);
  // The subject goes first.
  const picked = comparable[0]?.hop === 0 ? 0 : pick(...comparable.map(({ hop }) => hop));
  const left = { ...budget };
  const round: NextAddress[] = [];
  for (const one of comparable) {
    const most = Math.min(AT_ONCE, Math.ceil(budget[one.direction] / STEPS_KEPT));
    if (one.hop !== picked || round.length >= most || left.total <= 0 || left[one.direction] <= 0) continue;
    take(left, one);
    round.push(one);
  }
  return round;
}

function take(left: ExpansionBudget['addresses'], { direction }: { direction: Direction }, count = 1): void {
  left.total -= count;
  left[direction] -= count;
}

/** False if the source failed: such an address does not count against the budget. */
export function isOpened({ reason }: ExpandedAddress): boolean {
  return reason !== 'source_failed';
}

function reasonToStop(state: {
  next: readonly NextAddress[];
  sources: ReadonlyMap<Chain, ChainSource>;
  left: number;
  failures: number;
  late: boolean;
}): string | null {
  if (state.next.length === 0) return 'done';
  if (!state.next.every(({ key }) => state.sources.has(parseAddressKey(key).chain))) return 'not_readable';
  if (state.left <= 0) return 'address_budget';
  if (state.failures >= FAILURES_MAX) return 'source_failed';
  return state.late ? 'time_budget' : null;
}

async function openOrReason(
  ctx: Context & ReadingInquiry,
  source: ChainSource,
  next: NextAddress,
): Promise<ExpandedAddress> {
  const { address, chain } = parseAddressKey(next.key);
  const { hop, direction, usd } = next;
  const { accountId, slot: outerSlot, signal: outer } = ctx;
  const remainingMs = Math.max(1, ctx.remainingMs());
  const ms = Math.min(ADDRESS_MS, remainingMs);
  // Distinguishes the source's timeout from the expansion running out of its own time.
  const late = new SourceError(chain, `no answer within ${ms} ms`);
  const noSlot = new SourceError(chain, `no place for a history within ${ms} ms`);
  const subject = outerSlot?.subject ?? next.key;
  const tooLate = () => (ctx.scanSlots.isWaiting(subject) ? noSlot : late);
  try {
    return await withDeadline({ ms, tooLate, signal: outer }, (signal) => {
      const open = (slot: ScanSlot) => expandAddress({ ...ctx, slot, signal }, source, next);
      if (outerSlot) return open(outerSlot);
      return ctx.scanSlots.run({ id: accountId, subject, signal }, open);
    });
  } catch (error) {
    const isRefused = error instanceof OverloadError;
    if (outer.aborted || !(error instanceof SourceError || isRefused)) throw error;
    const isOutOfTime = isRefused || error === noSlot || (error === late && ms === remainingMs);
    const reason = isOutOfTime ? 'time_budget' : 'source_failed';
    if (reason === 'source_failed') ctx.log.warn({ chain, err: error }, 'an address could not be opened');
    return { address, chain, hop, direction, usd, transfers: 0, complete: false, reason };
  }
}

/** An address that an expansion opened, or could not open. */
export interface ExpandedAddress {
  address: string;
  /** Left out by traces of earlier versions, which stayed on the chain of their subject. */
  chain?: Chain;
  hop: number;
  direction: Direction;
  usd: number;
  /** Transfers that the reading gave; 0 where an earlier one served. */
  transfers: number;
  /** All that the trace needs of it is known: its history before the payment, or after the receipt and what it held then. */
  complete: boolean;
  /** Why it is not opened, or not to its end; null otherwise. */
  reason: string | null;
}

/** Pages of each list that are read around a transfer. */
const PAGES = 3;

/** Reads one address where the trace needs it and brings it into the graph. Throws what its source throws. */
async function expandAddress(
  ctx: Context & ReadingInquiry & { slot: ScanSlot },
  source: ChainSource,
  next: NextAddress,
): Promise<ExpandedAddress> {
  const { slot, signal } = ctx;
  const inBackground = { ...asksSources(ctx), inBackground: true };
  const { key, hop, direction, usd, around, served, knowsBefore, isReadInPart } = next;
  const { chain, address } = parseAddressKey(key);
  const opened = { address, chain, hop, direction, usd, transfers: 0 };
  if (served) return { ...opened, complete: knowsBefore, reason: knowsBefore ? null : 'partial_history' };
  const readAt = ctx.now();
  const way = direction === 'received' ? 'backward' : 'forward';
  const history = await slot.read((transfersMax) =>
    readAtMost(transfersMax, signal, (bounds) => {
      const options = { ...inBackground, ...bounds };
      if (around === null) return source.history(address, options);
      return source.historyAround(address, { ...around, direction: way, pages: PAGES }, options);
    }),
  );
  const transfers = history.transfers.length;
  const isHub = isBusyAddress(history);
  if (!isHub || hop === 0) await ctx.prices.price(history.transfers, signal);
  const isPool =
    isContract(history.addressType) && (isHub || poolsStrangers(history.transfers.filter(({ to }) => to === address)));
  // Ends of a trace: that they are contracts or hubs is all that the graph needs to know. Only where it holds a part of a
  // pool's history, in which few pay, it needs this part too.
  const end = isPool ? 'contract_not_expanded' : isHub ? 'hub_not_expanded' : null;
  const isAllNeeded = !end || hop === 0 || (isReadInPart && !isHub);
  const kept: AddressHistory = isAllNeeded ? history : { ...history, transfers: [], read: [] };
  const labels = await labelsOfHistory(ctx, chain, address, kept);
  signal.throwIfAborted();
  const lookUp = (txHash: string) => source.transaction(txHash, inBackground);
  const reading = { history: kept, readAt, whole: around === null, lookUp };
  await ingestHistory(ctx, chain, address, reading, labels);
  if (end && hop > 0) return { ...opened, transfers, complete: false, reason: end };
  const reason = whatIsMissing(history, next, source, readAt);
  return { ...opened, transfers, complete: reason === null, reason };
}

/** Null where the reading reached its end and what the address held before is known. */
function whatIsMissing(
  history: AddressHistory,
  { around, direction, knowsBefore }: NextAddress,
  { lists, chain }: ChainSource,
  readAt: number,
): string | null {
  const { read, coverage } = history;
  const cut = coverage.reasons[0] ?? 'page_limit';
  if (around === null) return coverage.complete ? null : cut;
  const fromBeginning = read.filter(({ from }) => from === 0).length === lists.length;
  if (direction === 'received') return fromBeginning ? null : cut;
  if (read.filter(({ to }) => to === null).length < lists.length) return cut;
  const isStated = knownBalances(chain, history, readAt).some(
    ({ asset, at }) => asset === around.assetId && at === around.at,
  );
  return fromBeginning || knowsBefore || isStated ? null : 'partial_history';
}
