export interface DailyPrice {
  /** `2026-11-20` */
  date: string;
  asset: string;
  usd: number;
}

export interface PriceRow extends DailyPrice {
  /** `file`, or the API that gave it. */
  source: string;
}
