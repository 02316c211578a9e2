import { percent } from './figures.ts';
import type { Language } from './language.ts';

/** One of the rows that a whole consists of. */
export interface Part {
  /** 0-1, rounded: 0 of little money in much. */
  share: number;
  kind: string;
  usd: number;
}

/** True of an end at which there is not even half a cent. */
function isNothing({ share, usd }: Pick<Part, 'share' | 'usd'>): boolean {
  return share <= 0 && usd < HALF_CENT;
}

const HALF_CENT = 0.005;

/**
 * Returns the tenths of a percent of parts, which add up to those of all of them together. What rounding leaves over goes
 * to ends that are not parties, where it is least wrong: the share of a party stands in other texts too.
 */
export function tenthsOf(parts: readonly Part[]): number[] {
  const exact = parts.map(({ share }) => 1_000 * share);
  const tenths = exact.map(Math.round);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  let left = Math.round(sum(exact)) - sum(tenths);
  const step = Math.sign(left);
  const order = parts.map(({ kind }, i) => ({ i, isParty: kind === 'party', off: step * (exact[i]! - tenths[i]!) }));
  order.sort((a, b) => Number(a.isParty) - Number(b.isParty) || b.off - a.off);
  for (let at = 0; left !== 0; at = (at + 1) % order.length) {
    const { i } = order[at]!;
    if (tenths[i]! + step < 0) continue;
    tenths[i]! += step;
    left -= step;
  }
  return tenths;
}

/** Returns the tenths of a percent of some parts of a whole as text; never nothing or all where they are not. */
export function tenthsText(tenths: number, parts: readonly Part[], whole: readonly Part[], language: Language): string {
  if (tenths === 1_000 && !whole.every((one) => parts.includes(one) || isNothing(one)))
    return percent(1 - Number.EPSILON, language);
  if (tenths === 0 && !parts.every(isNothing)) return percent(Number.MIN_VALUE, language);
  return percent(tenths / 1_000, language);
}

/** Returns the shares of the parts of a whole as texts: `12.5%`. */
export function shareTexts(parts: readonly Part[], language: Language): string[] {
  return tenthsOf(parts).map((tenths, i) => tenthsText(tenths, [parts[i]!], parts, language));
}
