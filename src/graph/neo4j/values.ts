import neo4j, { type QueryResult } from 'neo4j-driver';
import type { GraphValue, Params, Row } from '../port.ts';

export function rowsOf<T extends Row>({ records }: QueryResult): T[] {
  return records.map((record) => record.toObject() as T);
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
