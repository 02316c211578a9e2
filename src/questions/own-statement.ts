import type { Context } from '../context.ts';
import { ForbiddenError, InvalidInputError } from '../errors.ts';
import { FairQueue, type QueuedCaller } from '../fairness/fair-queue.ts';
import { QUEUES } from '../fairness/queues.ts';
import type { CallerStatement, OwnAnswer, OwnBounds } from '../graph/port.ts';

const BOUNDS: OwnBounds = { timeoutMs: 10_000, rowsMax: 5_000, bytesMax: 7.5 * 2 ** 20 };

const places = new FairQueue(QUEUES.ownStatements);

/**
 * Answers a caller's own statement, one of an account at a time. Throws InvalidInputError on the embedded graph and for a
 * statement that may not run, ForbiddenError where the operator does not allow any.
 */
export async function runOwnStatement(
  { graph, config }: Context,
  caller: QueuedCaller,
  own: CallerStatement,
): Promise<OwnAnswer & { ms: number }> {
  const { runOwn } = graph;
  if (!runOwn) throw new InvalidInputError('Own statements need Neo4j');
  if (!config.GRAPH_QUERY) throw new ForbiddenError('Own statements are switched off: the operator sets GRAPH_QUERY=1');
  return places.run(caller, async (keep) => {
    const begun = performance.now();
    const answer = await runOwn(own, BOUNDS, keep);
    return { ...answer, ms: Math.round(performance.now() - begun) };
  });
}
