import { slicesOf } from '../domain/slices.ts';
import type { GraphValue, Params } from './port.ts';

/**
 * Rows as one list per field: a list of maps costs four times as much to hand over. A list of nothing but nulls is
 * handed over empty, which reads the same.
 */
export function asColumns<T extends object>(rows: readonly T[], fields: readonly (keyof T & string)[]): Params {
  return Object.fromEntries(
    fields.map((field) => {
      const column = rows.map((row) => (row[field] ?? null) as GraphValue);
      return [field, column.every((value) => value === null) ? [] : column];
    }),
  );
}

/** Names that one statement takes: others wait meanwhile. */
export const NAMED_AT_ONCE = 2_000;

/** Cuts what statements are asked about into parts, each small enough for one. */
export function statementSlices<T>(all: readonly T[]): Generator<T[]> {
  return slicesOf(all, NAMED_AT_ONCE);
}
