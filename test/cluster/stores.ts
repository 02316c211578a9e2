import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import neo4j from 'neo4j-driver';
import pg from 'pg';
import { type LeasedServer, leaseServer } from '../services.ts';

/** Real Neo4j, PostgreSQL and Redis, held from beforeAll (of ten minutes) to afterAll. */
export interface ClusterStores {
  /** Null, or why they cannot be had here. */
  missing: string | null;
  /** Empties all three; the settings of a process on them. Records of the last three times stay. */
  empty(): Promise<Record<string, string>>;
  /** Lets every rate limit begin anew: Redis counts by its own clock. */
  forgetLimits(): Promise<void>;
  release(): Promise<void>;
}

/** A test may have several apps open, each on records of its own; a database that is used again keeps its tables. */
const DATABASES = 4;
const DELETE_ROWS = `
  do $$ declare name text; begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      execute format('delete from %I', name);
    end loop;
  end $$`;

export async function leaseClusterStores(): Promise<ClusterStores> {
  const servers: LeasedServer[] = [];
  // One after the other, always in this order: two suites never wait for each other.
  for (const name of ['neo4j', 'postgres', 'redis'] as const) servers.push(await leaseServer(name));
  const missing = servers.map((server) => server.missing).find((reason) => reason !== null) ?? null;
  const settings: Record<string, string> = Object.assign({}, ...servers.map((server) => server.settings));
  const { NEO4J_URI = '', NEO4J_USER = '', NEO4J_PASSWORD = '', DATABASE_URL = '', REDIS_URL = '' } = settings;
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-cluster-'));
  const driver = missing ? null : neo4j.driver(NEO4J_URI, neo4j.auth.basic(NEO4J_USER, NEO4J_PASSWORD));
  const redis = missing ? null : new Redis(REDIS_URL);
  const databaseUrl = (place: number) => {
    const url = new URL(DATABASE_URL);
    url.pathname = `/cluster_${process.pid}_${place}`;
    return url;
  };
  let emptied = 0;

  return {
    missing,
    empty: async () => {
      const url = databaseUrl(emptied % DATABASES);
      await Promise.all([
        driver?.executeQuery('MATCH (n) DETACH DELETE n'),
        redis?.flushall(),
        emptied < DATABASES
          ? sql(DATABASE_URL, `create database ${url.pathname.slice(1)}`)
          : sql(url.href, DELETE_ROWS),
      ]);
      emptied += 1;
      return { ...settings, DATABASE_URL: url.href, DATA_DIR: folder };
    },
    forgetLimits: async () => {
      const keys = (await redis?.keys('traceflow:limit:*')) ?? [];
      if (keys.length > 0) await redis?.del(keys);
    },
    release: async () => {
      for (let place = 0; place < Math.min(emptied, DATABASES); place++) {
        await sql(DATABASE_URL, `drop database ${databaseUrl(place).pathname.slice(1)} with (force)`);
      }
      await driver?.close();
      redis?.disconnect();
      for (const server of servers) server.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sql(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
