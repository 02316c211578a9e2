import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  await db.schema
    .createTable('scam_entries')
    .addColumn('seq', postgres ? 'bigserial' : 'integer', (c) => (postgres ? c : c.autoIncrement()).primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('chains', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('domains', 'text', (c) => c.notNull())
    .addColumn('domain_count', 'integer', (c) => c.notNull())
    .addColumn('total_stolen_usd', 'double precision', (c) => c.notNull())
    .addColumn('verified', 'integer', (c) => c.notNull())
    .addColumn('sources', 'text', (c) => c.notNull())
    .addColumn('search_text', 'text', (c) => c.notNull())
    .addColumn('first_seen', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('scam_entries_address', ['address', 'family'])
    .execute();
  await db.schema.createIndex('scam_entries_listed').on('scam_entries').columns(['verified', 'seq']).execute();
  // Holds all that the statistics count, so that they read no entry.
  await db.schema
    .createIndex('scam_entries_counted')
    .on('scam_entries')
    .columns(['verified', 'type', 'severity', 'chains', 'total_stolen_usd', 'updated_at'])
    .execute();

  await db.schema
    .createTable('scam_domains')
    .addColumn('domain', 'text', (c) => c.notNull())
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('loaded_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('scam_domains_key', ['domain', 'family', 'address', 'source'])
    .execute();
  await db.schema.createIndex('scam_domains_address').on('scam_domains').columns(['address', 'family']).execute();
  await db.schema.createIndex('scam_domains_source').on('scam_domains').columns(['source', 'loaded_at']).execute();

  await db.schema
    .createTable('scam_reports')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.references('accounts.id').onDelete('set null'))
    .addColumn('chain', 'text', (c) => c.notNull())
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('domains', 'text', (c) => c.notNull())
    .addColumn('evidence_url', 'text')
    .addColumn('stolen_usd', 'double precision')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('decision_reason', 'text')
    .execute();
  await db.schema.createIndex('scam_reports_address').on('scam_reports').columns(['address', 'family']).execute();
  await db.schema.createIndex('scam_reports_account').on('scam_reports').column('account_id').execute();

  await db.schema
    .createTable('scam_history')
    .addColumn('seq', postgres ? 'bigserial' : 'integer', (c) => (postgres ? c : c.autoIncrement()).primaryKey())
    .addColumn('entry_id', 'text', (c) => c.notNull().references('scam_entries.id').onDelete('cascade'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .execute();
  await db.schema.createIndex('scam_history_entry').on('scam_history').columns(['entry_id', 'seq']).execute();

  if (postgres) await indexOnPostgres(db);
  else await indexOnSqlite(db);
}

/** Without the right to install the extension, searches read all entries: slower, not fewer. */
async function indexOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
    create index scam_entries_search on scam_entries using gin (search_text gin_trgm_ops);
  exception when others then null;
  end $$`.execute(db);
}

/** The index holds no text of its own; triggers keep it in step with the entries. */
async function indexOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table scam_search using fts5(
    search_text, content='scam_entries', content_rowid='seq', tokenize='trigram')`.execute(db);
  await sql`create trigger scam_search_insert after insert on scam_entries begin
    insert into scam_search(rowid, search_text) values (new.seq, new.search_text);
  end`.execute(db);
  await sql`create trigger scam_search_delete after delete on scam_entries begin
    insert into scam_search(scam_search, rowid, search_text) values ('delete', old.seq, old.search_text);
  end`.execute(db);
  await sql`create trigger scam_search_update after update of search_text on scam_entries begin
    insert into scam_search(scam_search, rowid, search_text) values ('delete', old.seq, old.search_text);
    insert into scam_search(rowid, search_text) values (new.seq, new.search_text);
  end`.execute(db);
}
