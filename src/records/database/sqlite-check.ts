import { statSync } from 'node:fs';
import type { Database as Sqlite } from 'better-sqlite3';
import { DamagedStoreError, RESTORE } from '../../data-folder/damaged-store.ts';
import { openSqliteFile } from './sqlite-driver.ts';

/** Files up to this size are checked at each start, which takes about half a second for the largest. */
const CHECKED_AT_START_BYTES = 128 * 1024 * 1024;
const PROBLEMS_MAX = 100;

/** Names the file and what to do where SQLite could not open it; any other error stays what it is. */
export function sqliteFailure(path: string, cause: unknown): unknown {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  if (!code.startsWith('SQLITE_') || code.startsWith('SQLITE_BUSY')) return cause;
  const remedies = /CORRUPT|NOTADB/.test(code)
    ? [RESTORE, `Without a backup, sqlite3 "${path}" .recover prints what can still be read`]
    : ['Check that this user may read and write the file and its folder, and that the disk is not full'];
  return new DamagedStoreError(path, message, remedies, { cause });
}

/** Throws DamagedStoreError where the structure of a SQLite file is damaged; reads no file above 128 MiB. */
export async function refuseDamagedSqlite(path: string): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > CHECKED_AT_START_BYTES) return;
  const problems = await reading(path, (file) => results(file, 'quick_check(1)'));
  if (problems.length > 0) throw sqliteFailure(path, { code: 'SQLITE_CORRUPT', message: problems.join('; ') });
}

/** Lists problems of a SQLite file, as its engine finds them: structure, indexes and references. */
export async function findSqliteDamage(path: string): Promise<string[]> {
  return reading(path, (file) => {
    const structure = results(file, 'integrity_check');
    if (structure.length > 0) return structure;
    const references = file.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[];
    return references
      .slice(0, PROBLEMS_MAX)
      .map(({ table, rowid, parent }) => `row ${rowid} of ${table} names a missing row of ${parent}`);
  });
}

async function reading(path: string, read: (file: Sqlite) => string[]): Promise<string[]> {
  try {
    const file = openSqliteFile(path, { readonly: true, fileMustExist: true });
    try {
      return read(file);
    } finally {
      file.close();
    }
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: string }).code))) throw error;
    return [(error as Error).message];
  }
}

function results(file: Sqlite, check: string): string[] {
  const rows = file.pragma(check) as Record<string, string>[];
  return rows.flatMap((row) => Object.values(row)).filter((line) => line !== 'ok');
}
