import neo4j, { type Integer } from 'neo4j-driver';
import type { CallerStatement, GraphValue, OwnAnswer, OwnBounds } from '../port.ts';
import { codeOf } from './errors.ts';
import { integers } from './values.ts';

/** A server, and how to sign in there. */
export interface Neo4jOptions {
  /** `neo4j://` (routing), `bolt://`, or one of them with `+s` or `+ssc`. */
  uri: string;
  user: string;
  password: string;
  /** Name of the database; default: the user's home database. */
  database?: string;
}

/** Plain data that can be sent to another process. */
export interface OwnJob {
  /** Names the transaction in the server. */
  id: string;
  server: Neo4jOptions;
  own: CallerStatement;
  bounds: OwnBounds;
}

const FETCHED_ROWS = 200;

/**
 * Runs a caller's statement on a connection of its own, row by row up to the bounds; what the server refuses comes back in
 * its words. A record larger than memory ends the process: see `statement-process.ts`.
 */
export async function runOwn({ id, server, own, bounds }: OwnJob): Promise<OwnAnswer | { refused: string }> {
  const driver = neo4j.driver(server.uri, neo4j.auth.basic(server.user, server.password), {
    telemetryDisabled: true,
    userAgent: 'traceflow',
  });
  try {
    const session = driver.session({
      database: server.database,
      defaultAccessMode: neo4j.session.READ,
      fetchSize: FETCHED_ROWS,
    });
    const transaction = await session.beginTransaction({ timeout: bounds.timeoutMs, metadata: { own_statement: id } });
    const result = transaction.run(own.statement, integers(own.params));
    const columns = await result.keys();
    const rows: GraphValue[][] = [];
    let bytes = 0;
    let truncated = false;
    for await (const record of result) {
      const row = columns.map((_, i) => plainValue(record.get(i)));
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      truncated = rows.length >= bounds.rowsMax || bytes > bounds.bytesMax;
      if (truncated) break;
      rows.push(row);
    }
    return { columns, rows, truncated };
  } catch (cause) {
    const code = codeOf(cause);
    if (code.includes('TransactionTimedOut')) return { refused: tooLong(bounds) };
    if (/^Neo\.ClientError\.Statement\.|OutOfMemory/.test(code))
      return { refused: `Statement refused: ${(cause as Error).message}` };
    throw cause;
  } finally {
    // This ends the query in the server too.
    driver.close().catch(() => undefined);
  }
}

export function tooLong({ timeoutMs }: OwnBounds): string {
  return `Statement took longer than ${timeoutMs / 1_000} s: ask for less`;
}

/** Any value of the server as JSON: large integers, times and places as texts. */
function plainValue(value: unknown): GraphValue {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return (value ?? null) as GraphValue;
  if (neo4j.isInt(value)) return (value as Integer).inSafeRange() ? value.toNumber() : value.toString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (neo4j.isNode(value)) return { labels: value.labels, properties: plainValue(value.properties) };
  if (neo4j.isRelationship(value)) return { type: value.type, properties: plainValue(value.properties) };
  if (neo4j.isPath(value)) {
    const { start, segments } = value;
    return [start, ...segments.flatMap(({ relationship, end }) => [relationship, end])].map(plainValue);
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, plainValue(entry)]));
}
