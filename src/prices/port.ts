import type { Chain } from '../domain/chain.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';

export interface Prices {
  /** Sets `usd` on each priced transfer that has none; what cannot be priced stays null. */
  price(transfers: readonly Transfer[], signal?: AbortSignal): Promise<void>;
  /** US dollars for one coin of the chain at a moment (epoch ms), by known prices alone; null = unknown. */
  usdPerCoin(chain: Chain, at: number): Promise<number | null>;
  /** US dollars for one yen on the day of a moment (epoch ms), by loaded prices alone; null = unknown. */
  usdPerYen(): Promise<(at: number) => number | null>;
}
