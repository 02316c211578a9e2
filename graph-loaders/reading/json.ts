import { timeSlices } from '../../src/fairness/time-slices.ts';
import { JsonReader } from '../../src/outbound/json-reader.ts';
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

/** A JSON file that holds a list of objects with a field; entries of other types are null. */
export async function readJsonList(
  file: InputFile,
  field: string,
  signal?: AbortSignal,
): Promise<(Record<string, unknown> | null)[]> {
  const value = await readJson(file, signal);
  if (!Array.isArray(value)) throw new WrongFormatError(`${file.name}: expected a JSON list`);
  const entries = value.map((entry) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry) ? (entry as Record<string, unknown>) : null,
  );
  const hasField = (entry: object) => Object.keys(entry).some((name) => name.toLowerCase() === field);
  if (entries.length > 0 && !entries.some((entry) => entry !== null && hasField(entry))) {
    throw new WrongFormatError(`${file.name}: no entry of the list has ${field}`);
  }
  return entries;
}

/** A text field of foreign JSON; empty for anything else. */
export function textField(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
