import { percent as percentOfReports } from '../../reports/words/format.ts';
import { language } from './language.ts';

/** `$12,345` from a hundred dollars on, `$12.34` below; a dash where the value is not known. */
export function usd(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const maximumFractionDigits = Math.abs(value) < 100 ? 2 : 0;
  return new Intl.NumberFormat(language.value, { style: 'currency', currency: 'USD', maximumFractionDigits }).format(
    value,
  );
}

/** A share of 1 as reports write it, on one line: `12.5 %`, `< 0.1 %`. */
export function percent(share: number | null | undefined): string {
  return percentOfReports(share ?? null).replaceAll(' ', '\u00a0');
}

export function count(value: number): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: 8 }).format(value);
}

/** A moment in UTC to the second, as evidence states it. */
export function moment(iso: string | null | undefined): string {
  return iso ? `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` : '–';
}

/** The beginning and the end of an address or hash. */
export function shortened(text: string): string {
  return text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
}

/** A name before what it names: `Priority: High`, in Japanese with the full-width mark. */
export function labelled(label: string, value: string | number): string {
  return language.value === 'ja' ? `${label}：${value}` : `${label}: ${value}`;
}

/** A title with a number or text in parentheses. */
export function bracketed(title: string, inside: string | number): string {
  return language.value === 'ja' ? `${title}（${inside}）` : `${title} (${inside})`;
}

/** The separator of a list. */
export function comma(): string {
  return language.value === 'ja' ? '、' : ', ';
}
