import type { Context } from '../../context.ts';
import { type Direction, type Party, type Trace, trace } from '../../domain/tracing/exposure.ts';
import type { Side, TracedTransfer } from '../../domain/tracing/strand.ts';
import { expandSides, type SubjectFacts, subjectFacts, widestTransfers } from '../../graph/queries/exposure.ts';
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
  const { parties, sides } = traces;
  const { directions, limit } = options;
  const timeoutMs = timeLeft(deadline);
  const [facts, ...own] = await Promise.all([
    subjectFacts(ctx.graph, key, timeoutMs).catch(tooLate),
    ...directions.map((direction) =>
      widestTransfers(ctx.graph, key, { direction, limit, parties, timeoutMs }).catch(nullOnTimeout),
    ),
  ]);
  if (facts === 'too late') {
    for (const direction of directions) traces[direction].reasons.add('time_budget');
    return traces;
  }
  traces.facts = facts;
  if (facts === null) return traces;
  parties.set(key, { category: facts.category, label: null });
  await Promise.all(
    directions.map(async (direction, i) => {
      const side = { ...options, direction, own: own[i] ?? null, deadline, parties, seen: sides[direction] };
      traces[direction] = await traceSide(ctx, key, facts, side);
    }),
  );
  return traces;
}

interface SideOptions {
  direction: Direction;
  /** The subject's own transfers; null where they came too late. */
  own: TracedTransfer[] | null;
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
  { direction, own, maxHops, limit, deadline, parties, seen }: SideOptions,
): Promise<Trace> {
  seen.set(key, { transfers: own ?? [], hub: false, unpriced: facts.unpriced[direction], scanned: true });
  const steps = trace(key, own ?? [], (party) => parties.get(party) ?? { category: null, label: null }, {
    direction,
    hopsMax: maxHops,
    limit,
  });
  let step = steps.next();
  while (!step.done) {
    const inTime = performance.now() < deadline;
    const sides = inTime
      ? await expandSides(ctx.graph, step.value, { direction, parties, timeoutMs: timeLeft(deadline) }).catch(
          nullOnTimeout,
        )
      : null;
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

function tooLate(error: unknown): 'too late' {
  nullOnTimeout(error);
  return 'too late';
}
