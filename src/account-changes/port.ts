/**
 * Publishes that an account, its keys or its settings changed, so that caches forget it. A lost message costs time, not
 * truth: what is cached also expires.
 */
export interface AccountChanges {
  /** Number of changes received so far: what was read while it grew may be older than the change. */
  readonly version: number;
  /** Calls `forget` for each change, in whichever process it happened; with null when changes may have been missed. */
  subscribe(forget: (accountId: string | null) => void): void;
  /** Reaches all processes, this one before it returns; call it once the change is in the records. Never rejects. */
  publish(accountId: string): Promise<void>;
  close(): Promise<void>;
}
