/**
 * News that an account, its keys or its settings changed, for whatever remembers what it read of them. Lost news costs
 * time, not truth: what is remembered also ends by itself.
 */
export interface AccountChanges {
  /** Changes heard so far: what was read while it grew may be older than the change. */
  readonly heard: number;
  /** Calls `forget` for each change, by whichever process; with null when changes may have been missed. */
  listen(forget: (accountId: string | null) => void): void;
  /** Tells all processes, this one before it returns; call it once the change is in the records. Never rejects. */
  tell(accountId: string): Promise<void>;
  close(): Promise<void>;
}
