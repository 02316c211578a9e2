import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { SourceError } from '../errors.ts';
import type { Endpoint } from './http.ts';

const BUSY_ATTEMPTS = 5;
const BUSY_DELAY_MS = 200;

/** The value in the shape that the protocol promises; SourceError names the first place that differs. */
export function checked<S extends z.ZodType>(endpoint: Endpoint, schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.map(String).join('.') || 'the answer itself';
  throw new SourceError(endpoint.chain, `${endpoint.name}: ${what} has another shape at ${place}: ${issue?.message}`);
}

/**
 * Asks until the source no longer says, inside an otherwise fine answer, that it is busy;
 * `busy` names the complaint or returns null. Throws SourceError once patience ends.
 */
export async function askWhileBusy<T>(
  endpoint: Endpoint,
  ask: () => Promise<T>,
  busy: (reply: T) => string | null,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const reply = await ask();
    const complaint = busy(reply);
    if (complaint === null) return reply;
    if (attempt === BUSY_ATTEMPTS) throw new SourceError(endpoint.chain, `${endpoint.name}: ${complaint}`);
    await sleep(BUSY_DELAY_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2), undefined, { signal });
  }
}

/** Runs `work` for every item, `width` at a time, results in the order of the items. */
export async function inParallel<T, R>(items: T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const mine = next++;
      results[mine] = await work(items[mine]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
