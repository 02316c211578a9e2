import Database from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../../../../src/records/database/tables.ts';
import { migrations } from '../../../../src/records/migrations/list.ts';

it('keeps the discoveries of an older schema, and takes the same address on another chain beside them', async () => {
  const sqlite = new Database(':memory:');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  onTestFinished(() => db.destroy());
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  expect((await migrator.migrateTo('0070-bridge-contracts')).error).toBeUndefined();
  sqlite.pragma('foreign_keys = OFF');
  const insert = () =>
    sqlite.prepare(`insert into discoveries
      (id, account_id, item_id, chain, address, hop, direction, category, label, risk_level, risk_score, usd, path, status,
       discovered_at)
      values (?, 'a', 'i', ?, '0xa', 1, 'sent', 'unknown', null, 'UNKNOWN', 0, 9.5, '[]', 'dismissed', 7)`);
  insert().run('old', 'ethereum');
  expect(() => insert().run('new', 'base')).toThrow(/UNIQUE/);

  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  insert().run('new', 'base');
  expect(() => insert().run('twice', 'base')).toThrow(/UNIQUE/);
  const rows = await db.selectFrom('discoveries').selectAll().orderBy('id').execute();
  expect(rows).toMatchObject([
    { id: 'new', chain: 'base' },
    { id: 'old', chain: 'ethereum', usd: 9.5, status: 'dismissed', discovered_at: 7, label: null },
  ]);
});
