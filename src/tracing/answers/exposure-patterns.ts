import type { Language } from '../../../words/language.ts';
import type { GraphContext } from '../../context.ts';
import { addressOf } from '../../domain/address/address-key.ts';
import { roundUsd } from '../../domain/amount.ts';
import { hopOf } from '../../domain/tracing/hop.ts';
import { heldIds } from '../../domain/tracing/traced-transfer.ts';
import { transferName } from '../../domain/transfers/transfer.ts';
import { GraphTimeoutError } from '../../errors.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { PatternAround } from '../../risk/assessment.ts';
import type { LaunderingPattern } from '../../risk/fields.ts';
import { describePattern, findPatterns } from '../../risk/scoring/patterns.ts';
import { nextInChain } from '../../risk/views/chain.ts';
import {
  type Neighbourhood,
  neighbourhoodOf,
  type OpenedTransfers,
  type Pattern,
} from '../../risk/views/neighbourhood.ts';
import type { Inquiry } from '../read/inquiry.ts';
import { openAddresses } from '../read/open-addresses.ts';
import type { MoneyTraces } from '../read/trace-money.ts';

/** Addresses opened a round beyond the trace, where money was passed on whole. */
const ONWARD_MAX = 10;
const ROUNDS_MAX = 8;
/** Transfers read in one round. */
const ROUND_TRANSFERS_MAX = 100_000;
const EVIDENCE_MAX = 50;

interface PatternsFound {
  patterns: LaunderingPattern[];
  /** Why there may be more; null where there are none. */
  reason: 'time_budget' | 'pattern_budget' | null;
}

type PatternContext = GraphContext & Inquiry;

/**
 * The laundering patterns around an address, from what its traces have read and a few more statements until the
 * deadline. A service has none: its traffic means nothing.
 */
export async function exposurePatterns(
  ctx: PatternContext,
  key: string,
  { traces, lang }: { traces: MoneyTraces; lang: Language },
): Promise<PatternsFound> {
  const { patterns, reason } = await findAround(ctx, key, traces);
  const shown = patterns.map(({ pattern_id, severity, flows, usd }) => ({
    pattern_id,
    ...describePattern({ pattern_id, usd, flows }, key, lang),
    severity,
    usd: roundUsd(usd),
    evidence: flows.slice(0, EVIDENCE_MAX).map((flow) => hopOf(flow, flow)),
  }));
  return { patterns: shown, reason };
}

/**
 * The same patterns for the score of a scan, and whether the deadline ended the search. What addresses of the same holder (keys)
 * pay each other builds none.
 */
export async function scanPatterns(
  ctx: PatternContext,
  key: string,
  traces: MoneyTraces,
  ownKeys: ReadonlySet<string>,
): Promise<{ patterns: PatternAround[]; timedOut: boolean }> {
  const { patterns, reason } = await findAround(ctx, key, traces, ownKeys);
  const around = patterns.map(({ pattern_id, severity, usd, flows }) => ({
    pattern_id,
    severity,
    usd: roundUsd(usd),
    flows: flows.map((flow) => ({
      id: transferName(flow),
      transfers: heldIds(flow),
      from: addressOf(flow.from),
      to: addressOf(flow.to),
      at: flow.at,
      usd: flow.usd,
    })),
  }));
  return { patterns: around, timedOut: reason === 'time_budget' };
}

async function findAround(
  ctx: PatternContext,
  key: string,
  traces: MoneyTraces,
  ownKeys: ReadonlySet<string> = new Set(),
): Promise<{ patterns: Pattern[]; reason: PatternsFound['reason'] }> {
  if (!traces.subjects.has(key)) return { patterns: [], reason: null };
  try {
    const around = await lookAround(ctx, key, traces, new Set([key, ...ownKeys]));
    if (around.isService(key)) return { patterns: [], reason: null };
    const { patterns, cut } = await findPatterns(around, timeSlices());
    return { patterns, reason: cut ? 'pattern_budget' : null };
  } catch (error) {
    if (error instanceof GraphTimeoutError) return { patterns: [], reason: 'time_budget' };
    throw error;
  }
}

/** Returns what the trace has opened, and beyond it where money was passed on whole. */
async function lookAround(
  { graph, policy, remainingMs }: PatternContext,
  key: string,
  traces: MoneyTraces,
  holder: ReadonlySet<string>,
): Promise<Neighbourhood> {
  const { labels } = traces;
  const opened: Map<string, OpenedTransfers> = new Map(traces.opened);
  for (const own of holder.size > 1 ? holder : []) {
    const found = opened.get(own);
    if (found) opened.set(own, withoutOwn(found, holder));
  }
  const around = neighbourhoodOf(key, opened, labels);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const onward = nextInChain(around)
      .filter((address) => !opened.has(address))
      .slice(0, ONWARD_MAX);
    if (onward.length === 0) break;
    const timeoutMs = remainingMs();
    if (timeoutMs <= 0) throw new GraphTimeoutError();
    const wanted = new Map(onward.map((address) => [address, { received: true, sent: true }]));
    const found = await openAddresses(graph, wanted, { labels, timeoutMs, room: ROUND_TRANSFERS_MAX, policy });
    for (const address of onward) opened.set(address, withoutOwn(found.get(address) ?? NOTHING_OPENED, holder));
  }
  return around;
}

function withoutOwn({ received, sent }: OpenedTransfers, holder: ReadonlySet<string>): OpenedTransfers {
  return {
    received: received.filter(({ from, to }) => !holder.has(from) || !holder.has(to)),
    sent: sent.filter(({ from, to }) => !holder.has(from) || !holder.has(to)),
  };
}

const NOTHING_OPENED: OpenedTransfers = { received: [], sent: [] };
