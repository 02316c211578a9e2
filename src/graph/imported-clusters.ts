import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Chain } from '../domain/chain.ts';
import { dayOf } from '../domain/time.ts';
import { InvalidInputError, UnavailableError } from '../errors.ts';

/** The part of `@duckdb/node-api` that clusters need: the package is optional, and nothing else loads it. */
interface DuckDb {
  DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<Instance> };
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  runAndReadAll(sql: string, values: readonly string[]): Promise<{ getRowObjects(): Record<string, unknown>[] }>;
  closeSync(): void;
}
/** Runs a statement and returns its rows. */
type Ask = (sql: string, values?: readonly string[]) => Promise<Record<string, unknown>[]>;

const DUCKDB = '@duckdb/node-api';
const INSTALL = `Clusters need the package ${DUCKDB}: npm install ${DUCKDB}@1.5.6-r.1`;
const FOLDER = 'clusters';
const ADDRESS = ['address'];
const CLUSTER = ['cluster_id', 'cluster'];
/** Types of columns; bytes are text that its writer did not mark as such. */
const TEXT = /^(?:VARCHAR|BLOB)$/;
const TEXT_OR_WHOLE = /^(?:VARCHAR|BLOB|UUID|U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?)$/;
/** Members that an answer lists at most. */
const MEMBERS_MAX = 100;

/** The clusters of a chain that others computed. */
interface Imported {
  /** The name of the file. */
  source: string;
  /** The day of the list, ISO 8601. */
  day: string;
  /** The folder that holds it, below that of all clusters. */
  folder: string;
}

/** The cluster of an address. */
export interface ImportedCluster {
  basis: 'imported';
  source: string;
  day: string;
  /** Null where the list does not hold the address. */
  cluster: string | null;
  size: number;
  /** The first of its addresses. */
  members: string[];
}

export interface ClusterLoad {
  read: number;
  loaded: number;
  skipped: number;
}

/**
 * Keeps the clusters of a chain (address, cluster id) from a Parquet or CSV file as Parquet in `dataDir`, in the place of those
 * before. Addresses with two clusters are in none. Throws InvalidInputError for a file of other columns or without a row that can be
 * used, UnavailableError without DuckDB.
 */
export async function keepClusters(
  dataDir: string,
  { chain, input, source, at }: { chain: Chain; input: string; source: string; at: number },
): Promise<ClusterLoad> {
  const known = await stat(input).catch(() => null);
  if (!known?.isFile()) throw new InvalidInputError(`${input}: clusters are read from a file on this machine`);
  const base = join(dataDir, FOLDER);
  const folder = `${chain}-${randomBytes(6).toString('hex')}`;
  try {
    const counts = await withDuckDb(base, (ask) => copyClusters(ask, input, join(base, folder)));
    if (counts.loaded === 0) throw new InvalidInputError(`${input}: none of ${counts.read} rows can be used`);
    const before = await readImported(dataDir, chain);
    const note = join(base, `${chain}.json`);
    await writeFile(`${note}.new`, JSON.stringify({ source, day: dayOf(at), folder } satisfies Imported));
    await rename(`${note}.new`, note);
    if (before) await rm(join(base, before.folder), { recursive: true, force: true });
    return counts;
  } catch (error) {
    await rm(join(base, folder), { recursive: true, force: true });
    throw error;
  }
}

/** Writes the rows of a file sorted by address and sorted by cluster. */
async function copyClusters(ask: Ask, input: string, folder: string): Promise<ClusterLoad> {
  const isCsv = extname(input).toLowerCase() === '.csv';
  const table = isCsv ? 'read_csv(?, header = true, all_varchar = true)' : 'read_parquet(?)';
  const unreadable = (cause: Error) => {
    throw new InvalidInputError(`${input} cannot be read as Parquet or CSV: ${cause.message.split('\n')[0]}`, {
      cause,
    });
  };
  const columns = await ask(`DESCRIBE SELECT * FROM ${table}`, [input]).catch(unreadable);
  const types = new Map(columns.map((one) => [String(one.column_name), String(one.column_type)]));
  const named = (wanted: readonly string[]) => [...types.keys()].find((name) => wanted.includes(name.toLowerCase()));
  const [addressName, clusterName] = [named(ADDRESS), named(CLUSTER)];
  if (addressName === undefined || clusterName === undefined) {
    const found = [...types.keys()].join(', ');
    throw new InvalidInputError(`${input}: the columns address and cluster_id are wanted, and the file has ${found}`);
  }
  for (const [name, allowed] of [
    [addressName, TEXT],
    [clusterName, TEXT_OR_WHOLE],
  ] as const) {
    const type = types.get(name)!;
    if (!allowed.test(type)) throw new InvalidInputError(`${input}: the column ${name} is of the type ${type}`);
  }
  const [address, cluster] = [quoted(addressName), quoted(clusterName)];
  const text = `trim(CAST(${address} AS VARCHAR))`;
  const canonical = `CASE WHEN lower(${text}) LIKE 'bc1%' OR lower(${text}) LIKE '0x%' THEN lower(${text}) ELSE ${text} END`;
  await ask(
    `CREATE TABLE found AS SELECT ${canonical} AS address, min(CAST(${cluster} AS VARCHAR)) AS cluster
    FROM ${table} WHERE ${text} <> '' AND ${cluster} IS NOT NULL GROUP BY 1 HAVING count(DISTINCT ${cluster}) = 1`,
    [input],
  ).catch(unreadable);
  await mkdir(folder, { recursive: true });
  for (const [name, order] of [
    ['address', 'address'],
    ['cluster', 'cluster, address'],
  ] as const) {
    const path = join(folder, `by-${name}.parquet`).replaceAll("'", "''");
    await ask(
      `COPY (SELECT address, cluster FROM found ORDER BY ${order}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  }
  const count = async (from: string, values?: string[]) =>
    Number((await ask(`SELECT count(*) AS n FROM ${from}`, values))[0]!.n);
  const [read, loaded] = [await count(table, [input]), await count('found')];
  return { read, loaded, skipped: read - loaded };
}

/** Looks up an address in the clusters that were loaded for its chain; null where none were. */
export async function findCluster(dataDir: string, chain: Chain, address: string): Promise<ImportedCluster | null> {
  const imported = await readImported(dataDir, chain);
  if (!imported) return null;
  const found = await findIn(dataDir, imported, address).catch(async (error: Error) => {
    const now = await readImported(dataDir, chain);
    if (now?.folder === imported.folder) throw error;
    return null;
  });
  // A load took its place meanwhile.
  return found ?? findCluster(dataDir, chain, address);
}

async function findIn(dataDir: string, { source, day, folder }: Imported, address: string): Promise<ImportedCluster> {
  const base = join(dataDir, FOLDER);
  const known = { basis: 'imported', source, day } as const;
  return withDuckDb(base, async (ask) => {
    const from = (order: string) => `FROM read_parquet(?) WHERE ${order} = ?`;
    const [byAddress, byCluster] = ['address', 'cluster'].map((order) => join(base, folder, `by-${order}.parquet`));
    const [found] = await ask(`SELECT cluster ${from('address')}`, [byAddress!, address]);
    if (!found) return { ...known, cluster: null, size: 0, members: [] };
    const cluster = String(found.cluster);
    const [sum] = await ask(`SELECT count(*) AS n ${from('cluster')}`, [byCluster!, cluster]);
    const rows = await ask(`SELECT address ${from('cluster')} ORDER BY 1 LIMIT ${MEMBERS_MAX}`, [byCluster!, cluster]);
    return { ...known, cluster, size: Number(sum!.n), members: rows.map((row) => String(row.address)) };
  });
}

async function readImported(dataDir: string, chain: Chain): Promise<Imported | null> {
  const text = await readFile(join(dataDir, FOLDER, `${chain}.json`), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Imported);
}

/** Gives a database in memory for a moment, which sorts in `folder` and asks the network for nothing. */
async function withDuckDb<T>(folder: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { DuckDBInstance } = (await import(DUCKDB).catch((cause) => {
    throw new UnavailableError(INSTALL, 60, { cause });
  })) as DuckDb;
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: '2GB',
    threads: '2',
    temp_directory: join(folder, 'sorting'),
  });
  const connection = await instance.connect();
  try {
    return await work(async (sql, values = []) => (await connection.runAndReadAll(sql, values)).getRowObjects());
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
