import Database from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../../../../src/records/database/tables.ts';
import { migrations } from '../../../../src/records/migrations/list.ts';

it('keeps the notes of an older schema, and reads the events out of what the service had written', async () => {
  const sqlite = new Database(':memory:');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  onTestFinished(() => db.destroy());
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  expect((await migrator.migrateTo('0081-match-decisions')).error).toBeUndefined();
  sqlite.pragma('foreign_keys = OFF');
  const match = 'Likely match of ethereum 0xout with base 0xin confirmed: amount fits\nand time too';
  const notes: [author: string, type: string, content: string, event: object | null][] = [
    ['system', 'comment', 'Report downloaded as PDF', { kind: 'report_downloaded' }],
    ['system', 'comment', 'Report package generated: 7', { kind: 'package_generated', generation_id: '7' }],
    [
      'system',
      'comment',
      'Status changed from open to in_review',
      { kind: 'status_changed', from: 'open', to: 'in_review' },
    ],
    ['system', 'comment', 'Anything else', null],
    // A key of that name wrote them: no answer could show these values.
    ['system', 'comment', 'Status changed from here to there', null],
    ['Ana', 'decision', 'Likely match of eth 0xout with base 0xin confirmed: by hand', null],
    ['Ana', 'comment', 'Report downloaded as PDF', null],
    ['Ana', 'decision', 'Asked the exchange', null],
    [
      'Ana',
      'decision',
      match,
      {
        kind: 'match_decided',
        decision: 'confirmed',
        source: { chain: 'ethereum', tx_hash: '0xout' },
        destination: { chain: 'base', tx_hash: '0xin' },
        reason: 'amount fits\nand time too',
      },
    ],
  ];
  // More than one step of the migration reads at once.
  const all = Array.from({ length: 90 }, () => notes).flat();
  const insert = sqlite.prepare(
    `insert into case_notes (id, case_id, content, note_type, author, created_at) values (?, 'c', ?, ?, ?, ?)`,
  );
  for (const [index, [author, type, content]] of all.entries()) {
    insert.run(String(index).padStart(4, '0'), content, type, author, index);
  }

  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  const rows = await db.selectFrom('case_notes').selectAll().orderBy('id').execute();
  expect(rows.map(({ content, event }) => [content, event && JSON.parse(event)])).toEqual(
    all.map(([, , content, event]) => [content, event]),
  );
});
