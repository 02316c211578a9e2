import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { PoolClient } from 'pg';
import { UnavailableError } from '../../errors.ts';

const RETRY_AFTER_S = 2;

/** A connection that broke or was ended by the server (classes 08 and 57P), a statement past its time, or no answer at all. */
const LOST = /^(08...|57P0.|57014|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const LOST_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout)/;

/**
 * A pool whose connections fail with UnavailableError while the server cannot be reached or does not answer, and as
 * before otherwise. A connection that failed this way is not used again.
 */
export function reachablePool(pool: { connect(): Promise<PoolClient>; end(): Promise<void> }): PostgresPool {
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
  if (!LOST.test(code ?? '') && !LOST_TEXT.test(message ?? '')) return cause;
  return new UnavailableError('Records cannot be reached', RETRY_AFTER_S, { cause });
}
