import { sql } from 'kysely';
import { expect } from 'vitest';
import { listChains, verifyChain } from '../../src/records/audit/keep-audit.ts';
import type { Records } from '../../src/records/database/database.ts';
import { isPostgres } from '../../src/records/dialect.ts';

/** What `traceflow check` finds in a file must not be in a store in memory either; PostgreSQL keeps references by itself. */
export async function expectSoundSqlite(records: Records): Promise<void> {
  if (isPostgres(records)) return;
  const structure = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(records);
  expect(structure.rows).toEqual([{ integrity_check: 'ok' }]);
  expect((await sql`pragma foreign_key_check`.execute(records)).rows).toEqual([]);
}

export async function expectUnbrokenAudit(records: Records): Promise<void> {
  for (const chain of await listChains(records)) expect((await verifyChain(records, chain)).problem).toBeNull();
}
