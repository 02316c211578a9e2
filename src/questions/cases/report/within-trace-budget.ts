import type { Context } from '../../../context.ts';
import { GraphTimeoutError } from '../../../errors.ts';
import type { Graph } from '../../../graph/port.ts';
import { within } from '../../../graph/within.ts';

const TRACE_BUDGET_MS = 5_000;

/** Returns what a search of the graph for a report finds; null where it takes longer than five seconds. */
export async function withinTraceBudget<T>(
  ctx: Pick<Context, 'graphQuestions'>,
  accountId: string,
  search: (graph: Graph) => Promise<T>,
): Promise<T | null> {
  const asked = ctx.graphQuestions.ask({ id: accountId }, search);
  return within(TRACE_BUDGET_MS, asked, () => new GraphTimeoutError()).catch((error: unknown) => {
    if (error instanceof GraphTimeoutError) return null;
    throw error;
  });
}
