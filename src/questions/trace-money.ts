import type { Context } from '../context.ts';
import { type Direction, type Party, type Trace, trace } from '../domain/exposure.ts';
import { GraphTimeoutError } from '../errors.ts';
import { expandSides, type SubjectFacts, widestTransfers } from '../graph/exposure.ts';

/** Time for one question; what is not traced by then is unattributed. */
export const TRACE_BUDGET_MS = 10_000;

/**
 * Traces one side of an address through the graph: received money back to where it came from, sent money on
 * to where it went. What the deadline (performance.now() ms) leaves untraced is unattributed, with its reason.
 */
export async function traceMoney(
  ctx: Context,
  key: string,
  facts: SubjectFacts | null,
  options: { direction: Direction; maxHops: number; limit: number; deadline: number },
): Promise<Trace> {
  const { direction, maxHops, limit, deadline } = options;
  if (facts === null) return { totalUsd: 0, unattributedUsd: 0, sources: [], reasons: new Set() };
  const parties = new Map<string, Party>();
  const left = () => Math.max(1, deadline - performance.now());
  const own = await widestTransfers(ctx.graph, key, { direction, limit, timeoutMs: left(), parties });

  const steps = trace(key, own, (party) => parties.get(party) ?? { category: null, label: null }, {
    direction,
    hopsMax: maxHops,
    limit,
  });
  let step = steps.next();
  while (!step.done) {
    const keys = step.value;
    const sides =
      performance.now() < deadline
        ? await expandSides(ctx.graph, keys, { direction, timeoutMs: left(), parties }).catch(nullOnTimeout)
        : null;
    step = steps.next(sides);
  }

  // What the limit kept from being read at all is unattributed too.
  const result = step.value;
  const totalUsd = direction === 'received' ? facts.receivedUsd : facts.sentUsd;
  const unreadUsd = totalUsd - result.totalUsd;
  if (unreadUsd > 1e-6 * totalUsd) result.reasons.add('limit');
  return { ...result, totalUsd, unattributedUsd: result.unattributedUsd + unreadUsd };
}

function nullOnTimeout(error: unknown): null {
  if (error instanceof GraphTimeoutError) return null;
  throw error;
}
