import { InvalidInputError } from '../src/errors.ts';
import type { Loader, Work } from './reading/loader.ts';
import { WrongFormatError } from './reading/wrong-format.ts';

/**
 * The loader, whose rows end in a WrongFormatError where the file has rows and none of them can be used: it is another file,
 * and ends nothing.
 */
export function refusingNothing(loader: Loader): Loader {
  return { ...loader, read: (work: Work) => usable<unknown>(loader.read(work), work) } as Loader;
}

async function* usable<Row>(rows: AsyncIterable<Row>, { files, isFolder, tally }: Work): AsyncGenerator<Row> {
  let isOfUse = false;
  for await (const row of rows) {
    isOfUse = true;
    yield row;
  }
  if (isOfUse || tally.read === 0) return;
  const place = isFolder && files.length > 1 ? `${files.length} files` : files[0]!.name;
  const first = tally.errors[0] ? `, the first for: ${tally.errors[0].reason}` : '';
  throw new WrongFormatError(`${place}: none of ${tally.read} rows can be used${first}`);
}

/** Reads every row, so that what is wrong with a file is known before anything of it is stored; returns the label sources in it. */
export async function readThrough(loader: Loader, work: Work): Promise<Set<string>> {
  const sources = new Set<string>();
  for await (const row of loader.read(work) as AsyncIterable<{ source?: string }>) {
    if (row.source !== undefined) sources.add(row.source);
  }
  work.signal?.throwIfAborted();
  return sources;
}

/** The refusal of a file of another format, with the format that the source takes. */
export function inputRefused(source: string, { format }: Loader, cause: WrongFormatError): InvalidInputError {
  return new InvalidInputError(`${cause.message}. ${source} takes ${format}.`, { cause });
}

/** Reads up to the first row that can be used. Throws InvalidInputError where there is none, or the format is another. */
export async function assertUsable(source: string, loader: Loader, work: Work): Promise<void> {
  try {
    for await (const _ of refusingNothing(loader).read(work)) break;
  } catch (cause) {
    throw cause instanceof WrongFormatError ? inputRefused(source, loader, cause) : cause;
  }
}
