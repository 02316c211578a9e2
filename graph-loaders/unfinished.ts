import { MINUTE_MS } from '../src/domain/time.ts';
import { InvalidInputError } from '../src/errors.ts';
import {
  endUnfinished,
  noteUnfinished,
  touchUnfinished,
  withdrawReplaced,
} from '../src/records/lists/unfinished-loads.ts';
import type { LoadRequest } from './load-request.ts';
import type { Stores } from './reading/loader.ts';

/** A load at work touches its entry so often. */
const TOUCH_MS = MINUTE_MS;
const CUT_OFF = '. A part of it is stored: the running service, or the next load, finishes it within minutes.';

/** The sources that a load speaks for. */
export interface SpokenFor {
  sources: readonly string[];
  /** True where it replaces what older loads said of them: one that was cut off is not repeated then. */
  isReplaced: boolean;
}

/**
 * Does the writing of a load. Where it is cut off, by an error or with the process, an entry stays by which it is repeated: every
 * row of it can be written again. A kept list has none: it is fetched again by itself.
 */
export async function finishingLater<T>(
  { keptAt, startedAt, ...request }: LoadRequest & { startedAt: number },
  { sources, isReplaced }: SpokenFor,
  { records, now }: Stores,
  write: () => Promise<T>,
): Promise<T> {
  const { source, input } = request;
  const newer = { source, input, started_at: startedAt, sources };
  const written = async () => {
    const done = await write();
    if (isReplaced) await withdrawReplaced(records, newer, now());
    return done;
  };
  if (keptAt !== undefined) return written();
  await noteUnfinished(records, {
    source,
    input,
    request: JSON.stringify(request),
    sources: JSON.stringify(sources),
    started_at: startedAt,
    touched_at: now(),
  });
  const touches = setInterval(() => void touchUnfinished(records, newer, now()).catch(() => {}), TOUCH_MS);
  touches.unref();
  try {
    const done = await written();
    await endUnfinished(records, newer);
    return done;
  } catch (error) {
    // What the file itself forbids is refused before a row is written, and would be again.
    if (error instanceof InvalidInputError) await endUnfinished(records, newer);
    else if (error instanceof Error) error.message += CUT_OFF;
    throw error;
  } finally {
    clearInterval(touches);
  }
}
