import { existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { GRAPH_FILE, openDataDir, RECORDS_FILE } from '../data-folder/data-dir.ts';
import { ConflictError, InvalidInputError } from '../errors.ts';
import { assertGrafeoUnused } from '../graph/grafeo/graph-file.ts';
import { assertSqliteUnused } from '../records/database/sqlite-copy.ts';
import { type BackupManifest, embeddedStores, readBackup } from './backup.ts';

/**
 * Puts a checked backup into DATA_DIR. Throws InvalidInputError when it is damaged or of other stores,
 * UnavailableError while a process holds the data, ConflictError when there are data and no `force`.
 */
export async function restore(config: Config, folder: string, { force }: { force: boolean }): Promise<BackupManifest> {
  const manifest = await readBackup(folder);
  const { DATA_DIR: dataDir } = config;
  const names = manifest.files.map((file) => file.name);
  const stores = embeddedStores(config);
  for (const store of [RECORDS_FILE, GRAPH_FILE]) {
    if (names.includes(store) === stores.includes(store)) continue;
    throw new InvalidInputError(
      names.includes(store)
        ? `The backup holds ${store}, which these settings do not use`
        : `The backup holds no ${store}, which these settings need`,
    );
  }

  openDataDir(dataDir);
  await assertSqliteUnused(join(dataDir, RECORDS_FILE));
  await assertGrafeoUnused(join(dataDir, GRAPH_FILE));
  const present = names.filter((name) => existsSync(join(dataDir, name)));
  if (present.length > 0 && !force) {
    throw new ConflictError(`${dataDir} holds ${present.join(', ')} already; --force replaces them`);
  }

  for (const name of names) await copyFile(join(folder, name), join(dataDir, `${name}.restoring`));
  // A log beside a store belongs to the state that goes.
  for (const log of [`${RECORDS_FILE}-wal`, `${RECORDS_FILE}-shm`, `${GRAPH_FILE}.wal`]) {
    await rm(join(dataDir, log), { recursive: true, force: true });
  }
  for (const name of names) await rename(join(dataDir, `${name}.restoring`), join(dataDir, name));
  return manifest;
}
