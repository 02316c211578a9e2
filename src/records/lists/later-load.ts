import { type RawBuilder, sql } from 'kysely';

/**
 * Keeps the stamp of the later of two loads that state a row: where two run at once, the one that began first may write last,
 * and what the other one states must not look absent from it.
 */
export function laterOf(table: 'labels' | 'scam_domains'): RawBuilder<number> {
  const stamp = sql.ref(`${table}.loaded_at`);
  return sql<number>`case when excluded.loaded_at > ${stamp} then excluded.loaded_at else ${stamp} end`;
}
