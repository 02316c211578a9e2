import { HOUR_MS, isoOrNull } from '../../domain/time.ts';
import type { Records } from '../../records/database/database.ts';
import type { KeptList } from '../../records/database/tables/lists.ts';
import { readKeptLists } from '../../records/lists/kept-lists.ts';

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
