import neo4j, { type Integer, type Session } from 'neo4j-driver';
import { GraphTimeoutError, InvalidInputError } from '../../errors.ts';
import type { GraphValue, OwnAnswer, OwnBounds, Params } from '../port.ts';
import { within } from '../within.ts';
import { codeOf, fail } from './errors.ts';
import { refuseUnsafe } from './own-statement.ts';
import { integers } from './values.ts';

const FETCHED_ROWS = 200;

/** Runs a caller's statement, row by row up to the bounds. Throws InvalidInputError in the server's words, or for lack of time. */
export async function runOwn(
  session: (fetchSize: number) => Session,
  { statement, params }: { statement: string; params: Params },
  bounds: OwnBounds,
): Promise<OwnAnswer> {
  refuseUnsafe(statement);
  const current = session(FETCHED_ROWS);
  const late = () => new GraphTimeoutError();
  const read = async (): Promise<OwnAnswer> => {
    const transaction = await current.beginTransaction({ timeout: bounds.timeoutMs });
    const result = transaction.run(statement, integers(params));
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
  };
  try {
    return await within(bounds.timeoutMs, read(), late);
  } catch (cause) {
    const isTooLong = cause instanceof GraphTimeoutError || codeOf(cause).includes('TransactionTimedOut');
    if (isTooLong)
      throw new InvalidInputError(`Statement took longer than ${bounds.timeoutMs / 1_000} s: ask for less`);
    if (/^Neo\.ClientError\.Statement\.|OutOfMemory/.test(codeOf(cause)))
      throw new InvalidInputError(`Statement refused: ${(cause as Error).message}`, { cause });
    return fail(cause);
  } finally {
    // This ends the query in the server too.
    current.close().catch(() => undefined);
  }
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
