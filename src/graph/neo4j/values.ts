import neo4j, { type QueryResult } from 'neo4j-driver';
import { GraphError } from '../../errors.ts';
import type { GraphValue, Params, Row } from '../port.ts';

const PARAMETER = /\$(\w+)/g;

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

/**
 * Returns the statement with its parameters in one map, `$p.keys` in the place of `$keys`. The server plans a statement again
 * for each order of magnitude of a list that is a parameter itself: a second each time, on a small machine. Throws GraphError
 * where a parameter is missing: in a map it would be null.
 */
export function inOneMap(text: string, params: Params): [text: string, params: Record<string, unknown>] {
  const missing = [...text.matchAll(PARAMETER)].find(([, name = '']) => !(name in params));
  if (missing) throw new GraphError({ cause: new Error(`the parameter ${missing[0]} is missing`) });
  return [textInOneMap(text), { p: integers(params) }];
}

/** Returns the text alone, as `inOneMap` does. */
export function textInOneMap(text: string): string {
  return text.replaceAll(PARAMETER, '$p.$1');
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
