import { existsSync } from 'node:fs';
import grafeo from '@grafeo-db/js';
import { UnavailableError } from '../../errors.ts';
import { openGrafeo, openingFailure } from './grafeo.ts';

/** Throws UnavailableError when a process holds the graph's file. A file that cannot be read is not held. */
export async function assertGrafeoUnused(path: string): Promise<void> {
  if (!existsSync(path)) return;
  try {
    await (await openGrafeo({ path })).close();
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
  }
}

/** Lists the damage of the graph's file and log: reading them verifies every checksum. Throws UnavailableError while in use. */
export function findGrafeoDamage(path: string): string[] {
  try {
    grafeo.GrafeoDB.openReadOnly(path).close();
    return [];
  } catch (cause) {
    const failure = openingFailure(path, cause);
    if (failure instanceof UnavailableError) throw failure;
    return [failure.message];
  }
}
