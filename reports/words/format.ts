import { HOUR_MS, iso } from '../../src/domain/time.ts';

/** Numbers and times as reports write them: the same on every machine, whatever its language and time zone. */

/** `1,234.50 USD` */
export function usd(amount: number | null): string {
  return amount === null ? '–' : `${grouped(amount.toFixed(2))} USD`;
}

/** `12.5 %` of a share from 0 to 1; what is not quite nothing or everything is never shown as 0 or 100 %. */
export function percent(share: number | null): string {
  if (share === null) return '–';
  if (share > 0 && share < 0.0005) return '< 0.1 %';
  if (share < 1 && share >= 0.9995) return '> 99.9 %';
  return `${(share * 100).toFixed(1)} %`;
}

/** A number or decimal string with its thousands grouped. */
export function grouped(amount: number | string): string {
  const [whole = '', fraction] = String(amount).split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** ISO 8601 (UTC) to `2026-11-20 10:00:00 UTC`, or the same moment in the zone of the words. */
export function moment(at: string | null, { zone }: { zone: { name: string; hours: number } }): string {
  if (at === null) return '–';
  const local = iso(Date.parse(at) + zone.hours * HOUR_MS);
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zone.name}`;
}
