import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

/**
 * SQLite's full-text index takes new entries many at once, and stores which texts hold three characters, but not where: the
 * texts themselves are searched for that. Its rows still follow their entries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) return;
  for (const trigger of ['scam_search_insert', 'scam_search_delete', 'scam_search_update']) {
    await sql`drop trigger ${sql.ref(trigger)}`.execute(db);
  }
  await sql`drop table scam_search`.execute(db);
  await sql`create virtual table scam_search using fts5(
    search_text, content='scam_entries', content_rowid='seq', tokenize='trigram', detail='none')`.execute(db);
  await sql`insert into scam_search(scam_search) values ('rebuild')`.execute(db);
  await sql`create trigger scam_search_delete after delete on scam_entries
  when old.seq <= (select max(id) from scam_search_docsize) begin
    insert into scam_search(scam_search, rowid, search_text) values ('delete', old.seq, old.search_text);
  end`.execute(db);
  await sql`create trigger scam_search_update after update of search_text on scam_entries
  when new.search_text <> old.search_text and old.seq <= (select max(id) from scam_search_docsize) begin
    insert into scam_search(scam_search, rowid, search_text) values ('delete', old.seq, old.search_text);
    insert into scam_search(rowid, search_text) values (new.seq, new.search_text);
  end`.execute(db);
}
