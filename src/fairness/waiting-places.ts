import { TooManyError } from '../errors.ts';

/** Lets so many requests of an account wait at once in this process. */
export interface WaitingPlaces {
  /** Takes a place; what it returns gives it back. Throws TooManyError where the account has none left. */
  enter(accountId: string): () => void;
}

export function createWaitingPlaces(max: number, refusal: string): WaitingPlaces {
  const waiting = new Map<string, number>();
  return {
    enter(accountId) {
      const before = waiting.get(accountId) ?? 0;
      if (before >= max) throw new TooManyError(refusal, 1);
      waiting.set(accountId, before + 1);
      return () => {
        const left = waiting.get(accountId)! - 1;
        if (left === 0) waiting.delete(accountId);
        else waiting.set(accountId, left);
      };
    },
  };
}
