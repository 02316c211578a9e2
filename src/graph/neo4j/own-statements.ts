import { GraphError, InvalidInputError } from '../../errors.ts';
import { BoundedProcess, ProcessError, ProcessTimeoutError } from '../../fairness/bounded-process.ts';
import type { Graph, OwnAnswer } from '../port.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import { type Neo4jOptions, type OwnJob, runOwn, tooLong } from './run-own.ts';

/** Many times the largest answer. */
const MEMORY_MIB = 128;
/** A process needs compiled JavaScript; under TypeScript, as in most tests, statements run in this process. */
const PROCESS = import.meta.url.endsWith('.js') ? new URL('./statement-process.js', import.meta.url) : null;

/**
 * Runs callers' statements in other processes: the driver decodes a record as a whole, and one of many megabytes would
 * hold this process for seconds. `run` throws InvalidInputError for a statement that is refused or takes too much.
 */
export function ownStatements(server: Neo4jOptions): { run: NonNullable<Graph['runOwn']>; close(): void } {
  const running = PROCESS && new BoundedProcess<OwnJob, OwnAnswer | { refused: string }>(PROCESS, MEMORY_MIB);
  return {
    run: async (own, bounds) => {
      refuseUnsafe(own.statement);
      const job = { server, own, bounds };
      const outcome = await (running ? running.run(job, bounds.timeoutMs) : runOwn(job)).catch((cause) => {
        if (cause instanceof ProcessTimeoutError) throw new InvalidInputError(tooLong(bounds), { cause });
        if (cause instanceof ProcessError)
          throw new InvalidInputError(`Statement refused: ${cause.message}`, { cause });
        throw new GraphError({ cause });
      });
      if ('refused' in outcome) throw new InvalidInputError(outcome.refused);
      return outcome;
    },
    close: () => running?.close(),
  };
}
