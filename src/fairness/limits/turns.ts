/** Turns a second at a source of which no rate is known, until it refuses some. */
const RATE_MAX = 400;
const RATE_MIN = 0.25;
/** After a refusal the rate doubles once in each such interval. */
export const RECOVERY_MS = 30_000;
/** Refusals of requests in flight together count once. */
export const SAME_REFUSAL_MS = 1_000;

/** Something that may be asked only so often. */
export interface Turns {
  name: string;
  /** Turns a second while nothing is refused; null where that is not known. */
  perSecond: number | null;
}

/** State that all callers share; times in ms. */
export interface TurnState {
  /** As of the last refusal. */
  rate: number;
  refusedAt: number;
  nextAt: number;
}

export function rateOf({ perSecond }: Turns): number {
  return perSecond ?? RATE_MAX;
}

/** The rate at a moment: slow after a refusal, then faster and faster up to what is allowed. */
export function rateAt(state: TurnState, turns: Turns, now: number): number {
  return Math.min(rateOf(turns), state.rate * 2 ** ((now - state.refusedAt) / RECOVERY_MS));
}

export function slowedRate(rate: number): number {
  return Math.max(RATE_MIN, rate / 2);
}
