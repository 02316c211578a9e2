import { z } from 'zod';
import { base58CheckXrp } from '../../domain/address/base58-check.ts';
import { plainDecimal, significantDigits } from '../../domain/amount.ts';
import { trimEndOf } from '../../domain/text/trim-end.ts';
import { addressShape, units } from '../reply.ts';

/** An amount of the XRP Ledger in one form: `token` null is XRP, `value` a plain decimal string in whole coins. */
export interface XrpAmount {
  token: string | null;
  /** The name that the ledger itself gives: `XRP`, the currency code, or `MPT`. */
  symbol: string;
  /** Its issuer; null for XRP. */
  issuer: string | null;
  value: string;
}

const MPT_ID = /^[0-9A-F]{48}$/i;

export const xrpAddressShape = addressShape('xrp');
/** All XRP that was ever made is 10^17 drops. */
export const dropsShape = units.refine((drops) => drops <= 10n ** 17n, 'more drops than exist').transform(String);

/** The ledger counts a multi-purpose token in 63 bits. */
export const mptUnitsShape = units.refine((value) => value < 2n ** 63n, 'more than a token can have').transform(String);

/** A plain decimal string of what the ledger can write: 16 digits, times ten to the power of -96 to 80. */
const issuedValue = z
  .union([z.string().max(200), z.number().transform(String)])
  .transform((text) => plainDecimal(text) ?? '')
  .refine((value) => value !== '' && isIssuedValue(value), 'no amount of an issued currency');
const currency = z.string().regex(/^[^.\s]{1,40}$/);

/** Returns the balance of a trust line: below 0 where the low account owes the high one. */
export const trustBalanceShape = z.object({ currency, issuer: xrpAddressShape, value: issuedValue });
export const issuedShape = trustBalanceShape.refine(({ value }) => !value.startsWith('-'), 'a negative amount');

/** Drops, an issued currency or a multi-purpose token; anything else is not an amount. */
export const amountShape = z.union([
  dropsShape,
  issuedShape,
  z.object({ mpt_issuance_id: z.string().regex(MPT_ID), value: mptUnitsShape }),
]);
export type RawAmount = z.output<typeof amountShape>;

function isIssuedValue(value: string): boolean {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  const isTooSmall = whole === '0' && /^0{81}/.test(fraction);
  return significantDigits(whole + fraction).length <= 16 && whole.length <= 96 && !isTooSmall;
}

/** Multi-purpose tokens stay in their smallest unit until their decimals are known. */
export function readAmount(raw: RawAmount): XrpAmount {
  if (typeof raw === 'string') return { token: null, symbol: 'XRP', issuer: null, value: dropsToXrp(raw) };
  if ('mpt_issuance_id' in raw) return mptAmount(raw.mpt_issuance_id, raw.value);
  const symbol = readCurrency(raw.currency);
  return { token: `${symbol}.${raw.issuer}`, symbol, issuer: raw.issuer, value: raw.value };
}

export function mptAmount(issuanceId: string, value: string): XrpAmount {
  return { token: issuanceId.toUpperCase(), symbol: 'MPT', issuer: mptIssuer(issuanceId), value };
}

export function isMpt(token: string | null): boolean {
  return token !== null && MPT_ID.test(token);
}

export function dropsToXrp(drops: string): string {
  return plainDecimal(`${drops}e-6`) ?? '0';
}

/**
 * A currency as people write it: 40 hex digits that spell a code become that code. Three letters in hex stay hex,
 * since they are another currency than the three-letter code itself.
 */
function readCurrency(currency: string): string {
  if (!/^[0-9A-F]{40}$/i.test(currency)) return currency;
  const text = trimEndOf(Buffer.from(currency, 'hex').toString('latin1'), '\0');
  return /^[\x21-\x2d\x2f-\x7e]{4,20}$/.test(text) ? text : currency.toUpperCase();
}

/** `CURRENCY.issuer` with the currency in the form that transfers use. */
export function canonicalToken(token: string): string {
  const point = token.lastIndexOf('.');
  if (point === -1) return isMpt(token) ? token.toUpperCase() : token;
  return `${readCurrency(token.slice(0, point))}${token.slice(point)}`;
}

/** An issuance id is four bytes of sequence and the 20 bytes of the issuer's account. */
function mptIssuer(issuanceId: string): string {
  return base58CheckXrp.encode(Uint8Array.of(0, ...Buffer.from(issuanceId.slice(8), 'hex')));
}
