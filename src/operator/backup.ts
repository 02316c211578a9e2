import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { GRAPH_FILE, LABEL_KEY_FILE, RECORDS_FILE, SECRET_KEY_FILE } from '../data-folder/data-dir.ts';
import { makeFolder } from '../data-folder/make-folder.ts';
import { iso } from '../domain/time.ts';
import { InvalidInputError } from '../errors.ts';
import { snapshotSqlite } from '../records/database/sqlite-copy.ts';
import { migrations } from '../records/migrations/list.ts';
import { refuseSchema } from '../records/migrations/migrate.ts';
import { packageFolder } from '../version.ts';

const MANIFEST_FILE = 'manifest.json';
const FORMAT = 1;

interface BackupFile {
  name: string;
  bytes: number;
  sha256: string;
}

export interface BackupManifest {
  format: typeof FORMAT;
  created_at: string;
  versions: { traceflow: string; grafeo: string; records_schema: string };
  files: BackupFile[];
}

/** The stores that DATA_DIR holds under these settings; what lies in servers is backed up with their own tools. */
export function embeddedStores(config: Config): string[] {
  return [...(config.DATABASE_URL ? [] : [RECORDS_FILE]), ...(config.NEO4J_URI ? [] : [GRAPH_FILE])];
}

/** Throws InvalidInputError where no store is embedded, or DATA_DIR holds none. */
export function refuseBackup(config: Config): void {
  const stores = embeddedStores(config);
  if (stores.length === 0) {
    throw new InvalidInputError(
      'Nothing to copy: the graph is in Neo4j and the records are in PostgreSQL, whose own tools back them up (docs/operations.md)',
    );
  }
  if (!stores.some((name) => existsSync(join(config.DATA_DIR, name)))) {
    throw new InvalidInputError(`Nothing to copy: ${config.DATA_DIR} holds no store; set DATA_DIR as for the service`);
  }
}

/**
 * Copies the embedded stores and the generated keys into an empty folder. The records are those of the moment when it began, the graph is
 * that of a later moment: whatever the records speak of is in it. The manifest comes last: without it there is no backup.
 */
export async function backUp(ctx: Context, folder: string): Promise<BackupManifest> {
  const { config, graph, now } = ctx;
  refuseBackup(config);
  const createdAt = iso(now());
  makeFolder(folder, 0o700);
  if ((await readdir(folder)).length > 0) throw new InvalidInputError(`${folder} is not empty`);

  if (!config.DATABASE_URL) {
    const records = await snapshotSqlite(join(config.DATA_DIR, RECORDS_FILE));
    try {
      await records.copyTo(join(folder, RECORDS_FILE));
    } finally {
      records.close();
    }
  }
  if (graph.copyTo) {
    await graph.copyTo(join(folder, GRAPH_FILE));
    await chmod(join(folder, GRAPH_FILE), 0o600);
  }
  for (const name of [SECRET_KEY_FILE, LABEL_KEY_FILE]) {
    const key = join(config.DATA_DIR, name);
    if (existsSync(key)) await copyFile(key, join(folder, name));
  }

  const manifest: BackupManifest = {
    format: FORMAT,
    created_at: createdAt,
    versions: versions(),
    files: await Promise.all((await readdir(folder)).sort().map((name) => describeFile(folder, name))),
  };
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
}

/** Reads the manifest and checks every file against it. Throws InvalidInputError naming what does not fit. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST_FILE);
  if (!existsSync(path))
    throw new InvalidInputError(`${folder} holds no finished backup: there is no ${MANIFEST_FILE}`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as BackupManifest;
  if (manifest.format !== FORMAT) throw new InvalidInputError(`${path} is not of a format that this version reads`);
  const { traceflow, records_schema: schema } = manifest.versions;
  refuseSchema(schema, traceflow);
  for (const { name, sha256 } of manifest.files) {
    if (/[/\\]/.test(name)) throw new InvalidInputError(`${path} names a file outside of the backup: ${name}`);
    if (!existsSync(join(folder, name))) throw new InvalidInputError(`${name} is missing in the backup`);
    const found = await describeFile(folder, name);
    if (found.sha256 !== sha256) throw new InvalidInputError(`${name} is damaged: its SHA-256 is not the manifest's`);
  }
  return manifest;
}

async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const path = join(folder, name);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { name, bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

function versions(): BackupManifest['versions'] {
  const { version, dependencies } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  return {
    traceflow: version,
    grafeo: dependencies['@grafeo-db/js'],
    records_schema: Object.keys(migrations).sort().at(-1)!,
  };
}
