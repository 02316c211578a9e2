import { GraphTimeoutError } from '../../errors.ts';

/** For `catch`: the end of a time budget is an answer without this part; everything else stays an error. */
export function nullOnTimeout(error: unknown): null {
  if (error instanceof GraphTimeoutError) return null;
  throw error;
}
