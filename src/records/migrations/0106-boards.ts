import { sql } from 'kysely';
import { type AnyStore, isPostgres } from '../dialect.ts';

/** Boards and their newest versions. A board outlives the case that it is attached to. */
export async function addBoards(db: AnyStore): Promise<void> {
  await sql`create table boards (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    case_id text references cases (id) on delete set null, title text not null, version integer not null,
    created_at bigint not null)`.execute(db);
  await sql`create index boards_account on boards (account_id)`.execute(db);
  await sql`create index boards_case on boards (case_id)`.execute(db);
  // The scene is last: SQLite reads all of a column to reach those after it.
  await sql`create table board_versions (
    board_id text not null references boards (id) on delete cascade, version integer not null,
    account_id text not null, title text not null, bytes integer not null, nodes integer not null,
    author text not null, saved_at bigint not null, scene ${sql.raw(isPostgres(db) ? 'bytea' : 'blob')} not null,
    constraint board_versions_key primary key (board_id, version))`.execute(db);
  await sql`create index board_versions_held on board_versions (account_id, saved_at, bytes)`.execute(db);
}
