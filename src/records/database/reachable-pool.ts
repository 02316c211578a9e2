import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { UnavailableError } from '../../errors.ts';

const RETRY_AFTER_S = 2;

/** A connection that broke or was ended by the server: classes 08 and 57P, or no answer of the server at all. */
const LOST = /^(08...|57P0.|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const LOST_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;

/** A pool whose connections fail with UnavailableError while the server cannot be reached, and as before otherwise. */
export function reachablePool(pool: PostgresPool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect().catch(rethrow);
      const query = (...args: unknown[]) =>
        (client.query as (...args: unknown[]) => Promise<unknown>)(...args).catch(rethrow);
      return { query, release: () => client.release() } as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

function rethrow(cause: unknown): never {
  const { code, message } = cause as { code?: string; message?: string };
  if (!LOST.test(code ?? '') && !LOST_TEXT.test(message ?? '')) throw cause;
  throw new UnavailableError('Records cannot be reached', RETRY_AFTER_S, { cause });
}
