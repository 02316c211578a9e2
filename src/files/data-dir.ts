import { ConfigError } from '../config.ts';
import { makeFolder } from './make-folder.ts';

/** Makes DATA_DIR where it is not there; throws ConfigError where it cannot be made. */
export function makeDataDir(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${(error as Error).message}`]);
  }
}
