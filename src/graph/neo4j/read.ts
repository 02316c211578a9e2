import neo4j, { type ManagedTransaction, type Session } from 'neo4j-driver';
import { GraphTimeoutError } from '../../errors.ts';
import { within } from '../../fairness/within.ts';
import type { Graph, Params, QueryOptions, Row } from '../port.ts';
import { statementText } from '../statements.ts';
import { fail, isUnreachable, silent } from './errors.ts';
import { inOneMap, rowsOf } from './values.ts';

const AWAY_MS = 1_000;
/** For reads without a time of their own, such as exports: a frozen server must not hold one for ever. */
const READ_MS = 120_000;

export interface Neo4jServer {
  /** For one read; closing it ends its query. */
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
export function readFrom(server: Neo4jServer): Graph['read'] {
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
