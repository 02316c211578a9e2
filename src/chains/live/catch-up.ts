import { SourceError } from '../../errors.ts';

/** Addresses that one step asks for by themselves; the others come in the next steps. */
export const ASKED_MAX = 50;
/** Failures of one step after which the source is asked again in the next one. */
const FAILURES_MAX = 3;

export interface CaughtUp {
  answered: Set<string>;
  /** Addresses are left that can be asked for at once. */
  hasMore: boolean;
}

/**
 * Asks for addresses one by one, a bounded number a step. The one that was asked for longest ago comes first: all get their turn,
 * and one that fails holds no other.
 */
export class CatchUp {
  private readonly askedIn = new Map<string, number>();
  private steps = 0;

  async ask(
    addresses: readonly string[],
    signal: AbortSignal,
    ask: (address: string) => Promise<void>,
    { first, most = ASKED_MAX }: { first?: string | null; most?: number } = {},
  ): Promise<CaughtUp> {
    const step = ++this.steps;
    const turnOf = (address: string) => (address === first ? -1 : (this.askedIn.get(address) ?? 0));
    const inTurn = addresses.toSorted((a, b) => turnOf(a) - turnOf(b));
    const answered = new Set<string>();
    let failures = 0;
    for (const address of inTurn.slice(0, most)) {
      signal.throwIfAborted();
      this.askedIn.set(address, step);
      try {
        await ask(address);
        answered.add(address);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        failures += 1;
        if (failures === FAILURES_MAX) return { answered, hasMore: false };
      }
    }
    return { answered, hasMore: addresses.length > most };
  }
}

/** Between two checks. */
const CHECK_MS = 30_000;

/**
 * Names an address now and then that is to be asked for although it is listened to: servers are known to end a subscription
 * without a word while the others, and their blocks, go on.
 */
export class Checks {
  private readonly everyMs: number;
  private at = performance.now();

  constructor(everyMs = CHECK_MS) {
    this.everyMs = everyMs;
  }

  /** Returns the first one, which then is the last, or null before its time. */
  next(addresses: Iterable<string>): string | null {
    const [first = null] = addresses;
    if (first === null || performance.now() - this.at < this.everyMs) return null;
    this.at = performance.now();
    return first;
  }
}
