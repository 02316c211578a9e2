import type { Context } from '../context.ts';
import { type Direction, type Party, type Trace, trace } from '../domain/exposure.ts';
import type { Side } from '../domain/strand.ts';
import { expandSides, type SubjectFacts, subjectFacts, widestTransfers } from '../graph/exposure.ts';
import { nullOnTimeout } from './null-on-timeout.ts';

/** Time for one question; what is not traced by then is unattributed. */
export const TRACE_BUDGET_MS = 10_000;

export interface MoneyTraces {
  /** Null where the graph does not know the address. */
  facts: SubjectFacts | null;
  received: Trace;
  sent: Trace;
  /** Every side that was read, by key. */
  sides: Record<Direction, Map<string, Side>>;
  parties: Map<string, Party>;
}

const NOTHING = (): Trace => ({ totalUsd: 0, unattributedUsd: 0, sources: [], reasons: new Set() });

/**
 * Traces an address through the graph: received money back to where it came from, sent money on to where it went.
 * What the time budget leaves untraced is unattributed, with its reason.
 */
export async function traceMoney(
  ctx: Pick<Context, 'graph'>,
  key: string,
  options: { directions: readonly Direction[]; maxHops: number; limit: number; budgetMs?: number },
): Promise<MoneyTraces> {
  const deadline = performance.now() + (options.budgetMs ?? TRACE_BUDGET_MS);
  const traces: MoneyTraces = {
    facts: null,
    received: NOTHING(),
    sent: NOTHING(),
    sides: { received: new Map(), sent: new Map() },
    parties: new Map(),
  };
  try {
    traces.facts = await subjectFacts(ctx.graph, key, timeLeft(deadline));
  } catch (error) {
    nullOnTimeout(error);
    for (const direction of options.directions) traces[direction].reasons.add('time_budget');
    return traces;
  }
  const { facts, parties, sides } = traces;
  if (facts === null) return traces;
  parties.set(key, { category: facts.category, label: null });
  await Promise.all(
    options.directions.map(async (direction) => {
      const side = { ...options, direction, deadline, parties, seen: sides[direction] };
      traces[direction] = await traceSide(ctx, key, facts, side);
    }),
  );
  return traces;
}

interface SideOptions {
  direction: Direction;
  maxHops: number;
  limit: number;
  deadline: number;
  parties: Map<string, Party>;
  seen: Map<string, Side>;
}

async function traceSide(
  ctx: Pick<Context, 'graph'>,
  key: string,
  facts: SubjectFacts,
  { direction, maxHops, limit, deadline, parties, seen }: SideOptions,
): Promise<Trace> {
  const reading = () => ({ direction, parties, timeoutMs: timeLeft(deadline) });
  const own = await widestTransfers(ctx.graph, key, { ...reading(), limit }).catch(nullOnTimeout);
  seen.set(key, { transfers: own ?? [], hub: false, unpriced: facts.unpriced[direction], scanned: true });
  const steps = trace(key, own ?? [], (party) => parties.get(party) ?? { category: null, label: null }, {
    direction,
    hopsMax: maxHops,
    limit,
  });
  let step = steps.next();
  while (!step.done) {
    const inTime = performance.now() < deadline;
    const sides = inTime ? await expandSides(ctx.graph, step.value, reading()).catch(nullOnTimeout) : null;
    for (const [party, side] of sides ?? []) seen.set(party, side);
    step = steps.next(sides);
  }

  // What the limit kept from being read at all is unattributed too.
  const result = step.value;
  const totalUsd = direction === 'received' ? facts.receivedUsd : facts.sentUsd;
  const unreadUsd = totalUsd - result.totalUsd;
  if (unreadUsd > 1e-9 * totalUsd) result.reasons.add(own ? 'limit' : 'time_budget');
  return { ...result, totalUsd, unattributedUsd: result.unattributedUsd + unreadUsd };
}

function timeLeft(deadline: number): number {
  return Math.max(1, deadline - performance.now());
}
