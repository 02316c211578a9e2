import { setTimeout as sleep } from 'node:timers/promises';
import { GraphUnavailableError, UnavailableError } from '../errors.ts';

/** Pauses between two tries while a store is away; the last one repeats. */
const PAUSES_MS = [1_000, 2_000, 5_000] as const;

export interface OutageOptions {
  /** Called after each failure that is an outage. */
  onOutage?: (error: unknown) => void;
  /** False ends the retries with the failure. */
  mayRetry?: () => boolean;
  /** Ends a pause with AbortError. */
  signal?: AbortSignal;
}

/** Runs the work again, after a pause, for as long as it fails because a store is away. Throws its other failures. */
export async function retryDuringOutage<T>(work: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { onOutage, mayRetry, signal } = options;
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreOutage(error) || signal?.aborted || mayRetry?.() === false) throw error;
      onOutage?.(error);
    }
    await sleep(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)], undefined, { signal });
  }
}

/** True for failures that end once a store is reachable again. A chain source is not a store. */
function isStoreOutage(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof GraphUnavailableError;
}
