import type { Migration } from 'kysely';
import { up as firstTables } from './0001-first-tables.ts';

/** Every step of the schema in order; a step that was released is never changed again. */
export const migrations: Record<string, Migration> = {
  '0001-first-tables': { up: firstTables },
};
