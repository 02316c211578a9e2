import Database from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../../../../src/records/database/tables.ts';
import { migrations } from '../../../../src/records/migrations/list.ts';
import { validPreviousSecrets } from '../../../../src/records/monitoring/webhook-configs.ts';

it('keeps the secret before a rotation, and events without deliveries, of an older schema', async () => {
  const sqlite = new Database(':memory:');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  onTestFinished(() => db.destroy());
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  expect((await migrator.migrateTo('0060-watch-label-state')).error).toBeUndefined();
  sqlite.pragma('foreign_keys = OFF');
  const insert = sqlite.prepare(`insert into webhook_configs
    (id, account_id, webhook_url, description, events, is_active, secret, previous_secret, previous_secret_until, created_at)
    values (?, 'a', 'https://hooks.example.com/', '', '[]', 1, 'now', ?, ?, 0)`);
  insert.run('never', null, null);
  insert.run('rotated', 'before', 5_000);
  sqlite.exec(`insert into events (id, type, account_id, subject, payload, created_at)
    values ('e', 'scan.completed', 'a', 's', '{}', 0)`);

  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  const rows = await db.selectFrom('webhook_configs').selectAll().orderBy('id').execute();
  expect(rows.map((row) => validPreviousSecrets(row, 4_999))).toEqual([[], [{ secret: 'before', until: 5_000 }]]);
  expect(rows.map((row) => validPreviousSecrets(row, 5_000))).toEqual([[], []]);
  expect(await db.selectFrom('events').select(['id', 'dispatch_after']).execute()).toEqual([
    { id: 'e', dispatch_after: 0 },
  ]);
});
