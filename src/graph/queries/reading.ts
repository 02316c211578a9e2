import { LOADED_FILE, listsOfAsset, readInAll } from '../../domain/tracing/read-intervals.ts';
import { NOT_READ, type Reading, readUntil } from '../../domain/tracing/reading.ts';
import type { HistoryList } from '../../domain/transfers/history-list.ts';
import { parseAddressKey } from '../address-key.ts';

/** What an address node holds about how it was read. */
export interface ReadProperties {
  key: string;
  scanned_at: number | null;
  scan_complete: boolean | null;
  read_lists: string[] | null;
  read_from: number[] | null;
  read_to: number[] | null;
  read_sources: string[] | null;
}

/** What was read of the address; of graphs that were filled before parts were noted, the last scan alone is known. */
export function readingOf({ key, scanned_at, scan_complete, read_lists, read_from, read_to }: ReadProperties): Reading {
  if (!read_lists?.length) return scanned_at === null ? NOT_READ : readUntil(scanned_at, scan_complete === true);
  return readingIn(key, intervalsOf({ read_lists, read_from, read_to }));
}

/** What loaded files were declared to hold of the address. */
export function loadedReading({ key, read_sources, ...row }: ReadProperties): Reading | null {
  if (!read_sources?.includes(LOADED_FILE)) return null;
  return readingIn(
    key,
    intervalsOf(row).filter((_, i) => read_sources[i] === LOADED_FILE),
  );
}

function intervalsOf({ read_lists, read_from, read_to }: Pick<ReadProperties, 'read_lists' | 'read_from' | 'read_to'>) {
  return (read_lists ?? []).map((list, i) => ({
    list: list as HistoryList,
    from: read_from?.[i] ?? Number.POSITIVE_INFINITY,
    to: read_to?.[i] ?? 0,
  }));
}

function readingIn(key: string, intervals: ReturnType<typeof intervalsOf>): Reading {
  const { chain } = parseAddressKey(key);
  return (asset) =>
    readInAll(listsOfAsset(chain, asset), intervals).map(({ from, to }) => ({
      from: from === 0 ? Number.NEGATIVE_INFINITY : from,
      to,
      balance: null,
    }));
}
