import { chmodSync, existsSync } from 'node:fs';
import { UnavailableError } from '../../errors.ts';
import { openSqliteFile } from './sqlite-driver.ts';

const PAGES_PER_STEP = 500;

export interface Snapshot {
  /** Writes the records of the snapshot's moment into a new file, whatever is written meanwhile. */
  copyTo(path: string): Promise<void>;
  close(): void;
}

/** Holds the state of a SQLite file at this moment while others read and write it. Throws the driver's error. */
export async function snapshotSqlite(path: string): Promise<Snapshot> {
  const source = openSqliteFile(path, { readonly: true, fileMustExist: true });
  // An open read transaction fixes the snapshot: without one, each write of another connection restarts the copy.
  source.exec('begin');
  source.prepare('select count(*) from sqlite_master').get();
  return {
    copyTo: async (target) => {
      await source.backup(target, { progress: () => PAGES_PER_STEP });
      chmodSync(target, 0o600);
    },
    close: () => source.close(),
  };
}

/** Throws UnavailableError when any process has the file open, itself included. A file that is none is nobody's. */
export async function assertSqliteUnused(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const file = openSqliteFile(path, { timeout: 0 });
  try {
    file.pragma('locking_mode = EXCLUSIVE');
    file.exec('begin exclusive');
    file.exec('rollback');
  } catch (cause) {
    if (!String((cause as { code?: string }).code).startsWith('SQLITE_BUSY')) return;
    throw new UnavailableError(`${path} is in use: stop the processes that hold it`, 1, { cause });
  } finally {
    file.close();
  }
}
