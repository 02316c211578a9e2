import type { Context } from '../../context.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Direction } from '../../domain/tracing/exposure.ts';
import { type Hop, hopOf } from '../../domain/tracing/hop.ts';
import { GraphTimeoutError } from '../../errors.ts';
import { expandSides } from '../../graph/queries/exposure.ts';
import type { Severity } from '../../risk/detection.ts';
import { findPatterns } from '../../risk/patterns/find-patterns.ts';
import { type Neighbourhood, neighbourhoodOf } from '../../risk/patterns/neighbourhood.ts';
import { mayHandOn } from '../../risk/patterns/pass-through-candidates.ts';
import { handedOnFrom } from '../../risk/patterns/passed-through.ts';
import type { MoneyTraces } from './trace-money.ts';

/** Addresses whose other side is read too, where money may have passed through: those reached first. */
const ADDRESSES_MAX = 50;
/** Addresses opened a round beyond the trace, where money was handed on whole. */
const ONWARD_MAX = 10;
const ROUNDS_MAX = 8;
const EVIDENCE_MAX = 50;

export interface ExposurePattern {
  pattern_id: string;
  name: string;
  severity: Severity;
  description: string;
  usd: number;
  evidence: Hop[];
}

interface Found {
  patterns: ExposurePattern[];
  /** Why there may be more; null where there are none. */
  reason: 'time_budget' | 'pattern_budget' | null;
}

/**
 * The laundering patterns around an address, from what its traces have read and a few more statements as far as the
 * time (performance.now() ms) goes. A service has none: its traffic means nothing.
 */
export async function exposurePatterns(
  ctx: Pick<Context, 'graph'>,
  chain: Chain,
  key: string,
  { traces, deadline }: { traces: MoneyTraces; deadline: number },
): Promise<Found> {
  if (traces.facts === null) return { patterns: [], reason: null };
  try {
    const around = await lookAround(ctx, key, traces, deadline);
    if (around.isService(key)) return { patterns: [], reason: null };
    const { patterns, cut } = findPatterns(around);
    const told = patterns.map(({ flows, usd, ...pattern }) => ({
      ...pattern,
      usd: roundUsd(usd),
      evidence: flows.slice(0, EVIDENCE_MAX).map((flow) => hopOf(chain, flow, flow)),
    }));
    return { patterns: told, reason: cut ? 'pattern_budget' : null };
  } catch (error) {
    if (error instanceof GraphTimeoutError) return { patterns: [], reason: 'time_budget' };
    throw error;
  }
}

/** Opens the other side too where money may have passed through, and follows money that was handed on beyond them. */
async function lookAround(
  ctx: Pick<Context, 'graph'>,
  key: string,
  { sides, parties }: MoneyTraces,
  deadline: number,
): Promise<Neighbourhood> {
  const open = async (direction: Direction, addresses: string[]) => {
    const missing = addresses.filter((address) => !sides[direction].has(address));
    if (missing.length === 0) return;
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) throw new GraphTimeoutError();
    const found = await expandSides(ctx.graph, missing, { direction, parties, timeoutMs });
    for (const address of missing) {
      sides[direction].set(
        address,
        found.get(address) ?? { transfers: [], hub: true, unpriced: false, scanned: false },
      );
    }
  };
  const openBoth = (addresses: string[]) =>
    Promise.all((['received', 'sent'] as const).map((direction) => open(direction, addresses)));

  await openBoth(mayHandOn(sides).slice(0, ADDRESSES_MAX));
  const around = neighbourhoodOf(key, sides, parties);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const onward = handedOnFrom(around).filter((address) => !sides.sent.has(address));
    if (onward.length === 0) break;
    await openBoth(onward.slice(0, ONWARD_MAX));
  }
  return around;
}
