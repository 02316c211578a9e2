import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { makeFolder } from './make-folder.ts';

export const RECORDS_FILE = 'records.sqlite';
export const GRAPH_FILE = 'graph.grafeo';
export const SECRET_KEY_FILE = 'secret.key';
/** The key by which labels are signed for others. */
export const LABEL_KEY_FILE = 'labels.key';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const STICKY = 0o1000;
/** The rights of group and others. */
const FOREIGN = 0o077;

/**
 * Makes DATA_DIR where it is missing and keeps other users of the host out: of the folder, of the stores in it, and of
 * whatever this process writes from now on. Returns a line for each right that it took away or could not. Throws ConfigError.
 */
export function openDataDir(folder: string): string[] {
  process.umask(FOREIGN);
  try {
    makeFolder(folder, FOLDER_MODE);
    const stores = readdirSync(folder).filter((name) => name.startsWith(RECORDS_FILE) || name.startsWith(GRAPH_FILE));
    return [folder, ...stores.flatMap((name) => withContents(join(folder, name)))].flatMap(narrow);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`DATA_DIR: ${(error as Error).message}`]);
  }
}

function withContents(path: string): string[] {
  if (!lstatSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))];
}

function narrow(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || !(stats.isFile() || stats.isDirectory()) || (stats.mode & FOREIGN) === 0) return [];
  const before = (stats.mode & 0o777).toString(8);
  if (stats.mode & STICKY) return [`${path} is open to other users (${before}): choose a folder of its own`];
  const mode = stats.isDirectory() ? FOLDER_MODE : FILE_MODE;
  try {
    chmodSync(path, mode);
    return [`${path} was open to other users: rights changed from ${before} to ${mode.toString(8)}`];
  } catch (error) {
    return [`${path} is open to other users (${before}) and its rights cannot be changed: ${(error as Error).message}`];
  }
}
