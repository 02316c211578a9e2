import type { Transfer } from '../domain/transfer.ts';

export interface Prices {
  /** Sets `usd` on each priced transfer that has none; what cannot be priced stays null. */
  price(transfers: Transfer[], signal?: AbortSignal): Promise<void>;
}
