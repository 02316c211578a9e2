import type { AttemptOutcome, Delivery } from './deliveries.ts';

const AT_ONCE = 32;
const PER_ACCOUNT = 4;
const PER_RECIPIENT = 2;
/** Recipients whose last attempt failed share these slots; the others stay free for recipients that answer. */
const FAILING_AT_ONCE = 8;
const FAILING_PER_ACCOUNT = 1;
/** Failing recipients that are remembered; the oldest is forgotten first. */
const FAILING_MAX = 10_000;

/** The attempts that one process may make at once. */
export interface Slots {
  readonly full: boolean;
  hasRoomFor(delivery: Delivery): boolean;
  take(delivery: Delivery): void;
  /** Also remembers whether the recipient answers. */
  release(delivery: Delivery, outcome: AttemptOutcome['outcome']): void;
}

export function createSlots(): Slots {
  const running = new Map<string, Delivery>();
  const failing = new Set<string>();

  const count = (matches: (delivery: Delivery) => boolean) => [...running.values()].filter(matches).length;
  const isFailing = ({ recipient }: Delivery) => failing.has(recipient);

  return {
    get full() {
      return running.size >= AT_ONCE;
    },
    hasRoomFor(delivery) {
      const sameAccount = (one: Delivery) => one.account_id === delivery.account_id;
      if (running.size >= AT_ONCE || count(sameAccount) >= PER_ACCOUNT) return false;
      if (count((one) => one.recipient === delivery.recipient) >= PER_RECIPIENT) return false;
      if (!isFailing(delivery)) return true;
      return (
        count(isFailing) < FAILING_AT_ONCE && count((one) => isFailing(one) && sameAccount(one)) < FAILING_PER_ACCOUNT
      );
    },
    take(delivery) {
      running.set(delivery.id, delivery);
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
