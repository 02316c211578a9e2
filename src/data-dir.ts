import { mkdirSync } from 'node:fs';
import { ConfigError } from './config.ts';

/** Makes DATA_DIR where it is not there; throws ConfigError where it cannot be made. */
export function makeDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${(error as Error).message}`]);
  }
}
