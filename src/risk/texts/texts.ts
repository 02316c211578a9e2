import type { Detection, Figure, Lang } from '../detection.ts';
import { TEXTS_EN } from './en.ts';
import { TEXTS_JA } from './ja.ts';
import type { Wording } from './wording.ts';

const WORDINGS: Record<Lang, Wording> = { en: TEXTS_EN, ja: TEXTS_JA };

/** Name and description in a language, from what a detection holds: a stored one can be told anew at any time. */
export function describe(
  detection: Pick<Detection, 'detector_id' | 'severity' | 'details'>,
  lang: Lang,
): { detector_name: string; description: string } {
  const wording = WORDINGS[lang];
  const { detector_id, details } = detection;
  const key = details.variant === undefined ? detector_id : `${detector_id}.${details.variant}`;
  const text = wording.texts[key] ?? '';
  return {
    detector_name: wording.names[detector_id] ?? detector_id,
    description: fillIn(text, details.measured, lang),
  };
}

/** The text of one language with its measured values. */
export function fillIn(text: string, measured: Record<string, Figure>, lang: Lang): string {
  const wording = WORDINGS[lang];
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    if (name === 'value') return valueText(measured, wording);
    const value = format(name, measured[name] ?? null, wording);
    return one === undefined ? value : `${value} ${measured[name] === 1 ? one : many}`;
  });
}

function valueText(measured: Record<string, Figure>, wording: Wording): string {
  const unpriced = measured.usd === 0 && typeof measured.unpriced_share === 'number';
  return unpriced ? wording.unpriced : format('usd', measured.usd ?? null, wording);
}

function format(name: string, value: Figure, wording: Wording): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map((item) => wording.words[item] ?? item).join(wording.listSeparator) || '-';
  if (typeof value === 'string') return stringText(name, value, wording);
  if (typeof value === 'boolean') return String(value);
  if (name === 'minutes') return value < 120 ? wording.minutes(value) : wording.hours(grouped(value / 60, 1));
  if (name.endsWith('usd')) return wording.worthUsd(grouped(value, 2));
  if (name.endsWith('share'))
    return value > 0 && value < LEAST_SHARE ? wording.lessThan('0.1%') : `${grouped(100 * value, 1)}%`;
  return grouped(value, 2);
}

/** Below this a share would be shown as nothing. */
const LEAST_SHARE = 0.0005;

function stringText(name: string, value: string, wording: Wording): string {
  if (name.endsWith('_at')) return wording.date(value.slice(0, 10));
  const [, currency, amount] = (name === 'limit' && /^(USD|JPY) (\d+)$/.exec(value)) || [];
  if (amount !== undefined) return (currency === 'USD' ? wording.usd : wording.yen)(grouped(Number(amount), 0));
  return wording.words[value] ?? value;
}

/** `12345.678` as `12,345.68`; whole numbers without decimals. */
function grouped(value: number, decimals: number): string {
  const [whole, fraction] = value.toFixed(Number.isInteger(value) ? 0 : decimals).split('.');
  const withCommas = Number(whole).toLocaleString('en-US');
  return fraction && /[1-9]/.test(fraction) ? `${withCommas}.${fraction}` : withCommas;
}
