import type { ChainSource } from '../../../chains/port.ts';
import type { Context } from '../../../context.ts';
import { SourceError } from '../../../errors.ts';
import { parseAddressKey } from '../../../graph/address-key.ts';
import { withDeadline } from '../../deadline.ts';
import { type MoneyTraces, type ReadBy, traceMoney } from '../trace-money.ts';
import { chooseNext, type ExpansionBudget, type NextAddress, nameOf } from './choose-next.ts';
import { type OpenedByTrace, openAddress } from './open-address.ts';

/** Addresses of a chain that are read at once. */
const AT_ONCE = 4;
/** Part of the best's share from which an address is opened together with it. */
const COMPARABLE = 0.25;
/** A source that fails for so many addresses is not asked further. */
const FAILURES_MAX = 4;
/** One address may take so long. */
const ADDRESS_MS = 60_000;
/** Addresses that the trace between two rounds follows at each hop, and its time. */
const TRACE = { limit: 100, budgetMs: 5_000 };

export interface ExpansionRequest {
  /** The subject. */
  key: string;
  /** Its own history is opened too where it was not read. */
  withSubject: boolean;
  budget: ExpansionBudget;
  /** What counts as read for the caller. */
  readBy: ReadBy;
  /** What an earlier attempt opened. */
  already?: readonly OpenedByTrace[];
  /** Ends the expansion with its own reason. */
  signal: AbortSignal;
  /** Nothing is opened later. */
  timeMs: number;
  /** True once nothing more shall begin. */
  stopping?: () => boolean;
  /** Keeps what a round opened before the next one begins. */
  keep: (opened: readonly OpenedByTrace[], traces: MoneyTraces) => Promise<void>;
}

export interface Expansion {
  /** Of this attempt. Those with `reason` `source_failed` could not be read. */
  opened: OpenedByTrace[];
  /** Why there may be more to open: `time_budget`, `address_budget`, `source_failed`, `not_readable`. */
  reasons: Set<string>;
  traces: MoneyTraces;
}

/**
 * Reads what a trace is missing, best first: trace, open the addresses that hold most, trace again, until nothing
 * worth opening is left or a budget is used up. A failed source is a reason. Throws GraphError, and what `signal` says.
 */
export async function expand(ctx: Context, request: ExpansionRequest): Promise<Expansion> {
  const { key, budget, already = [], signal, readBy, keep } = request;
  const deadline = performance.now() + request.timeMs;
  const { chain } = parseAddressKey(key);
  const source = await ctx.chainSource(chain);
  const tried = new Set(already.map(({ address, direction }) => nameOf({ key: `${chain}:${address}`, direction })));
  const opened: OpenedByTrace[] = [];
  const reasons = new Set<string>();
  let left = budget.addresses - already.filter(isOpened).length;
  let failures = 0;
  for (;;) {
    const { directions, maxHops } = budget;
    const traces = await traceMoney(ctx, key, { directions, maxHops, readBy, ...TRACE });
    signal.throwIfAborted();
    const chosen = chooseNext(traces, {
      ...budget,
      key,
      withSubject: request.withSubject,
      tried,
      lists: source?.lists ?? [],
      readSince: ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000,
    });
    for (const reason of chosen.reasons) reasons.add(reason);
    const stop = reasonToStop({ next: chosen.next, source, left, failures, late: performance.now() >= deadline });
    if (stop !== null) {
      if (stop !== 'done') reasons.add(stop);
      return { opened, reasons, traces };
    }
    if (request.stopping?.()) return { opened, reasons, traces };
    const round = nextRound(chosen.next).slice(0, left);
    for (const next of round) tried.add(nameOf(next));
    const remainingMs = Math.max(1, deadline - performance.now());
    const results = await Promise.all(round.map((next) => openOrReason(ctx, source!, next, { signal, remainingMs })));
    signal.throwIfAborted();
    const done = results.filter((result) => result.reason !== 'time_budget');
    if (done.length < results.length) reasons.add('time_budget');
    failures += done.filter((result) => !isOpened(result)).length;
    if (failures > 0) reasons.add('source_failed');
    left -= done.filter(isOpened).length;
    opened.push(...done);
    await keep(done, traces);
  }
}

/** The best, and others at once that hold nearly as much: what lies behind the best may be better than these. */
function nextRound(next: readonly NextAddress[]): NextAddress[] {
  const least = (next[0]?.share ?? 0) * COMPARABLE;
  return next.filter(({ share }) => share >= least).slice(0, AT_ONCE);
}

/** False for an address whose source failed: it costs nothing. */
export function isOpened({ reason }: OpenedByTrace): boolean {
  return reason !== 'source_failed';
}

function reasonToStop(state: {
  next: readonly NextAddress[];
  source: ChainSource | null;
  left: number;
  failures: number;
  late: boolean;
}): string | null {
  if (state.next.length === 0) return 'done';
  if (!state.source) return 'not_readable';
  if (state.left <= 0) return 'address_budget';
  if (state.failures >= FAILURES_MAX) return 'source_failed';
  return state.late ? 'time_budget' : null;
}

async function openOrReason(
  ctx: Context,
  source: ChainSource,
  next: NextAddress,
  { signal, remainingMs }: { signal: AbortSignal; remainingMs: number },
): Promise<OpenedByTrace> {
  const { address, chain } = parseAddressKey(next.key);
  const { hop, direction, usd } = next;
  const ms = Math.min(ADDRESS_MS, remainingMs);
  // The end of all time for the expansion is not the source's fault.
  const late = new SourceError(chain, `no answer within ${ms} ms`);
  try {
    return await withDeadline({ ms, tooLate: () => late, signal }, (bounded) =>
      openAddress(ctx, source, next, bounded),
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof SourceError)) throw error;
    const reason = error === late && ms === remainingMs ? 'time_budget' : 'source_failed';
    if (reason === 'source_failed') ctx.log.warn({ chain, err: error }, 'an address could not be opened');
    return { address, hop, direction, usd, transfers: 0, complete: false, reason };
  }
}
