import { onTestFinished } from 'vitest';
import type { Context } from '../../src/context.ts';
import { startWorkers } from '../../workers/workers.ts';

/** Works on the jobs of a service until the test ends. */
export function workFor(ctx: Context): void {
  const workers = startWorkers(ctx);
  onTestFinished(() => workers.stop());
}
