import { plainDecimal } from '../../src/domain/amount.ts';
import { timeSlices } from '../../src/fairness/time-slices.ts';
import { JsonReader } from '../../src/outbound/request.ts';
import { type InputFile, readBytes } from './input.ts';
import { WrongFormatError } from './wrong-format.ts';

const BYTES_MAX = 256 * 1024 * 1024;
const JSON_BOUNDS = { valuesMax: 20_000_000, depthMax: 32 };

/** A JSON file as one value, parsed in slices. Throws WrongFormatError for what is larger than 256 MiB or not JSON. */
export async function readJson(file: InputFile, signal?: AbortSignal): Promise<unknown> {
  const reader = new JsonReader(JSON_BOUNDS);
  const pause = timeSlices();
  const refuse = (cause: unknown) =>
    new WrongFormatError(`${file.name}: not JSON (${(cause as Error).message})`, { cause });
  for await (const chunk of readBytes(file, BYTES_MAX, signal)) {
    try {
      reader.write(chunk);
    } catch (cause) {
      throw refuse(cause);
    }
    await pause();
  }
  try {
    return reader.end();
  } catch (cause) {
    throw refuse(cause);
  }
}

/** Reads a JSON file that holds a list of objects with an address; entries of other types are null. */
export async function readAddressList(
  file: InputFile,
  signal?: AbortSignal,
): Promise<(Record<string, unknown> | null)[]> {
  const value = await readJson(file, signal);
  if (!Array.isArray(value)) throw new WrongFormatError(`${file.name}: expected a JSON list`);
  const entries = value.map((entry) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry) ? (entry as Record<string, unknown>) : null,
  );
  const hasAddress = (entry: object) => Object.keys(entry).some((name) => name.toLowerCase() === 'address');
  if (entries.length > 0 && !entries.some((entry) => entry !== null && hasAddress(entry))) {
    throw new WrongFormatError(`${file.name}: no entry of the list has address`);
  }
  return entries;
}

/** A text field of foreign JSON; empty for anything else. */
export function textField(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Longer texts are of no amount that a chain has, and slow to read. */
const NUMBER_LENGTH_MAX = 120;

/** A whole number of 0 or more, however a file writes it: `12`, `"12"`, `12.0` or `1.2E1`; null for anything else. */
export function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return null;
  const text = textField(value).trim();
  const plain = text.length > NUMBER_LENGTH_MAX ? null : plainDecimal(text);
  return plain !== null && /^\d+$/.test(plain) ? BigInt(plain) : null;
}

/** The same as a number, where it can be a place or a block; null for anything else. */
export function smallNumber(value: unknown): number | null {
  const whole = wholeNumber(value);
  return whole !== null && whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : null;
}

/** True for a truth value as any export writes it. */
export function isTrue(value: unknown): boolean {
  return value === true || /^(?:true|t|yes|1(?:\.0+)?)$/i.test(textField(value).trim());
}
