/** Where to look, as a listener heard it. What happened there is for the scan that follows: a listener may be lied to. */
export interface Touch {
  /** Canonical. */
  address: string;
  /** Null where the listener knows none. */
  txHash: string | null;
  block: number | null;
}

/** News of one step. The next step goes on at `place` once all of this is in the records. */
export interface Heard {
  touches: Touch[];
  /** Marks that changed, by address. */
  marks: Map<string, string>;
  place: string;
  lastBlock: number;
  /** The newest block that the source has. */
  head: number;
  /** The first block that is another than the one heard before; null where none is. */
  reorganisedFrom: number | null;
  /** Addresses are left that have to be asked for by themselves: the next step comes at once. */
  hasMore?: boolean;
}

export interface Step {
  /** The addresses to listen to, each with the mark that an earlier step left; null where it has none. */
  watched: ReadonlyMap<string, string | null>;
  /** Where the step before ended; null before the first, which only takes marks. */
  place: string | null;
  signal: AbortSignal;
}

/** Listens to one chain. Its SDK is nowhere in the way of a verdict. */
export interface Listener {
  /** Between two steps once the newest block is reached. */
  readonly everyMs: number;
  /** Throws SourceError where the source fails, or serves another chain. */
  step(step: Step): Promise<Heard>;
  /** Waits until its WebSocket has said something; absent where it has none, or where a step waits for it. */
  spoken?(signal: AbortSignal): Promise<void>;
  close(): void;
}
