import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import type { Graph } from '../../src/graph/port.ts';
import { exportFiles, importArguments } from '../../src/operator/export-files.ts';
import { startNeo4j } from '../../test/servers/neo4j.ts';
import { startPostgres } from '../../test/servers/postgres.ts';
import { fill } from './fill.ts';
import { type GraphWorld, keyOf } from './world.ts';

const BATCH = 20_000;
const APOC = 'org.neo4j.procedure:apoc-core:5.26.0:jar:core';

/** A graph file of the embedded engine, in a folder of its own. */
export interface GraphFile {
  folder: string;
  path: string;
  remove(): void;
}

/** A Neo4j with the same graph until `close`, how to log in to it, and whether it has APOC. */
export interface ImportedGraph {
  graph: Graph;
  login: { uri: string; user: string; password: string };
  apoc: boolean;
  close(): Promise<void>;
}

/** The world in a graph file. */
export async function graphFile(world: GraphWorld): Promise<GraphFile> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const path = join(folder, 'graph.grafeo');
  const graph = await openGrafeo({ path: null });
  await fill(graph, world);
  await graph.copyTo?.(path);
  await graph.close();
  return { folder, path, remove: () => rmSync(folder, { recursive: true }) };
}

/** The file's contents in a real Neo4j, by way of the export files; with APOC where it can be fetched. */
export async function imported({ path, folder }: GraphFile): Promise<ImportedGraph> {
  const files = join(folder, 'export');
  const graph = await openGrafeo({ path });
  await exportFiles(graph, files).finally(() => graph.close());
  const plugin = fetchApoc();
  const admin = importArguments(files, { isMultiline: false });
  const server = await startNeo4j({ admin, ...(plugin ? { plugin } : {}), pageCacheMib: 1_024 });
  const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
  const remote = await openNeo4j({ uri, user, password });
  return {
    graph: remote,
    login: { uri, user, password },
    apoc: plugin !== undefined,
    close: async () => {
      await remote.close();
      await server.stop();
    },
  };
}

/** Flows and categories as two tables with the indexes that the recursion needs. */
export async function relational(world: GraphWorld): Promise<{ db: pg.Client; close(): Promise<void> }> {
  const server = await startPostgres();
  const db = new pg.Client({ connectionString: server.settings.DATABASE_URL });
  await db.connect();
  await db.query('CREATE UNLOGGED TABLE flow (payer text NOT NULL, payee text NOT NULL, usd double precision)');
  await db.query('CREATE UNLOGGED TABLE service (key text PRIMARY KEY, category text NOT NULL)');
  let rows: Transfer[] = [];
  const insert = async () => {
    const of = (pick: (transfer: Transfer) => unknown) => rows.map(pick);
    await db.query('INSERT INTO flow SELECT * FROM unnest($1::text[], $2::text[], $3::float8[])', [
      of((t) => keyOf(t.from)),
      of((t) => keyOf(t.to)),
      of((t) => t.usd),
    ]);
    rows = [];
  };
  for (const transfer of world.transfers()) if (rows.push(transfer) === BATCH) await insert();
  await insert();
  const labels = [...world.labels];
  await db.query('INSERT INTO service SELECT * FROM unnest($1::text[], $2::text[])', [
    labels.map(([key]) => key),
    labels.map(([, label]) => label.category),
  ]);
  await db.query('CREATE INDEX ON flow (payee) INCLUDE (payer)');
  await db.query('VACUUM ANALYZE flow');
  await db.query('ANALYZE service');
  return {
    db,
    close: async () => {
      await db.end();
      await server.stop();
    },
  };
}

/** The jar, fetched once by Maven for all checkouts of this user; undefined where that cannot be. */
function fetchApoc(): string | undefined {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'traceflow', 'apoc');
  const jar = join(cache, 'apoc-core-5.26.0-core.jar');
  if (existsSync(jar)) return jar;
  mkdirSync(cache, { recursive: true });
  const copy = ['-B', '-q', 'dependency:copy', `-Dartifact=${APOC}`, `-DoutputDirectory=${cache}`];
  spawnSync('mvn', copy, { cwd: cache, stdio: 'ignore' });
  return existsSync(jar) ? jar : undefined;
}
