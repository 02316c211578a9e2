import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The record store: Kysely over SQLite or PostgreSQL. */
export type Records = Kysely<Tables>;
