import { basename } from 'node:path';
import { HOUR_MS, isoOrNull } from '../../domain/time.ts';
import { isUrl } from '../../outbound/places.ts';
import type { Records } from '../../records/database/database.ts';
import { type KeptList, readKeptLists } from '../../records/lists/kept-lists.ts';

/** A list that the service fetches by itself, as answers show it. */
export interface ShownList {
  source: string;
  place: string;
  every_hours: number;
  state: KeptList['state'];
  problem: string | null;
  checked_at: string | null;
  loaded_at: string | null;
  next_at: string;
}

export async function describeKeptLists(records: Records): Promise<ShownList[]> {
  return (await readKeptLists(records)).map(({ source, place, every_ms, state, problem, ...times }) => ({
    source,
    place,
    every_hours: every_ms / HOUR_MS,
    state,
    problem,
    checked_at: isoOrNull(times.checked_at),
    loaded_at: isoOrNull(times.loaded_at),
    next_at: isoOrNull(times.next_at)!,
  }));
}

/** The list for tenants: of a URL the host, of a path its last part, as the rest may hold a key; the state without its texts. */
export function forTenants({ place, problem, ...list }: ShownList): Omit<ShownList, 'problem'> {
  return { ...list, place: isUrl(place) ? new URL(place).host : basename(place) };
}
