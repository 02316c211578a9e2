import type { AttemptOutcome, Delivery } from './deliveries.ts';

/** Attempts to recipients that answer quickly, as far as is known. */
const QUICK_AT_ONCE = 32;
const PER_ACCOUNT = 4;
const PER_RECIPIENT = 2;
/** Recipients whose last attempt failed share these slots and take none of the quick ones. */
const FAILING_AT_ONCE = 8;
const FAILING_PER_ACCOUNT = 1;
/** An attempt that takes longer gives its quick slot back while it goes on. */
const SLOW_MS = 2_000;
const ALL_AT_ONCE = 128;
/** Failing recipients that are remembered; the oldest is forgotten first. */
const FAILING_MAX = 10_000;

/** The attempts that one process may make at once. */
export interface Slots {
  /** No attempt can begin, whatever its recipient. */
  readonly full: boolean;
  hasRoomFor(delivery: Delivery): boolean;
  take(delivery: Delivery): void;
  /** Also remembers whether the recipient answers. */
  release(delivery: Delivery, outcome: AttemptOutcome['outcome']): void;
}

interface Attempt {
  delivery: Delivery;
  /** By performance.now(). */
  begunAt: number;
}

export function createSlots(): Slots {
  const running = new Map<string, Attempt>();
  const failing = new Set<string>();

  const count = (matches: (attempt: Attempt) => boolean) => [...running.values()].filter(matches).length;
  const isFailing = ({ delivery }: Attempt) => failing.has(delivery.recipient);
  const isQuick = (attempt: Attempt) => !isFailing(attempt) && performance.now() - attempt.begunAt <= SLOW_MS;

  return {
    get full() {
      return running.size >= ALL_AT_ONCE;
    },
    hasRoomFor({ account_id, recipient }) {
      const sameAccount = ({ delivery }: Attempt) => delivery.account_id === account_id;
      if (running.size >= ALL_AT_ONCE || count(sameAccount) >= PER_ACCOUNT) return false;
      if (count(({ delivery }) => delivery.recipient === recipient) >= PER_RECIPIENT) return false;
      if (!failing.has(recipient)) return count(isQuick) < QUICK_AT_ONCE;
      return (
        count(isFailing) < FAILING_AT_ONCE && count((one) => isFailing(one) && sameAccount(one)) < FAILING_PER_ACCOUNT
      );
    },
    take(delivery) {
      running.set(delivery.id, { delivery, begunAt: performance.now() });
    },
    release({ id, recipient }, outcome) {
      running.delete(id);
      failing.delete(recipient);
      if (outcome !== 'failed') return;
      failing.add(recipient);
      if (failing.size > FAILING_MAX) failing.delete(failing.values().next().value!);
    },
  };
}
