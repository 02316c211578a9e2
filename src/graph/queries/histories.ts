import { LRUCache } from 'lru-cache';
import { parseAddressKey } from '../../domain/address/address-key.ts';
import type { HistoryList } from '../../domain/chains.ts';
import type { Category } from '../../domain/label.ts';
import {
  type KnownBalance,
  LOADED_FILE,
  listsOfAsset,
  NOT_READ,
  type Reading,
  readInAll,
  readUntil,
} from '../../domain/tracing/reading.ts';
import { type BalanceLists, balancesOf } from '../ingest/mark-read.ts';
import type { Graph, QueryOptions, Row } from '../port.ts';
import type { ListedTransfer } from './listed-transfers.ts';

/** An address with more transfers on a side, or with unread crossings, is a hub: it says nothing of one customer. */
export const HUB = { traced: 5_000, other: 20_000 } as const;
/** Transfers of a side in one row of an answer. */
const TRANSFERS_PER_ROW = 25;
/** Transfers of the histories that are kept for the traces of one report. */
const KEPT_TRANSFERS_MAX = 200_000;

/** An address as the graph answers it. */
export interface HistoryRow extends Row, ReadProperties {
  part: number;
  category: Category | null;
  is_contract: boolean;
  has_bridges: boolean;
  tx_in: number | null;
  tx_out: number | null;
  received: ListedTransfer[];
  sent: ListedTransfer[];
}

/** Bounds for reading one address: the most transfers on each side before it counts as a hub. */
export type HistoryItem = { key: string; in_max: number; out_max: number };

/** Histories by key, so that several traces of one report read each address once. */
export type KnownHistories = LRUCache<string, HistoryRow>;

export function knownHistories(): KnownHistories {
  const sizeCalculation = ({ received, sent }: HistoryRow) => 1 + received.length + sent.length;
  return new LRUCache({ maxSize: KEPT_TRANSFERS_MAX, sizeCalculation });
}

/** Returns each known address with all that is listed of it, by key. */
export async function readHistories(
  graph: Graph,
  items: readonly HistoryItem[],
  { histories: known, ...options }: QueryOptions & { histories?: KnownHistories },
): Promise<Map<string, HistoryRow>> {
  const found = new Map<string, HistoryRow>();
  const unread: HistoryItem[] = [];
  for (const item of items) {
    const row = known?.get(item.key);
    if (row) found.set(item.key, row);
    else unread.push(item);
  }
  if (unread.length === 0) return found;
  const params = { items: unread, most: HUB.other + 1, per_row: TRANSFERS_PER_ROW };
  const rows = await graph.read<HistoryRow>('exposure/open', params, options);
  const read = new Map(rows.filter(({ part }) => part === 0).map((row) => [row.key, row]));
  for (const { key, part, received, sent } of rows) {
    if (part === 0) continue;
    const history = read.get(key) as HistoryRow;
    for (const transfer of received) history.received.push(transfer);
    for (const transfer of sent) history.sent.push(transfer);
  }
  for (const [key, row] of read) {
    found.set(key, row);
    if (isSameForAll(row)) known?.set(key, row);
  }
  return found;
}

/** Both lists of a hub are empty. */
export function isListedInPart({ tx_in: txIn, tx_out: txOut, received, sent }: HistoryRow): boolean {
  return txIn === null || txOut === null || txIn > received.length || txOut > sent.length;
}

/** True where no item, whatever its bounds, makes a hub of it. */
function isSameForAll(row: HistoryRow): boolean {
  return !isListedInPart(row) && row.received.length <= HUB.traced && row.sent.length <= HUB.traced;
}

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
