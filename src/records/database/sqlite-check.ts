import { statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Database as Sqlite } from 'better-sqlite3';
import { DamagedStoreError, RESTORE } from '../../files/damaged-store.ts';

/** Files up to this size are checked at each start, which takes about half a second for the largest. */
const CHECKED_AT_START_BYTES = 128 * 1024 * 1024;
const PROBLEMS_MAX = 100;
const JSON_COLUMNS = new Set(['result', 'input', 'chains', 'domains', 'sources', 'whitelist', 'weights']);
const utf8 = new TextDecoder('utf-8', { fatal: true });
const GZIP = Buffer.from([0x1f, 0x8b]);

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

/** What is wrong with a SQLite file: structure, indexes, references, and JSON and gzip values that cannot be read. */
export async function findSqliteDamage(path: string): Promise<string[]> {
  return reading(path, (file) => {
    const structure = results(file, `integrity_check(${PROBLEMS_MAX})`);
    if (structure.length > 0) return structure;
    const references = file.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[];
    return [
      ...references.map(({ table, rowid, parent }) => `row ${rowid} of ${table} names a missing row of ${parent}`),
      ...tablesOf(file).flatMap((table) => unreadableValues(file, table)),
    ].slice(0, PROBLEMS_MAX);
  });
}

async function reading(path: string, read: (file: Sqlite) => string[]): Promise<string[]> {
  const { default: Database } = await import('better-sqlite3');
  try {
    const file = new Database(path, { readonly: true, fileMustExist: true });
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

function tablesOf(file: Sqlite): string[] {
  const tables = file.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'");
  return (tables.all() as { name: string }[]).map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'));
}

interface Value {
  type: 'text' | 'blob';
  bytes: Buffer;
}

/** SQLite keeps no checksums: outside of indexes, only a value that breaks its own form shows damage. */
function unreadableValues(file: Sqlite, table: string): string[] {
  const problems: string[] = [];
  for (const { name: column } of file.pragma(`table_info("${table}")`) as { name: string }[]) {
    const values = file.prepare(
      `select typeof("${column}") as type, cast("${column}" as blob) as bytes from "${table}" where type in ('text', 'blob')`,
    );
    for (const value of values.iterate() as Iterable<Value>) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      if (!isReadable(column, value)) problems.push(`a value of ${table}.${column} cannot be read`);
    }
  }
  return problems;
}

function isReadable(column: string, { type, bytes }: Value): boolean {
  try {
    if (type === 'text') {
      const text = utf8.decode(bytes);
      if (JSON_COLUMNS.has(column)) JSON.parse(text);
    } else if (bytes.subarray(0, 2).equals(GZIP)) gunzipSync(bytes);
    return true;
  } catch {
    return false;
  }
}
