import { MINUTE_MS } from '../src/domain/time.ts';
import { InvalidInputError } from '../src/errors.ts';
import { endUnfinished, noteUnfinished, touchUnfinished } from '../src/records/lists/unfinished-loads.ts';
import type { LoadRequest } from './load-request.ts';
import type { Stores } from './reading/loader.ts';

/** A load at work touches its entry so often. */
const TOUCH_MS = MINUTE_MS;
const CUT_OFF = '. A part of it is stored: the running service, or the next load, finishes it within minutes.';

/**
 * Does the writing of a load. Where it is cut off, by an error or with the process, an entry stays by which it is repeated: every
 * row of it can be written again.
 */
export async function finishingLater<T>(
  request: LoadRequest,
  { records, now }: Pick<Stores, 'records' | 'now'>,
  write: () => Promise<T>,
): Promise<T> {
  const named = { source: request.source, input: request.input };
  const at = now();
  await noteUnfinished(records, { ...named, request: JSON.stringify(request), started_at: at, touched_at: at });
  const touches = setInterval(() => void touchUnfinished(records, named, now()).catch(() => {}), TOUCH_MS);
  touches.unref();
  try {
    const done = await write();
    await endUnfinished(records, named);
    return done;
  } catch (error) {
    // What the file itself forbids is refused before a row is written, and would be again.
    if (error instanceof InvalidInputError) await endUnfinished(records, named);
    else if (error instanceof Error) error.message += CUT_OFF;
    throw error;
  } finally {
    clearInterval(touches);
  }
}
