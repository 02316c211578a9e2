import { trimEndOf } from '../src/domain/text/trim-end.ts';
import { HOUR_MS, iso } from '../src/domain/time.ts';
import { forms as en, type Forms } from './en/forms.ts';
import { forms as es } from './es/forms.ts';
import { forms as ja } from './ja/forms.ts';

import type { Language } from './language.ts';

/** A value that was measured or compared; names end in their unit (`_usd`, `_share`, `_hours`, `_at` = ISO 8601). */
export type Figure = string | number | boolean | null | string[];
export type Figures = Record<string, Figure>;

export const FORMS: Record<Language, Forms> = { en, es, ja };

/** Joins the sentences that apply, as the language joins them; null where none does. */
export function paragraph(sentences: readonly unknown[], language: Language): string | null {
  return sentences.filter(Boolean).join(FORMS[language].space) || null;
}

const UTC: Forms['zone'] = { name: 'UTC', hours: 0 };

/** Returns a share in percent with a number of decimals; what is not quite nothing or everything is never 0 or 100, but less or more than the figure. */
function inPercent(share: number, decimals: number): { sign: '<' | '>' | null; figure: number } {
  const [figure, least] = [100 * share, 10 ** -decimals];
  if (share > 0 && figure < least / 2) return { sign: '<', figure: least };
  if (share < 1 && figure >= 100 - least / 2) return { sign: '>', figure: 100 - least };
  return { sign: null, figure };
}

/** A number or decimal string with its thousands grouped, as the language writes it. */
export function grouped(amount: number | string, language: Language = 'en'): string {
  const [whole = '', fraction] = String(amount).split('.');
  const groups: string[] = [];
  let end = whole.length;
  for (; /^\d{4}$/.test(whole.slice(Math.max(0, end - 4), end)); end -= 3) groups.unshift(whole.slice(end - 3, end));
  const joined = [whole.slice(0, end), ...groups].join(',');
  return FORMS[language].number(fraction === undefined ? joined : `${joined}.${fraction}`);
}

/** To make a format takes far longer than to use it, and a canvas writes an amount at each arrow. */
const WHOLE = new Intl.NumberFormat('en-US');

/** Writes a value with `decimals`, without them where all are zero: `1,234.50`, `12`. */
export function groupedDigits(value: number, decimals: number): string {
  const [whole, fraction] = value.toFixed(Number.isInteger(value) ? 0 : decimals).split('.');
  const groups = WHOLE.format(Number(whole));
  return fraction && /[1-9]/.test(fraction) ? `${groups}.${fraction}` : groups;
}

/** Rounded to at most `decimals`, without zeros at the end: `1,234.5`. */
export function trimmed(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals });
}

/** A number with its noun: `1 hop`, `2 hops`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `1,234.50 USD`, `−1,234.50 USD` */
export function usd(amount: number | null, language: Language = 'en'): string {
  if (amount === null) return '–';
  return `${amount < 0 ? '−' : ''}${grouped(Math.abs(amount).toFixed(2), language)} USD`;
}

/** `12.5%` of a share from 0 to 1, in tables. */
export function percent(share: number | null, language: Language = 'en'): string {
  if (share === null) return '–';
  const { sign, figure } = inPercent(share, 1);
  return FORMS[language].number(`${sign ? `${sign} ` : ''}${figure.toFixed(1)}%`);
}

/** ISO 8601 (UTC) to `2026-11-20 10:00:00 UTC`, or the same moment in the zone of a language's reports. */
export function moment(at: string | null | undefined, language?: Language): string {
  if (!at) return '–';
  const { name, hours } = language ? FORMS[language].zone : UTC;
  const local = iso(Date.parse(at) + hours * HOUR_MS);
  const day = local.slice(0, 10);
  return `${language ? FORMS[language].date(day) : day} ${local.slice(11, 19)} ${name}`;
}

/** The same within a sentence, where no figure stands below another: `50%`, `less than 0.1%`. */
export function shareText(share: number, language: Language): string {
  const { lessThan, moreThan, number } = FORMS[language];
  const { sign, figure } = inPercent(share, 1);
  const text = number(`${groupedDigits(figure, 1)}%`);
  if (sign === null) return text;
  return sign === '<' ? lessThan(text) : moreThan(text);
}

/** Scripts from right to left: a token so named would swap places with the amounts beside it. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns the text so that text from right to left moves nothing around it. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2066${text}\u2069` : text;
}

/** `1234.56789 ETH` as `1,234.57 ETH`; small amounts keep four digits. */
export function amountText(amount: string, language: Language = 'en'): string {
  const space = amount.indexOf(' ');
  const value = Number(amount.slice(0, space));
  const decimals = value >= 100 ? 2 : Math.min(18, 3 - Math.floor(Math.log10(value || 1)));
  const figure = groupedDigits(value, decimals);
  const shortest = figure.includes('.') ? trimEndOf(trimEndOf(figure, '0'), '.') : figure;
  return `${FORMS[language].number(shortest)}${amount.slice(space)}`;
}

/** Minutes up to two hours, hours up to two days, then days; rounded up. */
export function spanText(minutes: number, language: Language): string {
  const forms = FORMS[language];
  if (minutes < 120) return forms.minutes(minutes);
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return forms.hours(String(hours));
  return forms.days(forms.number(groupedDigits(Math.ceil(hours / 24), 0)));
}

/** How the reader's language writes what is not a number. */
export interface FigureForms {
  /** Between the values of a list. */
  comma: string;
  /** ISO 8601 to a moment. */
  moment: (at: string) => string;
  /** The word that stands for a code. */
  word: (code: string) => string;
  /** A grouped figure, as the language writes it. */
  number?: (figure: string) => string;
}

/** Figures whose values are codes. */
const CODED = ['category', 'direction', 'features', 'kind'];

/** A figure as its name says: shares in percent, US dollars with cents, times as moments; empty where it is not stated. */
export function figureText(name: string, value: Figure | undefined, forms: FigureForms): string {
  const { comma, moment, word, number = (figure) => figure } = forms;
  if (value === undefined) return '';
  if (value === null) return '–';
  if (typeof value === 'number') {
    if (/share(_max)?$/.test(name)) {
      const { sign, figure } = inPercent(value, 2);
      return number(`${sign ? `${sign} ` : ''}${grouped(Number(figure.toFixed(2)))}%`);
    }
    if (Number.isInteger(value)) return number(grouped(value));
    return number(grouped(name.endsWith('usd') ? value.toFixed(2) : Number(value.toFixed(4))));
  }
  if (typeof value === 'string' && name.endsWith('_at')) return moment(value);
  const texts = Array.isArray(value) ? value : [String(value)];
  if (name === 'amounts')
    return texts.map((text) => text.replace(/^[\d.]+/, (figure) => number(grouped(figure)))).join(comma);
  return (CODED.includes(name) ? texts.map(word) : texts).join(comma);
}
