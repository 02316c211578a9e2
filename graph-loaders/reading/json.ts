import { InvalidInputError } from '../../src/errors.ts';
import { type InputFile, readWhole } from './input.ts';

const BYTES_MAX = 256 * 1024 * 1024;

/** A JSON file as one value. Throws InvalidInputError for what is larger than 256 MiB or no JSON. */
export async function readJson(file: InputFile, signal?: AbortSignal): Promise<unknown> {
  const text = await readWhole(file, BYTES_MAX, signal);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidInputError(`${file.name}: not JSON (${(cause as Error).message})`, { cause });
  }
}

/** A JSON file that holds a list of objects; entries of other types are null. */
export async function readJsonList(file: InputFile, signal?: AbortSignal): Promise<(Record<string, unknown> | null)[]> {
  const value = await readJson(file, signal);
  if (!Array.isArray(value)) throw new InvalidInputError(`${file.name}: expected a JSON list`);
  return value.map((entry) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry) ? (entry as Record<string, unknown>) : null,
  );
}

/** A text field of foreign JSON; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
