import type { Insertable } from 'kysely';
import type { Records } from './database.ts';
import { keepQuery } from './kept-queries.ts';
import type { Tables } from './tables.ts';

/** Rows per statement: few texts, each compiled once. PostgreSQL takes 65,535 values, SQLite half as many. */
const SIZES = [500, 50, 5, 1] as const;

interface Conflict<Row> {
  /** The key by which a row is there already. */
  key: readonly (keyof Row & string)[];
  /** What it then takes from the new one. */
  update: readonly (keyof Row & string)[];
}

/** Inserts any number of rows that have the same columns, in their order; with `conflict`, updates those that are there. */
export async function insertRows<Table extends keyof Tables>(
  records: Records,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
  conflict?: Conflict<Tables[Table]>,
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!) as (keyof Insertable<Tables[Table]> & string)[];
  for (let start = 0; start < rows.length; ) {
    const size = SIZES.find((one) => one <= rows.length - start)!;
    const query = keepQuery(records, `insert ${table}(${columns})${conflict?.key}:${size}`, () => {
      const insert = records.insertInto(table).values(Array(size).fill(rows[0]));
      if (!conflict) return insert.compile();
      return insert
        .onConflict((on) =>
          on
            .columns(conflict.key as never)
            .doUpdateSet(
              (e) =>
                Object.fromEntries(conflict.update.map((name) => [name, e.ref(`excluded.${name}` as never)])) as never,
            ),
        )
        .compile();
    });
    const parameters: unknown[] = [];
    for (let i = start; i < start + size; i++) for (const column of columns) parameters.push(rows[i]![column]);
    await records.executeQuery({ ...query, parameters });
    start += size;
  }
}
