import pg from 'pg';
import { leaseServer } from '../setup/services.ts';

/** A real PostgreSQL for one suite, from beforeAll (of ten minutes) to afterAll. */
export interface TestPostgres {
  /** Null, or why it cannot be had here. */
  missing: string | null;
  /** URL of a new, empty database. */
  newDatabase: () => Promise<string>;
  release: () => Promise<void>;
}

export async function leasePostgres(): Promise<TestPostgres> {
  const { missing, settings, release } = await leaseServer('postgres');
  const names: string[] = [];
  const ask = async (statement: string) => {
    const client = new pg.Client(settings.DATABASE_URL);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return {
    missing,
    newDatabase: async () => {
      const name = `suite_${process.pid}_${names.length}`;
      names.push(name);
      await ask(`create database ${name}`);
      const url = new URL(settings.DATABASE_URL!);
      url.pathname = `/${name}`;
      return url.href;
    },
    release: async () => {
      for (const name of names) await ask(`drop database if exists ${name} with (force)`);
      release();
    },
  };
}
