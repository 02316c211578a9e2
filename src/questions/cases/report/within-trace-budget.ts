import type { Context } from '../../../context.ts';
import { GraphTimeoutError } from '../../../errors.ts';
import type { Graph } from '../../../graph/port.ts';
import { within } from '../../../graph/within.ts';
import { TRACE_BUDGET_MS } from '../../tracing/graph-reader.ts';
import type { MoneyTraces } from '../../tracing/trace-money.ts';

/** A search that has used up its time still works out what it found. */
const GRACE_MS = 5_000;

/**
 * Returns what a search of the graph for a report finds in the time of one trace, or in `ms`, the wait for its place included; null
 * where that time ends before it found anything. The search returns what it has within `budgetMs`.
 */
export async function withinTraceBudget<T>(
  ctx: Pick<Context, 'graphQuestions'>,
  accountId: string,
  search: (graph: Graph, budgetMs: number) => Promise<T | null>,
  ms: number = TRACE_BUDGET_MS,
): Promise<T | null> {
  const deadline = performance.now() + ms;
  const asked = ctx.graphQuestions.ask({ id: accountId }, (graph) =>
    search(graph, Math.max(1, deadline - performance.now())),
  );
  return within(ms + GRACE_MS, asked, () => new GraphTimeoutError()).catch((error: unknown) => {
    if (error instanceof GraphTimeoutError) return null;
    throw error;
  });
}

/** True where the time ended before the subjects themselves were read: nothing is known of their money. */
export function sawNothing({ subjects, received }: Pick<MoneyTraces, 'subjects' | 'received'>): boolean {
  return subjects.size === 0 && received.left.has('time_budget');
}
