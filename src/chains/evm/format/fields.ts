import { z } from 'zod';

/** Fields of JSON-RPC replies. Everything is checked before use: a source may answer anything. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'is not a hexadecimal quantity')
  .transform((hex) => BigInt(hex));
export const smallQuantity = quantity
  .refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER), 'is too large')
  .transform(Number);

/** No block holds as many logs or inner calls; what is above is a lie, and would break the order by `seq`. */
const PLACE_MAX = 2 ** 29;
const isPlace = (value: number) => value <= PLACE_MAX;
/** Place of a log or inner call, of JSON-RPC. */
export const placeQuantity = smallQuantity.refine(isPlace, 'is not a place in a block');
export const hexData = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'is not hexadecimal data')
  .transform((hex) => hex.toLowerCase());
export const addressField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'is not an address')
  .transform((address) => address.toLowerCase());
export const hashField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'is not a hash')
  .transform((hash) => hash.toLowerCase());

/** Years 2009 to 2200: what lies outside is not a block time. */
const SECONDS_MIN = 1_230_768_000;
const SECONDS_MAX = 7_258_118_400;
const inTime = (seconds: number) => seconds >= SECONDS_MIN && seconds < SECONDS_MAX;
/** Seconds since 1970 to milliseconds. The genesis block of test chains and of Ethereum says 0. */
export const blockTime = smallQuantity
  .refine((seconds) => seconds === 0 || inTime(seconds), 'is not a block time')
  .transform((seconds) => seconds * 1_000);

/** Fields of explorer replies: decimal numbers as text, small ones sometimes as numbers. */
export const digits = z
  .union([z.string(), z.number().int().nonnegative().transform(String)])
  .refine((text) => /^\d{1,78}$/.test(text), 'is not a whole number');
export const bigDigits = digits.transform(BigInt);
export const smallDigits = digits.transform(Number).refine(Number.isSafeInteger, 'is too large');
/** Place of a log or inner call, of explorers. */
export const placeDigits = smallDigits.refine(isPlace, 'is not a place in a block');
export const rowTime = smallDigits.refine(inTime, 'is not a block time').transform((seconds) => seconds * 1_000);
/** Explorers write a missing value as an empty text. */
export const maybe = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema.nullable());

/** Decimals of a token as a reply states them; null where it does not, or states what none can have. */
export function statedDecimals(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const decimals = /^\d{1,3}$/.test(String(value)) ? Number(value) : null;
  return decimals !== null && decimals <= 255 ? decimals : null;
}

/** First four bytes of the input; null for a plain payment. */
export function selectorOf(input: unknown): string | null {
  return typeof input === 'string' && /^0x[0-9a-fA-F]{8}/.test(input) ? input.slice(0, 10).toLowerCase() : null;
}
