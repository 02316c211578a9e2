import { isNullAddress } from '../src/domain/tracing/asset-id.ts';
import { amountText, type Figure, type Figures, FORMS, groupedDigits, shareText, spanText } from './figures.ts';
import type { Language } from './language.ts';
import { codeWord } from './look-up.ts';
import { WORDS } from './words.ts';

/** The part of a detection that its texts need. */
interface Described {
  detector_id: string;
  details: {
    variant?: string;
    measured: Figures;
    window?: { from: string; to: string } | null;
    counterparties?: readonly string[];
    counterparty_count?: number;
    labels?: readonly { address: string; label: string }[];
  };
}

/** Values by which a text says itself who is on the other side. */
const NAMES_PARTY = /\{(entities|address|lookalike|victim|names|label)\}/;
const PARTIES_NAMED = 2;

/** Name and description in a language, from what a detection holds: a stored one can be described again at any time. */
export function describe(
  { detector_id, details }: Described,
  lang: Language,
): { detector_name: string; description: string } {
  const { variant, measured, window } = details;
  const { texts, report } = WORDS[lang].detections;
  const key = variant === undefined ? detector_id : `${detector_id}.${variant}`;
  const text = (texts as Record<string, string>)[key] ?? '';
  const said = `${fillMeasured(`${text}${report}`, measured, lang)}${text && whoText(text, details, lang)}${text && whenText(window, lang)}`;
  return {
    detector_name: detectorName(detector_id, lang),
    // Some begin with a share in words: "more than 99.9%".
    description: said.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
  };
}

/** The first counterparties, by name where a label gives one; empty where there are none, or the text names them itself. */
function whoText(text: string, { counterparties = [], ...details }: Described['details'], lang: Language): string {
  if (NAMES_PARTY.test(text) || counterparties.length === 0) return '';
  const nameOf = (address: string) =>
    details.labels?.find((label) => label.address === address)?.label ?? nobodyText(address, lang) ?? address;
  const parties = [...new Set(counterparties.map(nameOf))].slice(0, PARTIES_NAMED);
  const named = counterparties.filter((address) => parties.includes(nameOf(address))).length;
  const others = (details.counterparty_count ?? counterparties.length) - named;
  return fillMeasured(WORDS[lang].detections.who, { parties, others }, lang);
}

/** Returns words for an address without a holder, such as the one that new tokens come from; null for any other. */
export function nobodyText(address: string, lang: Language): string | null {
  return isNullAddress(address) ? WORDS[lang].detections.nobody : null;
}

/** The day or days of the transfers; empty where time plays no part. */
function whenText(window: Described['details']['window'], lang: Language): string {
  if (!window) return '';
  const { day, span } = WORDS[lang].detections.when;
  const isOneDay = window.from.slice(0, 10) === window.to.slice(0, 10);
  return fillMeasured(isOneDay ? day : span, { from_at: window.from, to_at: window.to }, lang);
}

/** The detections with their names and descriptions in a language. */
export function inLanguage<T extends Described>(detections: readonly T[], lang: Language): T[] {
  return detections.map((detection) => ({ ...detection, ...describe(detection, lang) }));
}

/** The suppressed detections with their names in a language. */
export function namedIn<T extends { detector_id: string }>(suppressed: readonly T[], lang: Language): T[] {
  return suppressed.map((one) => ({ ...one, detector_name: detectorName(one.detector_id, lang) }));
}

export function detectorName(detectorId: string, lang: Language): string {
  const names: Record<string, string> = WORDS[lang].detections.names;
  return names[detectorId] ?? detectorId;
}

/** A category or kind as a reader of the language knows it; its code with blanks where there is no word. */
export function wordOf(code: string, lang: Language): string {
  return codeWord(WORDS[lang].codes, code);
}

/**
 * The text of one language with its measured values. `{name}` is a measured value, formatted by its name,
 * `{name|one|many}` a number with its noun, `{value}` the US dollars with their assets, `{worth}` the same in parentheses,
 * `{party}` who a category's party is. What stands in brackets is left out where a value in it is nothing.
 */
export function fillMeasured(text: string, measured: Record<string, Figure>, lang: Language): string {
  const { withAmounts, withAmountsInside } = FORMS[lang];
  return withoutNothing(text, measured).replace(
    /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
    (_, name: string, one?: string, many?: string) => {
      if (name === 'value') return valueText(measured, lang, withAmounts);
      if (name === 'worth') return valueText(measured, lang, withAmountsInside);
      if (name === 'party') return partyText(measured.category ?? null, lang);
      const value = format(name, measured[name] ?? null, lang);
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

function partyText(category: Figure, lang: Language): string {
  const parties: Record<string, string> = WORDS[lang].detections.parties;
  return parties[String(category)] ?? format('category', category, lang);
}

function valueText(
  { usd = null, amounts }: Record<string, Figure>,
  lang: Language,
  join: (value: string, amounts: string) => string,
): string {
  const unpriced = usd === 0;
  const value = unpriced ? FORMS[lang].unpriced : format('usd', usd, lang);
  if (!Array.isArray(amounts) || amounts.length === 0) return value;
  return join(value, amounts.map((amount) => amountText(amount, lang)).join(FORMS[lang].comma));
}

function format(name: string, value: Figure, lang: Language): string {
  if (value === null) return '-';
  if (Array.isArray(value)) {
    const items = value.map((item) => (name === 'amounts' ? amountText(item, lang) : (codeWords(lang)[item] ?? item)));
    return items.join(FORMS[lang].comma) || '-';
  }
  if (typeof value === 'string') return stringText(name, value, lang);
  if (typeof value === 'boolean') return String(value);
  if (name === 'minutes') return spanText(value, lang);
  const { number, worthUsd } = FORMS[lang];
  if (name.endsWith('usd')) return worthUsd(number(groupedDigits(value, 2)));
  if (name.endsWith('share')) return shareText(value, lang);
  if (name.endsWith('_days') && value >= 10) return number(groupedDigits(Math.floor(value), 0));
  return number(groupedDigits(value, 2));
}

function stringText(name: string, value: string, lang: Language): string {
  const forms = FORMS[lang];
  if (name.endsWith('_at')) return forms.date(value.slice(0, 10));
  const [, currency, amount] = (name === 'limit' && /^(USD|JPY) (\d+)$/.exec(value)) || [];
  if (amount !== undefined)
    return (currency === 'USD' ? forms.usd : forms.yen)(forms.number(groupedDigits(Number(amount), 0)));
  return codeWords(lang)[value] ?? value;
}

function codeWords(lang: Language): Record<string, string> {
  return WORDS[lang].codes;
}
