import type { Chain } from '../domain/chain.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';
import type { DailyPrice } from '../records/database/tables/prices.ts';
import type { NamedPriceApi } from './price-api.ts';

/** The settings that a price depends on. */
export type Priceable = Pick<Transfer, 'chain' | 'token' | 'kind' | 'amount' | 'at' | 'usd'>;

export interface Prices {
  /** Null where prices are loaded only. */
  readonly api: NamedPriceApi | null;
  /** The newest prices of the API that were refused by this process. */
  readonly refusals: readonly DailyPrice[];
  /** Sets `usd` on each priced transfer that has none; what cannot be priced stays null. */
  price(transfers: readonly Priceable[], signal?: AbortSignal): Promise<void>;
  /** US dollars for one coin of the chain at a moment (epoch ms), by known prices alone; null = unknown. */
  usdPerCoin(chain: Chain, at: number): Promise<number | null>;
  /** US dollars for one yen on the day of each of these moments (epoch ms), by loaded prices alone; null = unknown. */
  usdPerYen(moments: readonly { at: number }[]): Promise<(at: number) => number | null>;
}
