import { createHash } from 'node:crypto';
import { base58xrp, utils } from '@scure/base';
import { z } from 'zod';
import { plainDecimal } from '../../domain/amount.ts';
import { trimEndOf } from '../../domain/text/trim-end.ts';
import { addressShape } from '../reply.ts';

/** An amount of the XRP Ledger in one form: `token` null is XRP, `value` a plain decimal string in whole coins. */
export interface XrpAmount {
  token: string | null;
  /** The name that the ledger itself gives: `XRP`, the currency code, or `MPT`. */
  symbol: string;
  /** Who issues it; null for XRP. */
  issuer: string | null;
  value: string;
}

const MPT_ID = /^[0-9A-F]{48}$/i;

export const xrpAddressShape = addressShape('xrp');
export const issuedShape = z.object({
  currency: z.string().regex(/^[^.\s]{1,40}$/),
  issuer: xrpAddressShape,
  value: z
    .string()
    .max(64)
    .refine((value) => plainDecimal(value) !== null, 'no decimal number'),
});

/** Drops, an issued currency or a multi-purpose token; anything else is not an amount. */
export const amountShape = z.union([
  z.string().regex(/^\d{1,18}$/),
  issuedShape,
  z.object({ mpt_issuance_id: z.string().regex(MPT_ID), value: z.string().regex(/^\d{1,20}$/) }),
]);
export type RawAmount = z.output<typeof amountShape>;

/** Multi-purpose tokens stay in their smallest unit until their decimals are known. */
export function readAmount(raw: RawAmount): XrpAmount {
  if (typeof raw === 'string') return { token: null, symbol: 'XRP', issuer: null, value: dropsToXrp(raw) };
  if ('mpt_issuance_id' in raw) return mptAmount(raw.mpt_issuance_id, raw.value);
  const value = plainDecimal(raw.value) ?? '0';
  const currency = readCurrency(raw.currency);
  return { token: `${currency}.${raw.issuer}`, symbol: currency, issuer: raw.issuer, value };
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

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();
const classicAddress = utils.chain(
  utils.checksum(4, (data) => sha256(sha256(data))),
  base58xrp,
);

/** An issuance id is four bytes of sequence and the 20 bytes of the issuer's account. */
function mptIssuer(issuanceId: string): string {
  return classicAddress.encode(Uint8Array.of(0, ...Buffer.from(issuanceId.slice(8), 'hex')));
}
