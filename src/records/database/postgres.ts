import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { PoolClient } from 'pg';
import { UnavailableError } from '../../errors.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_MS = 5_000;
const INT8_OID = 20;

/** How long one statement may take: on the server, and until its answer arrives. */
export interface StatementLimits {
  statement_timeout?: number;
  query_timeout?: number;
}

/** The server ends a statement before the client gives up on it, so that none runs on unread. */
export const STATEMENT_LIMITS: StatementLimits = { statement_timeout: 9_000, query_timeout: 10_000 };

/** Connections that end within bounded time when the server is gone, frozen, or holds a transaction of a frozen client. */
export async function postgresDialect(databaseUrl: string, limits: StatementLimits): Promise<PostgresDialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    ...limits,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // The pool replaces an idle connection that breaks, and a query on a broken one is rejected; without listeners the
  // error itself would end the process. A server may end a connection in the very packet that says it is ready.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool: reachablePool(pool) });
}

const RETRY_AFTER_S = 2;

/** A connection that broke or was ended by the server (classes 08 and 57P), a statement past its time, or no answer at all. */
const LOST = /^(08...|57P0.|57014|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** PgBouncer says so with the code of a broken connection, and waiting does not help. */
const SETTING_REFUSED = /^unsupported startup parameter/;
const LOST_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout)/;

/**
 * A pool whose connections fail with UnavailableError while the server cannot be reached or does not answer, and as
 * before otherwise. A connection that failed this way is not used again.
 */
function reachablePool(pool: { connect(): Promise<PoolClient>; end(): Promise<void> }): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect().catch((cause) => {
        throw unavailableOr(cause);
      });
      let failure: unknown;
      const onError = (cause: Error) => {
        failure ??= unavailableOr(cause);
      };
      client.on('error', onError);
      const query = async (...args: [never]) => {
        // After a statement that was given up, the connection still waits for its answer.
        if (failure) throw failure;
        try {
          return await client.query(...args);
        } catch (cause) {
          const error = unavailableOr(cause);
          if (error instanceof UnavailableError) failure = error;
          throw error;
        }
      };
      const release = () => {
        client.off('error', onError);
        client.release(failure !== undefined);
      };
      return { query, release } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

function unavailableOr(cause: unknown): unknown {
  const { code, message } = cause as { code?: string; message?: string };
  if (SETTING_REFUSED.test(message ?? '') || (!LOST.test(code ?? '') && !LOST_TEXT.test(message ?? ''))) return cause;
  return new UnavailableError('Records cannot be reached', RETRY_AFTER_S, { cause });
}
