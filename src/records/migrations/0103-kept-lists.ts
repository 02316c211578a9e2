import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Lists that the service fetches by itself, and where each price came from. */
export async function addKeptLists(db: AnyStore): Promise<void> {
  await sql`create table kept_lists (
    source text not null, place text not null, every_ms bigint not null, as_of_header integer not null,
    added_at bigint not null, next_at bigint not null, state text not null, problem text, version text,
    checked_at bigint, loaded_at bigint,
    constraint kept_lists_key primary key (source, place))`.execute(db);
  await sql`alter table prices add column source text not null default 'file'`.execute(db);
}
