import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

/**
 * better-sqlite3 13 is built on Node-API 10 and crashes on a Node without it, before 22.14. Version 12 frees statements
 * through functions that Node changed within 24, and aborts there. When support of Node 20 ends, only 13 remains, and
 * the folder node20/ goes.
 *
 * @internal Read by the test of the driver in a process of its own.
 */
export const SQLITE_DRIVER = Number(process.versions.napi) < 10 ? 'better-sqlite3-node20' : 'better-sqlite3';

const require = createRequire(import.meta.url);

/**
 * Opens a SQLite file, `:memory:`, or the bytes of a database in memory, with the driver that this Node can run. Throws
 * the driver's error, or one that says which Node the installation was made for.
 */
export function openSqliteFile(path: string | Buffer, options?: Sqlite.Options): Sqlite.Database {
  return new (loadDriver())(path, options);
}

/** An installed tarball has the driver of newer versions alone: npm installs that of Node 20 in a checkout. */
function loadDriver(): typeof Sqlite {
  try {
    return require(SQLITE_DRIVER);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    const need = 'run it on Node.js 22.14 or newer, or from its source after npm ci';
    throw new Error(`This installation has no SQLite driver for Node.js ${process.versions.node}: ${need}`, { cause });
  }
}
