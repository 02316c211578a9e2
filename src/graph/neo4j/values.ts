import neo4j, { type QueryResult } from 'neo4j-driver';
import type { GraphValue, Params, Row } from '../port.ts';

/** The driver's own conversions, of records to objects and of integers to numbers, allocate several times as much. */
export function rowsOf<T extends Row>({ records }: QueryResult): T[] {
  return records.map((record) => {
    const row: Row = {};
    for (let i = 0; i < record.length; i++) row[record.keys[i] as string] = plain(record.get(i));
    return row as T;
  });
}

/** Changes lists and maps in place: nobody else holds them. */
function plain(value: unknown): GraphValue {
  if (typeof value !== 'object' || value === null) return value as GraphValue;
  if (neo4j.isInt(value)) return value.toNumber();
  const parts = value as Record<string, unknown>;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object') value[i] = plain(value[i]);
  } else for (const key of Object.keys(parts)) parts[key] = plain(parts[key]);
  return value as GraphValue;
}

/** JavaScript's numbers would all arrive as floating point, which LIMIT refuses. */
export function integers(value: Params): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, integer(entry)]));
}

function integer(value: GraphValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? neo4j.int(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(integer) : integers(value);
}
