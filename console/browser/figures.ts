import { amountText, FORMS, isolated, percent } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { type Part, shareTexts } from '../../words/shares.ts';
import { comma, language } from './words.ts';

/** To make a format takes far longer than to use it, and a canvas names thousands of amounts. */
const made = new Map<Language, ReturnType<typeof makeFormats>>();

function makeFormats(of: Language) {
  const inDollars = (maximumFractionDigits: number) =>
    new Intl.NumberFormat(of, {
      ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
      ...{ useGrouping: 'always', maximumFractionDigits },
    });
  return {
    number: new Intl.NumberFormat(of, { maximumFractionDigits: 8, useGrouping: 'always' }),
    wholeDollars: inDollars(0),
    withCents: inDollars(2),
    // In Japanese texts figures are never mixed with 万 or 億.
    compact: new Intl.NumberFormat(of === 'ja' ? 'en' : of, {
      ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
      ...{ notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1, useGrouping: 'always' },
    }),
    month: new Intl.DateTimeFormat(FORMS[of].dayLocale, { year: 'numeric', month: '2-digit', timeZone: 'UTC' }),
    day: new Intl.DateTimeFormat(FORMS[of].dayLocale, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC',
    }),
  };
}

function formats(): ReturnType<typeof makeFormats> {
  const known = made.get(language.value) ?? makeFormats(language.value);
  made.set(language.value, known);
  return known;
}

const CENT = 0.01;

/** A number of any kind, as the reader's language writes it. */
export function count(value: number): string {
  return formats().number.format(value);
}

/** The same number before its decimal mark, and from the mark on. */
export function countParts(value: number): [whole: string, rest: string] {
  const parts = formats().number.formatToParts(value);
  const mark = parts.findIndex(({ type }) => type === 'decimal');
  const textOf = (some: typeof parts) => some.map((part) => part.value).join('');
  return mark < 0 ? [textOf(parts), ''] : [textOf(parts.slice(0, mark)), textOf(parts.slice(mark))];
}

/** `$12,345` from a hundred dollars on, `$12.34` below; in Spanish `12.345 $`. What is worth something is never shown as nothing. */
export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const { withCents, wholeDollars } = formats();
  if (value > 0 && value < CENT / 2) return `<\u00a0${withCents.format(CENT)}`;
  return (Math.abs(value) < 100 ? withCents : wholeDollars).format(value);
}

/** Writes a figure of an arrow or an axis: `$12.3K` from a thousand dollars on. */
export function compactDollars(value: number): string {
  return value !== 0 && Math.abs(value) < 1_000 ? dollars(value) : formats().compact.format(value);
}

/** `12.5%` of a share from 0 to 1, on one line. */
export function percentOnLine(share: number | null | undefined): string {
  return percent(share ?? null, language.value).replaceAll(' ', '\u00a0');
}

/** Returns the shares of the rows of a whole, which add up as they are read. */
export function sharesOnLine(parts: readonly Part[]): string[] {
  return shareTexts(parts, language.value).map((text) => text.replaceAll(' ', '\u00a0'));
}

/** Returns the day of an ISO 8601 moment or day in UTC, as the language writes it. */
export function writtenDay(at: string): string {
  return formats().day.format(new Date(at));
}

/** ISO 8601 to `2026-11-20 10:00:00 UTC`, the day as the language writes it: block explorers show UTC too. */
export function momentText(at: string | null | undefined): string {
  return at ? `${writtenDay(at)} ${new Date(at).toISOString().slice(11, 19)} UTC` : '–';
}

/** A month, which is given as `2026-03`. */
export function monthText(month: string): string {
  return formats().month.format(new Date(month));
}

/** An amount with its asset: `1,234.57 ETH`; small amounts keep four digits. */
export function assetText(amount: string): string {
  return isolated(amountText(amount, language.value));
}

/** Amounts by asset as one list: `1.5 ETH, 20 USDT`. */
export function amountsText(assets: Record<string, string>): string {
  return Object.entries(assets)
    .map(([asset, amount]) => assetText(`${amount} ${asset}`))
    .join(comma());
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far away a moment is, `in 3 hr.`, `2 days ago` or `now`, in whole units as the language says it. */
export function relativeText(at: string): string {
  const away = Date.parse(at) - Date.now();
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? ['second', 60_000];
  return new Intl.RelativeTimeFormat(language.value, { numeric: 'auto', style: 'short' }).format(
    Math.trunc(away / ms),
    unit,
  );
}
