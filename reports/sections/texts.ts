import { HOUR_MS, iso } from '../../src/domain/time.ts';
import { FORMS, grouped } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';

const ASSETS_MAX = 3;

/** Quantities as a reader sees them, the first three assets. */
export function assetsText(assets: Record<string, string>, language: Language): string {
  const entries = Object.entries(assets);
  const shown = entries
    .slice(0, ASSETS_MAX)
    .map(([asset, amount]) => `${grouped(shortAmount(amount), language)} ${asset}`);
  return shown.join(FORMS[language].comma) + (entries.length > ASSETS_MAX ? ' …' : '');
}

/** At most six decimals: a page states quantities, the CSV their last digits. */
function shortAmount(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.slice(0, 6).replace(/0+$/, '');
  return kept === '' ? (whole === '0' && /[1-9]/.test(fraction) ? amount : whole) : `${whole}.${kept}`;
}

/** The day of a moment in the zone of a language's reports. */
export function dayText(at: string, language: Language): string {
  const { zone, date } = FORMS[language];
  return date(iso(Date.parse(at) + zone.hours * HOUR_MS).slice(0, 10));
}
