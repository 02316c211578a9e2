import neo4j from 'neo4j-driver';
import { GraphError, GraphTimeoutError, GraphUnavailableError } from '../../errors.ts';

/** Empty for errors that the server did not send. */
export function codeOf(cause: unknown): string {
  return cause instanceof neo4j.Neo4jError ? cause.code : '';
}

export function isUnreachable(cause: unknown): boolean {
  const code = codeOf(cause);
  if (code === neo4j.error.SERVICE_UNAVAILABLE || code === neo4j.error.SESSION_EXPIRED) return true;
  // A server that starts or stops.
  return /DatabaseUnavailable$/.test(code);
}

/** The failure of a server that said nothing in time. */
export function silent(reason: string): GraphUnavailableError {
  return new GraphUnavailableError({ cause: new Error(`graph unavailable: ${reason}`) });
}

/** Throws the cause as the port's error. */
export function fail(cause: unknown): never {
  if (cause instanceof GraphError) throw cause;
  if (codeOf(cause).startsWith('Neo.ClientError.Transaction.TransactionTimedOut'))
    throw new GraphTimeoutError({ cause });
  if (isUnreachable(cause))
    throw new GraphUnavailableError({ cause: new Error('graph unavailable: Neo4j cannot be reached', { cause }) });
  throw new GraphError({ cause });
}
