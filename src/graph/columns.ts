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

/** Parts of what statements are asked about, each small enough for one. */
export function* slicesOf<T>(all: readonly T[], size = NAMED_AT_ONCE): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
