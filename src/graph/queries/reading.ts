import { parseAddressKey } from '../../domain/address/address-key.ts';
import { type KnownBalance, LOADED_FILE, listsOfAsset, readInAll } from '../../domain/tracing/read-intervals.ts';
import { NOT_READ, type Reading, readUntil } from '../../domain/tracing/reading.ts';
import type { HistoryList } from '../../domain/transfers/history-list.ts';
import { type BalanceLists, balancesOf } from '../ingest/mark-read.ts';

/** Properties of an address node about how it was read. */
export interface ReadProperties extends BalanceLists {
  key: string;
  scanned_at: number | null;
  scan_complete: boolean | null;
  read_lists: string[] | null;
  read_from: number[] | null;
  read_to: number[] | null;
  read_sources: string[] | null;
}

/** Returns what was read of the address; of graphs that were filled before parts were noted, the last scan alone is known. */
export function readingOf(row: ReadProperties): Reading {
  const { key, scanned_at, scan_complete, read_lists } = row;
  if (!read_lists?.length) return scanned_at === null ? NOT_READ : readUntil(scanned_at, scan_complete === true);
  return readingIn(key, intervalsOf(row), balancesOf(row));
}

/** Returns what loaded files were declared to hold of the address. */
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

function readingIn(
  key: string,
  intervals: ReturnType<typeof intervalsOf>,
  balances: readonly KnownBalance[] = [],
): Reading {
  const { chain } = parseAddressKey(key);
  const amounts = new Map(balances.map(({ asset, at, amount }) => [`${at} ${asset}`, amount]));
  return (asset) =>
    readInAll(listsOfAsset(chain, asset), intervals).map(({ from, to }) => ({
      from: from === 0 ? Number.NEGATIVE_INFINITY : from,
      to,
      opening: amounts.get(`${from} ${asset}`) ?? null,
      closing: amounts.get(`${to + 1} ${asset}`) ?? null,
    }));
}
