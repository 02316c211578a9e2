import { trimEndOf } from '../../domain/text/trim-end.ts';
import type { Detection, DetectionDetails, Figure, ReportLang, SuppressedDetection } from '../detection.ts';
import { TEXTS_EN } from './en.ts';
import { TEXTS_ES } from './es.ts';
import { TEXTS_JA } from './ja.ts';
import type { Wording } from './wording.ts';

const WORDINGS: Record<ReportLang, Wording> = { en: TEXTS_EN, es: TEXTS_ES, ja: TEXTS_JA };

/** Name and description in a language, from what a detection holds: a stored one can be described again at any time. */
export function describe(
  detection: { detector_id: string; details: Pick<DetectionDetails, 'variant' | 'measured'> },
  lang: ReportLang,
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

/** The detections with their names and descriptions in a language. */
export function inLanguage(detections: readonly Detection[], lang: ReportLang): Detection[] {
  return detections.map((detection) => ({ ...detection, ...describe(detection, lang) }));
}

/** The suppressed detections with their names in a language. */
export function namedIn(suppressed: readonly SuppressedDetection[], lang: ReportLang): SuppressedDetection[] {
  return suppressed.map((one) => ({ ...one, detector_name: detectorName(one.detector_id, lang) }));
}

export function detectorName(detectorId: string, lang: ReportLang): string {
  return WORDINGS[lang].names[detectorId] ?? detectorId;
}

/** A category or kind as a reader of the language knows it; its code with blanks where there is no word. */
export function wordOf(code: string, lang: ReportLang): string {
  return WORDINGS[lang].words[code] ?? code.replaceAll('_', ' ');
}

/** The text of one language with its measured values. */
export function fillIn(text: string, measured: Record<string, Figure>, lang: ReportLang): string {
  const wording = WORDINGS[lang];
  return withoutNothing(text, measured).replace(
    /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
    (_, name: string, one?: string, many?: string) => {
      if (name === 'value') return valueText(measured, wording, wording.withAmounts);
      if (name === 'worth') return valueText(measured, wording, wording.withAmountsInside);
      if (name === 'party') return partyText(measured.category ?? null, wording);
      const value = format(name, measured[name] ?? null, wording);
      return one === undefined ? value : `${value} ${measured[name] === 1 ? one : many}`;
    },
  );
}

/** Drops each bracket of which a value is zero or missing, and the marks of the others. */
function withoutNothing(text: string, measured: Record<string, Figure>): string {
  return text.replace(/\[([^[\]]*)\]/g, (_, part: string) => {
    const names = [...part.matchAll(/\{(\w+)/g)].map(([, name]) => name as string);
    return names.every((name) => isSomething(measured[name])) ? part : '';
  });
}

function isSomething(value: Figure | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function partyText(category: Figure, wording: Wording): string {
  return wording.parties[String(category)] ?? format('category', category, wording);
}

function valueText(
  { usd = null, amounts }: Record<string, Figure>,
  wording: Wording,
  join: Wording['withAmounts'],
): string {
  const unpriced = usd === 0;
  const value = unpriced ? wording.unpriced : format('usd', usd, wording);
  if (!Array.isArray(amounts) || amounts.length === 0) return value;
  return join(value, amounts.map(amountText).join(wording.listSeparator));
}

/** `1234.56789 ETH` as `1,234.57 ETH`; small amounts keep four digits. */
function amountText(amount: string): string {
  const space = amount.indexOf(' ');
  const value = Number(amount.slice(0, space));
  const decimals = value >= 100 ? 2 : Math.min(18, 3 - Math.floor(Math.log10(value || 1)));
  const figure = grouped(value, decimals);
  const shortest = figure.includes('.') ? trimEndOf(trimEndOf(figure, '0'), '.') : figure;
  return `${shortest}${amount.slice(space)}`;
}

function format(name: string, value: Figure, wording: Wording): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map((item) => wording.words[item] ?? item).join(wording.listSeparator) || '-';
  if (typeof value === 'string') return stringText(name, value, wording);
  if (typeof value === 'boolean') return String(value);
  if (name === 'minutes') return spanText(value, wording);
  if (name.endsWith('usd')) return wording.worthUsd(grouped(value, 2));
  if (name.endsWith('share'))
    return value > 0 && value < LEAST_SHARE ? wording.lessThan('0.1%') : `${grouped(100 * value, 1)}%`;
  return grouped(value, 2);
}

/** Minutes up to two hours, hours up to two days, then days; rounded up. */
function spanText(minutes: number, wording: Wording): string {
  if (minutes < 120) return wording.minutes(minutes);
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? wording.hours(grouped(hours, 0)) : wording.days(grouped(Math.ceil(hours / 24), 0));
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
