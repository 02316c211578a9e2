import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import neo4j, { type Driver } from 'neo4j-driver';
import pg from 'pg';
import { openRecords } from '../../src/records/database/database.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';

/** Real Neo4j, PostgreSQL and Redis, held from beforeAll (of ten minutes) to afterAll. */
export interface ClusterStores {
  /** Null, or why they cannot be had here. */
  missing: string | null;
  /**
   * Empties all three; the settings of a process on them. Records of the last three times stay. `bare`: as no process of the
   * service has seen them, without tables, constraints and indexes.
   */
  empty(how?: { bare: boolean }): Promise<Record<string, string>>;
  /** Lets time pass for the limits in Redis, which has its own clock: what is left of each, to the second, as by this one. */
  pass(ms: number): Promise<void>;
  release(): Promise<void>;
}

/** A test may have several apps open, each on records of its own. */
const DATABASES = 4;

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
  const databaseUrl = (place: number | 'template') => {
    const url = new URL(DATABASE_URL);
    url.pathname = `/cluster_${process.pid}_${place}`;
    return url;
  };
  const template = () => databaseUrl('template');
  if (!missing) {
    await sql(DATABASE_URL, `create database ${nameOf(template())}`);
    await (await openRecords({ databaseUrl: template().href, path: null })).destroy();
  }
  const windows = new Map<string, number>();
  let emptied = 0;
  let passedMs = 0;

  return {
    missing,
    empty: async ({ bare } = { bare: false }) => {
      const url = databaseUrl(emptied % DATABASES);
      emptied += 1;
      windows.clear();
      await Promise.all([
        driver?.executeQuery('MATCH (n) DETACH DELETE n'),
        redis?.flushall(),
        sql(
          DATABASE_URL,
          `drop database if exists ${nameOf(url)} with (force)`,
          `create database ${nameOf(url)} template ${bare ? 'template1' : nameOf(template())}`,
        ),
      ]);
      if (bare && driver) await dropSchema(driver);
      return { ...settings, DATABASE_URL: url.href, DATA_DIR: folder };
    },
    pass: async (ms) => {
      for (const bucket of (await redis?.keys('traceflow:limit:*')) ?? []) {
        const startedAt = windows.get(bucket) ?? passedMs;
        windows.set(bucket, startedAt);
        const leftMs = startedAt + 60_000 - (passedMs + ms);
        if (leftMs <= 0) windows.delete(bucket);
        await redis?.pexpire(bucket, Math.ceil(leftMs / 1_000) * 1_000);
      }
      passedMs += ms;
    },
    release: async () => {
      if (!missing) {
        const all = [template(), ...Array.from({ length: DATABASES }, (_, place) => databaseUrl(place))];
        await sql(DATABASE_URL, ...all.map((url) => `drop database if exists ${nameOf(url)} with (force)`));
      }
      await driver?.close();
      redis?.disconnect();
      for (const server of servers) server.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function dropSchema(driver: Driver): Promise<void> {
  for (const [kind, all] of [
    ['CONSTRAINT', 'CONSTRAINTS'],
    ['INDEX', 'INDEXES'],
  ]) {
    const { records } = await driver.executeQuery(`SHOW ${all} YIELD name, type WHERE type <> 'LOOKUP' RETURN name`);
    for (const record of records) await driver.executeQuery(`DROP ${kind} \`${record.get('name')}\``);
  }
}

function nameOf(database: URL): string {
  return database.pathname.slice(1);
}

async function sql(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
