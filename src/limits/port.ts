export interface Taken {
  allowed: boolean;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  retryAfterS: number;
}

/** Counters of the per-minute limits. A window is 60 seconds from the bucket's first request. */
export interface Limits {
  /** At once where they are held in memory. */
  take(bucket: string, limit: number): Taken | Promise<Taken>;
  close(): Promise<void>;
}
