import pg from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openRecords } from '../../src/records/database/database.ts';
import { leaseServer } from '../setup/services.ts';

/** A real PostgreSQL for one suite. */
export interface TestPostgres {
  /** Null, or why it cannot be had here. */
  missing: string | null;
  /** URL of a new, empty database. */
  newDatabase: () => Promise<string>;
  /** URL of a new store: a copy of one that was opened once, which takes a tenth of making its tables again. */
  newStore: () => Promise<string>;
  release: () => Promise<void>;
}

export async function leasePostgres(): Promise<TestPostgres> {
  const { missing, settings, release } = await leaseServer('postgres');
  const names: string[] = [];
  const client = missing ? null : new pg.Client(settings.DATABASE_URL);
  await client?.connect();
  const create = async (template = '') => {
    const name = `suite_${process.pid}_${names.length}`;
    names.push(name);
    await client!.query(`create database ${name} ${template && `template ${template}`}`);
    const url = new URL(settings.DATABASE_URL!);
    url.pathname = name;
    return { name, url: url.href };
  };
  const makeTemplate = async () => {
    const { name, url } = await create();
    await (await openRecords({ databaseUrl: url, path: null })).destroy();
    return name;
  };
  let template: Promise<string> | undefined;
  return {
    missing,
    newDatabase: async () => (await create()).url,
    newStore: async () => {
      template ??= makeTemplate();
      return (await create(await template)).url;
    },
    release: async () => {
      for (const name of names) await client!.query(`drop database if exists ${name} with (force)`);
      await client?.end();
      release();
    },
  };
}

/** Leases a PostgreSQL for the tests of a suite, which are skipped where it cannot be had. */
export function usePostgres(): TestPostgres {
  const server = {} as TestPostgres;
  beforeAll(async () => {
    Object.assign(server, await leasePostgres());
  }, 600_000);
  beforeEach(({ skip }) => {
    if (server.missing) skip(server.missing);
  });
  afterAll(() => server.release?.());
  return server;
}
