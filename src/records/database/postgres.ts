import { PostgresDialect } from 'kysely';
import { reachablePool } from './reachable-pool.ts';

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
