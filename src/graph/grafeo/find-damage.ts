import grafeo from '@grafeo-db/js';
import { UnavailableError } from '../../errors.ts';
import { openingFailure } from './opening-failure.ts';

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
