import { sql } from 'kysely';
import { foldForSearch } from '../../domain/text/search-words.ts';
import { type AnyStore, isPostgres } from '../dialect.ts';

interface Name {
  label: string;
  source: string;
  entity: string | null;
}

const LABELS_AT_ONCE = 500;

/** The distinct names of labels with an index of their text, as the scam database has one: a few for many addresses. */
export async function nameKnownLabels(db: AnyStore): Promise<void> {
  const seq = isPostgres(db) ? 'bigserial primary key' : 'integer primary key autoincrement';
  await sql`create table label_names (
    seq ${sql.raw(seq)}, label text not null, source text not null, entity text not null, search_text text not null,
    constraint label_names_key unique (label, source, entity))`.execute(db);
  await sql`create index labels_label on labels (label, source)`.execute(db);
  await addNames(db);
  if (isPostgres(db)) {
    // Without the right to install the extension, searches read all names: slower, not fewer.
    await sql`do $$ begin
      create extension if not exists pg_trgm;
      create index label_names_search on label_names using gin (search_text gin_trgm_ops);
    exception when others then null;
    end $$`.execute(db);
  } else {
    await sql`create virtual table label_search using fts5(
      search_text, content='label_names', content_rowid='seq', tokenize='trigram', detail='none')`.execute(db);
    await sql`insert into label_search (rowid, search_text) select seq, search_text from label_names`.execute(db);
  }
}

/** Names of the labels that the store holds already, some at a time. */
async function addNames(db: AnyStore): Promise<void> {
  for (let last = ''; ; ) {
    const { rows } = await sql<{ label: string }>`select distinct label from labels where label > ${last}
      order by label limit ${LABELS_AT_ONCE}`.execute(db);
    const end = rows.at(-1)?.label;
    if (end === undefined) return;
    const { rows: names } = await sql<Name>`select distinct label, source, entity from labels
      where label > ${last} and label <= ${end}`.execute(db);
    for (let start = 0; start < names.length; start += LABELS_AT_ONCE) {
      const values = names.slice(start, start + LABELS_AT_ONCE).map(({ label, source, entity }) => ({
        label,
        source,
        entity: entity ?? '',
        search_text: foldForSearch([label, entity ?? '', source].join('\n')),
      }));
      await db
        .insertInto('label_names')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    last = end;
  }
}
