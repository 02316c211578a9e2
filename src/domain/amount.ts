/** Exact decimal arithmetic on strings: amounts never pass through floating point. */

import { compare } from './compare.ts';
import { trimEndOf } from './text/trim-end.ts';

/** Smallest units to a plain decimal string: no exponent, no trailing zeros, `0` for nothing. */
export function formatUnits(raw: bigint, decimals: number): string {
  const negative = raw < 0n;
  const digits = (negative ? -raw : raw).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : trimEndOf(digits.slice(-decimals), '0');
  return `${negative ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** A decimal string to smallest units; digits beyond `decimals` are cut. Throws RangeError for what is not a decimal. */
export function parseUnits(amount: string, decimals: number): bigint {
  if (!/^-?\d+(?:\.\d*)?$/.test(amount)) throw new RangeError(`not a decimal number: ${amount.slice(0, 40)}`);
  const point = amount.indexOf('.');
  if (point === -1) return BigInt(`${amount}${'0'.repeat(decimals)}`);
  const fraction = amount.slice(point + 1, point + 1 + decimals).padEnd(decimals, '0');
  return BigInt(`${amount.slice(0, point)}${fraction}`);
}

/** The smallest units that an amount stands for; null where the decimals are unknown, or the amount has more of them. */
export function rawAmount(amount: string, decimals: number | null): string | null {
  return decimals !== null && fractionDigits(amount) <= decimals ? parseUnits(amount, decimals).toString() : null;
}

/** Significant digits, whatever the scale: 16,000 and 0.016 have the same. */
export function significantDigits(amount: string): string {
  return trimEndOf(amount.replace('.', '').replace(/^0+/, ''), '0');
}

/** Sum of two decimal strings. */
export function addAmounts(a: string, b: string): string {
  const decimals = Math.max(fractionDigits(a), fractionDigits(b));
  return formatUnits(parseUnits(a, decimals) + parseUnits(b, decimals), decimals);
}

/** A growing sum of decimal strings. */
export class AmountSum {
  private units = 0n;
  private decimals = 0;

  add(amount: string): this {
    const digits = fractionDigits(amount);
    if (digits > this.decimals) {
      this.units *= 10n ** BigInt(digits - this.decimals);
      this.decimals = digits;
    }
    this.units += parseUnits(amount, this.decimals);
    return this;
  }

  toString(): string {
    return formatUnits(this.units, this.decimals);
  }
}

/** Sums of quantities by asset symbol, in the order in which the symbols first come. */
export function sumByAsset(all: readonly Record<string, string>[]): Record<string, string> {
  const sums = new Map<string, AmountSum>();
  for (const [asset, amount] of all.flatMap((assets) => Object.entries(assets))) {
    sums.set(asset, (sums.get(asset) ?? new AmountSum()).add(amount));
  }
  return Object.fromEntries([...sums].map(([asset, sum]) => [asset, sum.toString()]));
}

/** `a` < `b`: negative, equal: 0. */
export function compareAmounts(a: string, b: string): number {
  const decimals = Math.max(fractionDigits(a), fractionDigits(b));
  return compare(parseUnits(a, decimals), parseUnits(b, decimals));
}

/** True where the two differ by no more than the rounding of the one with fewer digits behind the point. */
export function agreeingAmounts(a: string, b: string): boolean {
  const [fewer, more] = [fractionDigits(a), fractionDigits(b)].sort((x, y) => x - y) as [number, number];
  const difference = parseUnits(a, more) - parseUnits(b, more);
  return (difference < 0n ? -difference : difference) < 10n ** BigInt(more - fewer);
}

/** `1.5e-7` and the like to a plain decimal string; null for what is not a number. */
export function plainDecimal(value: string): string | null {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(value.trim());
  if (!match) return null;
  const fraction = match[3] ?? '';
  const exponent = Number(match[4] ?? 0) - fraction.length;
  const digits = BigInt(`${match[2]}${fraction}`);
  const plain = exponent >= 0 ? formatUnits(digits * 10n ** BigInt(exponent), 0) : formatUnits(digits, -exponent);
  return match[1] === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** Digits behind the point. */
export function fractionDigits(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point - 1;
}

/** Rounds to a millionth of a dollar: below that it is rounding of the arithmetic, not money. */
export function roundUsd(usd: number): number {
  return rounded(usd);
}

/** Returns which part of a whole some money is, 0-1, to six decimals; 0 of nothing. */
export function shareOfMoney(usd: number, wholeUsd: number): number {
  return wholeUsd > 0 ? Math.min(1, Math.max(0, rounded(usd / wholeUsd))) : 0;
}

/** Rounds to six decimals, for figures that people read; shares are compared rounded too, so that what is compared is what is shown. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
