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
  /** Empties all three; the settings of a process on them. */
  empty(): Promise<Record<string, string>>;
  /** Lets every rate limit begin anew: Redis counts by its own clock. */
  forgetLimits(): Promise<void>;
  release(): Promise<void>;
}

export async function leaseClusterStores(): Promise<ClusterStores> {
  const servers: LeasedServer[] = [];
  // One after the other, always in this order: two suites never wait for each other.
  for (const name of ['neo4j', 'postgres', 'redis'] as const) servers.push(await leaseServer(name));
  const missing = servers.map((server) => server.missing).find((reason) => reason !== null) ?? null;
  const settings: Record<string, string> = Object.assign({}, ...servers.map((server) => server.settings));
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-cluster-'));
  const databases: string[] = [];

  return {
    missing,
    empty: async () => {
      const { NEO4J_URI = '', NEO4J_USER = '', NEO4J_PASSWORD = '', DATABASE_URL = '', REDIS_URL = '' } = settings;
      const driver = neo4j.driver(NEO4J_URI, neo4j.auth.basic(NEO4J_USER, NEO4J_PASSWORD));
      await driver.executeQuery('MATCH (n) DETACH DELETE n').finally(() => driver.close());
      const redis = new Redis(REDIS_URL);
      await redis.flushall().finally(() => redis.disconnect());
      const database = `cluster_${process.pid}_${databases.length}`;
      await sql(DATABASE_URL, `create database ${database}`);
      databases.push(database);
      const url = new URL(DATABASE_URL);
      url.pathname = `/${database}`;
      return { ...settings, DATABASE_URL: url.href, DATA_DIR: folder };
    },
    forgetLimits: async () => {
      const redis = new Redis(settings.REDIS_URL!);
      const keys = await redis.keys('traceflow:limit:*');
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
    release: async () => {
      for (const database of databases) {
        await sql(settings.DATABASE_URL!, `drop database if exists ${database} with (force)`);
      }
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
