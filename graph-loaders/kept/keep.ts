import { InvalidInputError } from '../../src/errors.ts';
import type { Guard } from '../../src/outbound/guard.ts';
import { isUrl } from '../../src/outbound/places.ts';
import type { Records } from '../../src/records/database/database.ts';
import { keepList } from '../../src/records/lists/kept-lists.ts';
import { findInput } from '../reading/input.ts';
import { newTally } from '../reading/tally.ts';
import { SOURCE_NAMES, SOURCES } from '../sources.ts';
import { assertUsable } from '../usable-rows.ts';

export interface ListToKeep {
  source: string;
  /** URL, or absolute path. */
  place: string;
  everyMs: number;
  /** The header `Last-Modified` is the day of the list. */
  asOfHeader: boolean;
}

/**
 * Keeps a list, due at once. Throws InvalidInputError for what cannot be kept, is not there, may not be fetched or, where it
 * lies on this machine, gives nothing.
 */
export async function addKeptList(
  { records, now }: { records: Records; now: () => number },
  guard: Guard,
  { source, place, everyMs, asOfHeader }: ListToKeep,
): Promise<void> {
  const name = SOURCE_NAMES.find((one) => one === source);
  const loader = name && (await SOURCES[name].importLoader());
  if (!loader || loader.kind === 'transfers') {
    const loaders = await Promise.all(Object.values(SOURCES).map(({ importLoader }) => importLoader()));
    const kept = SOURCE_NAMES.filter((_, at) => loaders[at]!.kind !== 'transfers');
    throw new InvalidInputError(`${source} cannot be kept. One of ${kept.join(', ')}`);
  }
  if (asOfHeader && !(loader.kind === 'labels' && loader.isList)) {
    throw new InvalidInputError(`--as-of-header is for lists of labels, and ${source} is none`);
  }
  if (isUrl(place)) refuseForbidden(guard, place);
  const input = await findInput(place, loader.accepts);
  if (!isUrl(place)) await assertUsable(name, loader, { ...input, tally: newTally(), reserved: new Set(), now: now() });
  await keepList(records, { source, place, every_ms: everyMs, as_of_header: asOfHeader ? 1 : 0 }, now());
}

function refuseForbidden(guard: Guard, place: string): void {
  try {
    guard.parse(place);
  } catch (cause) {
    const help = 'WEBHOOK_ALLOW_HTTP and WEBHOOK_ALLOW_CIDRS allow others';
    throw new InvalidInputError(`${place} cannot be fetched: ${(cause as Error).message} (${help})`, { cause });
  }
}
