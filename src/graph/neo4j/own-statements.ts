import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'neo4j-driver';
import { GraphError, InvalidInputError } from '../../errors.ts';
import { BoundedProcess, ProcessError, ProcessTimeoutError } from '../../fairness/bounded-process.ts';
import type { Graph, OwnAnswer } from '../port.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import { type Neo4jOptions, type OwnJob, runOwn, tooLong } from './run-own.ts';

/** Many times the largest answer. */
const MEMORY_MIB = 128;
/** A process needs compiled JavaScript; under TypeScript, as in most tests, statements run in this process. */
const PROCESS = import.meta.url.endsWith('.js') ? new URL('./statement-process.js', import.meta.url) : null;

const LOOK_MS = 2_000;
const LISTED = 'SHOW TRANSACTIONS YIELD metaData WHERE metaData.own_statement = $id RETURN count(*) AS count';

/**
 * Runs callers' statements in other processes: the driver decodes a record as a whole, and one of many megabytes would
 * hold this process for seconds. `run` throws InvalidInputError for a statement that is refused or takes too much.
 */
export function ownStatements(
  server: Neo4jOptions,
  openSession: () => Session,
): { run: NonNullable<Graph['runOwn']>; close(): void } {
  const running = PROCESS && new BoundedProcess<OwnJob, OwnAnswer | { refused: string }>(PROCESS, MEMORY_MIB);
  const closing = new AbortController();
  /** The server ends a statement while it runs, not while it plans it: that may take for ever. */
  const endOf = async (id: string): Promise<void> => {
    while (!closing.signal.aborted && (await isListed(openSession, id)))
      await sleep(LOOK_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  };
  return {
    run: async (own, bounds, keep) => {
      refuseUnsafe(own.statement);
      const job = { id: randomUUID(), server, own, bounds };
      const outcome = await (running ? running.run(job, bounds.timeoutMs) : runOwn(job)).catch((cause) => {
        if (cause instanceof ProcessError) keep(endOf(job.id));
        if (cause instanceof ProcessTimeoutError) throw new InvalidInputError(tooLong(bounds), { cause });
        if (cause instanceof ProcessError)
          throw new InvalidInputError(`Statement refused: ${cause.message}`, { cause });
        throw new GraphError({ cause });
      });
      if ('refused' in outcome) throw new InvalidInputError(outcome.refused);
      return outcome;
    },
    close: () => {
      closing.abort();
      running?.close();
    },
  };
}

/** True also where the server does not answer. */
async function isListed(openSession: () => Session, id: string): Promise<boolean> {
  const session = openSession();
  try {
    const { records } = await session.run(LISTED, { id });
    return Number(records[0]?.get('count')) > 0;
  } catch {
    return true;
  } finally {
    session.close().catch(() => undefined);
  }
}
