/** How a language writes figures, days and lists. */
export interface Forms {
  /** Zone of all times in reports. */
  zone: { name: string; hours: number };
  /** A figure with commas between thousands and a decimal point, as the language writes it. */
  number: (figure: string) => string;
  unpriced: string;
  usd: (amount: string) => string;
  /** Writes the worth of assets. */
  worthUsd: (amount: string) => string;
  yen: (amount: string) => string;
  minutes: (count: number) => string;
  hours: (count: string) => string;
  days: (count: string) => string;
  /** A value in US dollars with the assets behind it. */
  withAmounts: (value: string, amounts: string) => string;
  /** The same where the text stands in parentheses already. */
  withAmountsInside: (value: string, amounts: string) => string;
  /** The locale of days in the console. */
  dayLocale: string;
  /** Writes a day, `2026-11-20`. */
  date: (iso: string) => string;
  /** A share too near to nothing, or to all, for its decimals. */
  lessThan: (share: string) => string;
  moreThan: (share: string) => string;
  /** Between the items of a list. */
  comma: string;
  /** Between two sentences. */
  space: string;
  /** A title with a number or text in parentheses. */
  bracketed: (title: string, inside: string | number) => string;
  /** A name before what it names: `Priority: High`. */
  labelled: (label: string, value: string | number) => string;
}

export const forms: Forms = {
  zone: { name: 'UTC', hours: 0 },
  number: (figure) => figure,
  unpriced: 'an amount of unknown price',
  usd: (amount) => `${amount} USD`,
  worthUsd: (amount) => `${amount} USD`,
  yen: (amount) => `${amount} JPY`,
  minutes: (count) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
  hours: (count) => `${count} hours`,
  days: (count) => `${count} days`,
  withAmounts: (value, amounts) => `${value} (${amounts})`,
  withAmountsInside: (value, amounts) => `${value}: ${amounts}`,
  // ISO 8601, as everywhere in the product.
  dayLocale: 'en-CA',
  date: (iso) => iso,
  lessThan: (share) => `less than ${share}`,
  moreThan: (share) => `more than ${share}`,
  comma: ', ',
  space: ' ',
  bracketed: (title, inside) => `${title} (${inside})`,
  labelled: (label, value) => `${label}: ${value}`,
};

/** The words with a capital, as they stand alone on a page. */
export function capitalized<Code extends string>(words: Record<Code, string>): Record<Code, string> {
  const entries = Object.entries<string>(words).map(([code, word]) => [
    code,
    word.charAt(0).toUpperCase() + word.slice(1),
  ]);
  return Object.fromEntries(entries) as Record<Code, string>;
}

type Variant =
  | 'sent'
  | 'claimed'
  | 'lost'
  | 'taken'
  | 'returned'
  | 'handed_back'
  | 'received'
  | 'received_small'
  | 'received_dust'
  | 'received_first';

/** The texts of exposure to one kind of party, by detector and variant; `suffix` names its standing. */
export function variantsOf<Detector extends string, Suffix extends string>(
  detector: Detector,
  suffix: Suffix,
  texts: Record<Variant, string>,
): Record<`${Detector}.${Variant}${Suffix}`, string> {
  const keyed = Object.entries(texts).map(([variant, text]) => [`${detector}.${variant}${suffix}`, text]);
  return Object.fromEntries(keyed) as Record<`${Detector}.${Variant}${Suffix}`, string>;
}
