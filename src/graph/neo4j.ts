import neo4j, { type ManagedTransaction, type QueryResult, type Session, type SessionMode } from 'neo4j-driver';
import { GraphError, GraphTimeoutError } from '../errors.ts';
import type { Graph, GraphTransaction, GraphValue, Params, ReadOptions, Row } from './port.ts';
import { statementNames, statementText } from './statements.ts';
import { stepByStep } from './step-by-step.ts';

export interface Neo4jOptions {
  /** `neo4j://` (routing), `bolt://`, or one of them with `+s` or `+ssc`. */
  uri: string;
  user: string;
  password: string;
  /** The user's home database when left out. */
  database?: string;
}

const WRITE_ATTEMPTS = 5;
const PING_MS = 3_000;
/** How long the driver tries again after deadlocks and lost connections. */
const RETRY_MS = 10_000;
const CONNECT_MS = 4_000;
const AWAY_MS = 1_000;
const ANSWER_MS = 500;

/**
 * Connects to Neo4j. A server that is not there yet is no error: each use tries again, and fails with GraphError
 * meanwhile. Throws GraphError at once when the server refuses user, password or database.
 */
export async function openNeo4j({ uri, user, password, database }: Neo4jOptions): Promise<Graph> {
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password), {
    disableLosslessIntegers: true,
    maxTransactionRetryTime: RETRY_MS,
    connectionTimeout: CONNECT_MS,
    connectionAcquisitionTimeout: 2 * CONNECT_MS,
    telemetryDisabled: true,
    userAgent: 'traceflow',
  });
  const bookmarks = neo4j.bookmarkManager();
  const session = (defaultAccessMode: SessionMode = neo4j.session.WRITE) =>
    driver.session({ database, bookmarkManager: bookmarks, defaultAccessMode });
  const prepared = schemaOnce(session);
  await driver
    .verifyConnectivity({ database })
    .then(prepared)
    .catch(async (cause) => {
      if (isUnreachable(cause)) return;
      await driver.close();
      fail(cause);
    });

  async function read<T extends Row>(statement: string, params: Params, options: ReadOptions = {}): Promise<T[]> {
    const { timeoutMs } = options;
    const text = statementText(statement, 'neo4j');
    const values = integers(params);
    const current = session(neo4j.session.READ);
    let trouble: unknown = null;
    let isConnected = timeoutMs !== undefined && timeoutMs < AWAY_MS;
    const connected = () => {
      isConnected = true;
      trouble = null;
    };
    // A server that has said nothing yet is away, or plans the statement for long.
    const late = async (): Promise<unknown> => {
      const isThere = trouble === null && (isConnected || (await answers()));
      return isThere ? new GraphTimeoutError() : (trouble ?? new Error('graph unavailable: no connection in time'));
    };
    const lost = (cause: unknown): never => {
      if (isUnreachable(cause)) trouble = cause;
      throw cause;
    };
    // Alone a statement takes one round trip, in a transaction three: that is for what fails for a moment.
    const alone = async () => {
      const result = current.run(text, values, { timeout: timeoutMs });
      result.keys().then(connected, () => undefined);
      return rowsOf<T>(await result.catch(lost));
    };
    const again = async (tx: ManagedTransaction) => {
      connected();
      return rowsOf<T>(await tx.run(text, values).catch(lost));
    };
    const query = prepared()
      .then(alone)
      .catch((cause) => {
        if (!neo4j.isRetryableError(cause)) throw cause;
        return current.executeRead(again, { timeout: timeoutMs });
      });
    try {
      return await within(timeoutMs, query, late);
    } catch (cause) {
      return fail(cause);
    } finally {
      current.close().catch(() => undefined);
    }
  }

  const answers = () => {
    const asked = driver.verifyConnectivity({ database });
    return within<unknown>(ANSWER_MS, asked, () => null).then(
      () => true,
      () => false,
    );
  };

  async function transact<T>(work: (tx: GraphTransaction) => Promise<T>): Promise<T> {
    const once = async (tx: ManagedTransaction) =>
      work({
        run: async (statement, params) => rowsOf(await tx.run(statementText(statement, 'neo4j'), integers(params))),
      });
    for (let attempt = 1; ; attempt++) {
      const current = session();
      try {
        await prepared();
        return await current.executeWrite(once);
      } catch (cause) {
        if (!lostRace(cause) || attempt === WRITE_ATTEMPTS) fail(cause);
      } finally {
        await current.close().catch(() => undefined);
      }
    }
  }

  return {
    engine: 'neo4j',
    read,
    transact,
    write: stepByStep(transact),
    ping: () => {
      const late = () => new Error(`graph unavailable: Neo4j did not answer within ${PING_MS} ms`);
      return within<unknown>(PING_MS, driver.verifyConnectivity({ database }), late).then(() => undefined, fail);
    },
    copyTo: null,
    close: () => driver.close(),
  };
}

/** Applies the schema before the first use that reaches the server. */
function schemaOnce(session: () => Session): () => Promise<void> {
  let applied: Promise<void> | undefined;
  const apply = async () => {
    const current = session();
    try {
      for (const name of statementNames('schema', 'neo4j')) {
        await current
          .executeWrite((tx) => tx.run(statementText(name, 'neo4j')))
          .catch((cause) => {
            // Another process made it between this one's look and its own making.
            if (!/AlreadyExists$/.test(codeOf(cause))) throw cause;
          });
      }
    } finally {
      await current.close().catch(() => undefined);
    }
  };
  return () => {
    applied ??= apply().catch((cause) => {
      applied = undefined;
      throw cause;
    });
    return applied;
  };
}

function rowsOf<T extends Row>({ records }: QueryResult): T[] {
  return records.map((record) => record.toObject() as T);
}

/** JavaScript's numbers would all arrive as floating point, which LIMIT refuses. */
function integers(value: Params): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, integer(entry)]));
}

function integer(value: GraphValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? neo4j.int(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(integer) : integers(value);
}

/** The server looks at its time limits every two seconds only; the caller closes the session, which ends the query. */
async function within<T>(
  timeoutMs: number | undefined,
  work: Promise<T>,
  tooLate: () => unknown | Promise<unknown>,
): Promise<T> {
  if (timeoutMs === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(async () => reject(await tooLate()), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof neo4j.Neo4jError ? cause.code : '';
}

function isUnreachable(cause: unknown): boolean {
  const code = codeOf(cause);
  return code === neo4j.error.SERVICE_UNAVAILABLE || code === neo4j.error.SESSION_EXPIRED;
}

/** Another batch made the same address first: the next attempt finds it. */
function lostRace(cause: unknown): boolean {
  return codeOf(cause) === 'Neo.ClientError.Schema.ConstraintValidationFailed';
}

function fail(cause: unknown): never {
  if (cause instanceof GraphError) throw cause;
  if (codeOf(cause).startsWith('Neo.ClientError.Transaction.TransactionTimedOut'))
    throw new GraphTimeoutError({ cause });
  if (isUnreachable(cause))
    throw new GraphError({ cause: new Error('graph unavailable: Neo4j cannot be reached', { cause }) });
  throw new GraphError({ cause });
}
