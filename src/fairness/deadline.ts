import { setImmediate as nextTick } from 'node:timers/promises';
import { GraphError, GraphTimeoutError } from '../errors.ts';

/** For `catch`: a part that the graph did not give in time is null, and the answer names it; everything else stays an error. */
export function nullOnTimeout(error: unknown): null {
  if (error instanceof GraphTimeoutError) return null;
  throw error;
}

/** For `catch`: what goes on without the graph takes null for all that it could have said; everything else stays an error. */
export function nullWithoutGraph(error: unknown): null {
  if (error instanceof GraphError) return null;
  throw error;
}

export interface Deadline {
  ms: number;
  /** Makes the error with which the work fails once its time is over. */
  tooLate: () => Error;
  /** Ends the work earlier, with its own reason. */
  signal?: AbortSignal;
}

/** Runs the work until its deadline. Rejects then at once, even where the work ignores the signal it is given. */
export async function withDeadline<T>(
  { ms, tooLate, signal: outer }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(tooLate()), ms);
  const end = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', end, { once: true });
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(signal), ended]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', end);
  }
}

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
