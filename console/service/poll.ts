import { ApiError } from './api.ts';

const FIRST_MS = 300;
const LONGEST_MS = 3_000;

/**
 * Asks until `isDone`, at first often, later every three seconds, and reports every answer to `onAnswer`. What
 * passes by itself, such as a rate limit, is waited out. Returns the last answer.
 */
export async function poll<Answer>(
  ask: () => Promise<Answer>,
  isDone: (answer: Answer) => boolean,
  onAnswer: (answer: Answer) => void,
  signal: AbortSignal,
): Promise<Answer> {
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_MS)) {
    const answer = await ask().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.pauseS === null) throw error;
      return error;
    });
    signal.throwIfAborted();
    if (answer instanceof ApiError) await pause((answer.pauseS ?? 1) * 1_000, signal);
    else {
      onAnswer(answer);
      if (isDone(answer)) return answer;
      await pause(waitMs, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        end();
      },
      { once: true },
    );
  });
}
