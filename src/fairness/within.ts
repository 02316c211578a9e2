import { setImmediate as nextTick } from 'node:timers/promises';

/**
 * The work's outcome, or after `timeoutMs` the failure that `tooLate` then gives; without a time the work's own. The
 * work itself is not ended by it. An answer that has arrived while the process was busy still counts.
 */
export async function within<T>(
  timeoutMs: number | undefined,
  work: Promise<T>,
  tooLate: () => unknown | Promise<unknown>,
): Promise<T> {
  if (timeoutMs === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(async () => {
      await nextTick();
      reject(await tooLate());
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
