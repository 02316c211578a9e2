/** How one language describes a detection. */
export interface Wording {
  names: Record<string, string>;
  /**
   * By detector, or by detector and variant: `fan_in`, `sanctions_direct.sent`. `{name}` is a measured value, formatted by
   * its name, `{name|one|many}` a number with its noun, `{value}` the US dollars with their assets, `{worth}` the same in
   * parentheses. What stands in brackets is left out where a value in it is nothing.
   */
  texts: Record<string, string>;
  /** Who a category's party is, as `{party}`. */
  parties: Record<string, string>;
  /** Values that are words: categories, kinds. */
  words: Record<string, string>;
  unpriced: string;
  usd: (amount: string) => string;
  /** What assets are worth. */
  worthUsd: (amount: string) => string;
  yen: (amount: string) => string;
  minutes: (count: number) => string;
  hours: (count: string) => string;
  days: (count: string) => string;
  /** A value in US dollars with the assets behind it. */
  withAmounts: (value: string, amounts: string) => string;
  /** The same where the text stands in parentheses already. */
  withAmountsInside: (value: string, amounts: string) => string;
  /** Of a day, `2026-11-20`. */
  date: (iso: string) => string;
  /** A share too small for its decimals. */
  lessThan: (share: string) => string;
  listSeparator: string;
}
