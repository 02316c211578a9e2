import { existsSync } from 'node:fs';
import { UnavailableError } from '../../errors.ts';
import { openGrafeo } from './grafeo.ts';

/** Throws UnavailableError when a process holds the graph's file. A file that cannot be read is nobody's. */
export async function assertGrafeoUnused(path: string): Promise<void> {
  if (!existsSync(path)) return;
  try {
    await (await openGrafeo({ path })).close();
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
  }
}
