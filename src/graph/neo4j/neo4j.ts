import neo4j, { type ManagedTransaction, type Session, type SessionMode } from 'neo4j-driver';
import { MINUTE_MS } from '../../domain/time.ts';
import { GraphTimeoutError } from '../../errors.ts';
import { within } from '../../fairness/deadline.ts';
import type { Graph, GraphTransaction, Params, QueryOptions, Row } from '../port.ts';
import { schemaStatements, statementText } from '../statements.ts';
import { allOrNothing, stepByStep } from '../step-by-step.ts';
import { codeOf, fail, isUnreachable, silent } from './errors.ts';
import { ownStatements } from './own-statements.ts';
import type { Neo4jOptions } from './run-own.ts';
import { inOneMap, rowsOf, textInOneMap } from './values.ts';

const WRITE_ATTEMPTS = 5;
const PING_MS = 3_000;
/** How long the driver tries again after deadlocks and lost connections. */
const RETRY_MS = 10_000;
/** Milliseconds of a whole transaction: its largest batches take seconds, and a frozen server must not hold one for ever. */
const WRITE_MS = 60_000;
const CONNECT_MS = 4_000;
/** A balancer drops what was idle for four minutes or more, without a word. */
const CONNECTION_MS = 3 * MINUTE_MS;
/** A server that plans on few cores answers late; one that is away costs those who ask this much more. */
const ANSWER_MS = 2_000;
/** Walks of the usual length, which take longest to plan, and those of a check before signing. */
const PLANNED = [
  ...['walk/sent-4', 'walk/received-4'],
  ...['presign/parties', 'presign/exposure-received', 'presign/exposure-sent', 'presign/earlier-recipients'],
];

/**
 * Connects to Neo4j, and has it plan its longest and its most urgent statements: a server that has just started takes seconds for
 * them, which the first questions would lack. A server that is not there yet is not an error: each use tries again, and fails with GraphError
 * meanwhile. Throws GraphError at once when the server refuses user, password or database.
 */
export async function openNeo4j(server: Neo4jOptions): Promise<Graph> {
  const { uri, user, password, database } = server;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password), {
    maxTransactionRetryTime: RETRY_MS,
    connectionTimeout: CONNECT_MS,
    maxConnectionLifetime: CONNECTION_MS,
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
    .then(() => planStatements(session))
    .catch(async (cause) => {
      if (isUnreachable(cause)) return;
      await driver.close();
      fail(cause);
    });

  const answers = () => {
    const asked = driver.verifyConnectivity({ database });
    return within<unknown>(ANSWER_MS, asked, () => null).then(
      () => true,
      () => false,
    );
  };

  async function transact<T>(work: (tx: GraphTransaction) => Promise<T>): Promise<T> {
    const once = async (tx: ManagedTransaction) =>
      allOrNothing(
        async (statement, params) => rowsOf(await tx.run(...inOneMap(statementText(statement, 'neo4j'), params))),
        work,
      );
    for (let attempt = 1; ; attempt++) {
      const current = session();
      const written = prepared().then(() => current.executeWrite(once, { timeout: WRITE_MS }));
      const late = () => silent(`no answer to a write within ${WRITE_MS} ms`);
      try {
        return await within(WRITE_MS, written, late);
      } catch (cause) {
        if (!lostRace(cause) || attempt === WRITE_ATTEMPTS) fail(cause);
      } finally {
        current.close().catch(() => undefined);
      }
    }
  }

  const own = ownStatements(server, () => session(neo4j.session.READ));
  return {
    engine: 'neo4j',
    read: readFrom({ session: () => session(neo4j.session.READ), prepared, answers }),
    runOwn: own.run,
    transact,
    write: stepByStep(transact),
    ping: () => {
      const late = () => silent(`Neo4j did not answer within ${PING_MS} ms`);
      return within<unknown>(PING_MS, driver.verifyConnectivity({ database }), late).then(() => undefined, fail);
    },
    copyTo: null,
    close: () => {
      own.close();
      return driver.close();
    },
  };
}

/** Applies the schema before the first use that reaches the server. */
function schemaOnce(session: () => Session): () => Promise<void> {
  let applied: Promise<void> | undefined;
  const apply = async () => {
    const current = session();
    try {
      for (const name of schemaStatements('neo4j')) {
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

async function planStatements(session: () => Session): Promise<void> {
  const current = session();
  try {
    for (const name of PLANNED) await current.run(`EXPLAIN ${textInOneMap(statementText(name, 'neo4j'))}`, { p: {} });
  } finally {
    await current.close();
  }
}

/** Another batch made the same address first: the next attempt finds it. */
function lostRace(cause: unknown): boolean {
  return codeOf(cause) === 'Neo.ClientError.Schema.ConstraintValidationFailed';
}

const AWAY_MS = 1_000;
/** Milliseconds of reads without a time of their own, such as exports: a frozen server must not hold one for ever. */
const READ_MS = 120_000;

interface Neo4jServer {
  /** Opens a session for one read; closing it ends its query. */
  session(): Session;
  /** Resolves once the schema is there. */
  prepared(): Promise<void>;
  /** True where the server answers anything at all, soon. */
  answers(): Promise<boolean>;
}

/**
 * Reads in one round trip, and again where that failed for a moment. The server looks at its time limits every two
 * seconds only, so the end of the time is watched here.
 */
function readFrom(server: Neo4jServer): Graph['read'] {
  return async <T extends Row>(
    statement: string,
    params: Params,
    { timeoutMs = READ_MS }: QueryOptions = {},
  ): Promise<T[]> => {
    const [text, values] = inOneMap(statementText(statement, 'neo4j'), params);
    const limits = { timeout: timeoutMs };
    const session = server.session();
    const contact = new Contact(server, timeoutMs);
    // Alone a statement takes one round trip, in a transaction three: that is for what fails for a moment.
    const alone = async () => {
      await server.prepared();
      const result = session.run(text, values, limits);
      result.keys().then(contact.made, () => undefined);
      return result.catch(contact.lost);
    };
    const again = (tx: ManagedTransaction) => {
      contact.made();
      return tx.run(text, values).catch(contact.lost);
    };
    const query = alone().catch((cause) => {
      if (!neo4j.isRetryableError(cause)) throw cause;
      return session.executeRead(again, limits);
    });
    try {
      return rowsOf<T>(await within(timeoutMs, query, () => contact.lateness()));
    } catch (cause) {
      return fail(cause);
    } finally {
      session.close().catch(() => undefined);
    }
  };
}

/** Records what one read heard from its server: a late answer means that it is slow, or that it is away. */
class Contact {
  private readonly server: Neo4jServer;
  private trouble: unknown = null;
  private isMade: boolean;

  constructor(server: Neo4jServer, timeoutMs: number | undefined) {
    this.server = server;
    // In so short a time nothing can be said of the server.
    this.isMade = timeoutMs !== undefined && timeoutMs < AWAY_MS;
  }

  readonly made = (): void => {
    this.isMade = true;
    this.trouble = null;
  };

  readonly lost = (cause: unknown): never => {
    if (isUnreachable(cause)) this.trouble = cause;
    throw cause;
  };

  /** The failure once the time is over. A server that has said nothing yet is away, or plans the statement for long. */
  async lateness(): Promise<unknown> {
    const isThere = this.trouble === null && (this.isMade || (await this.server.answers()));
    return isThere ? new GraphTimeoutError() : (this.trouble ?? silent('no connection in time'));
  }
}
