import type { CompiledQuery, DialectAdapter } from 'kysely';
import type { Records } from './database.ts';

const kept = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>();

/** A query compiled once for a store and all its transactions: compiling costs more than most queries take to run. */
export function keepQuery<Row>(records: Records, name: string, compile: () => CompiledQuery<Row>): CompiledQuery<Row> {
  const { adapter } = records.getExecutor();
  if (!kept.has(adapter)) kept.set(adapter, new Map());
  const known = kept.get(adapter)!;
  const query = known.get(name) ?? compile();
  known.set(name, query);
  return query as CompiledQuery<Row>;
}
