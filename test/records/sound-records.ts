import { sql } from 'kysely';
import { expect } from 'vitest';
import { listChains, verifyChain } from '../../src/records/audit/keep-audit.ts';
import type { Records } from '../../src/records/database/database.ts';
import { isPostgres } from '../../src/records/dialect.ts';
import { sumsOfStored } from '../../src/records/stored-bytes.ts';

/** What `traceflow check` finds in a file must not be in a store in memory either; PostgreSQL keeps references by itself. */
export async function expectSoundRecords(records: Records): Promise<void> {
  await expectStoredBytesCounted(records);
  if (isPostgres(records)) return;
  const structure = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(records);
  expect(structure.rows).toEqual([{ integrity_check: 'ok' }]);
  expect((await sql`pragma foreign_key_check`.execute(records)).rows).toEqual([]);
}

/** The count of each account is what its records are together. */
export async function expectStoredBytesCounted(records: Records): Promise<void> {
  const { rows } = await sumsOfStored.execute(records);
  const sums = new Map(rows.map(({ account_id, bytes }) => [account_id, Number(bytes)]));
  const counted = await records.selectFrom('accounts').select(['id', 'stored_bytes']).execute();
  expect(counted).toEqual(counted.map(({ id }) => ({ id, stored_bytes: sums.get(id) ?? 0 })));
}

export async function expectUnbrokenAudit(records: Records): Promise<void> {
  for (const chain of await listChains(records)) expect((await verifyChain(records, chain)).problem).toBeNull();
}
