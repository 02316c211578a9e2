import { parseAddressKey } from '../../domain/address/address-key.ts';
import { type Crossing, type CrossingPolicy, FOLLOW_MATCHED } from '../../domain/bridges/crossing.ts';
import { hidesPayers, isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { type AddressLabel, STOP_CATEGORIES } from '../../domain/label.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import { NOT_READ, readUntil } from '../../domain/tracing/reading.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { Graph, Row } from '../../graph/port.ts';
import { type CutCrossings, openCrossings } from '../../graph/queries/crossings.ts';
import {
  type HistoryItem,
  type HistoryRow,
  HUB,
  isListedInPart,
  type KnownHistories,
  loadedReading,
  readHistories,
  readingOf,
} from '../../graph/queries/histories.ts';
import { type ListedTransfer, toTraced } from '../../graph/queries/listed-transfers.ts';
import { poolsStrangers } from '../engine/contract-account.ts';
import { withCrossings } from '../engine/cross-chains.ts';
import type { GraphAddress } from '../engine/walk/findings.ts';

/** Transfers read of a subject that has more than a hub, on each side: those with labelled addresses, then the widest. */
const OWN_TRANSFERS_MAX = 50_000;
/** Transfers that one statement should answer with. */
const STATEMENT_ROWS = 10_000;
const STATEMENT_KEYS = { first: 40, most: 400 } as const;

export interface ExposureReadOptions {
  timeoutMs: number;
  /** Filled with what the graph says of every far end. */
  labels: Map<string, AddressLabel>;
  /** Which bridges the money is followed over; default: those whose two sides state the same message. */
  policy?: CrossingPolicy;
  /** Histories that were read already; it takes those that are read now. */
  histories?: KnownHistories;
}

/** The subject of a trace with its own transfers; null where the graph does not know it. Throws GraphError. */
export async function openSubject(
  graph: Graph,
  key: string,
  options: ExposureReadOptions,
): Promise<GraphAddress | null> {
  const most = HUB.other;
  const row = (await readHistories(graph, [{ key, in_max: most, out_max: most }], options)).get(key);
  if (!row) return null;
  const crossings = await openCrossings(graph, row.has_bridges ? [key] : [], options);
  if (row.tx_in === null || row.tx_out === null || row.tx_in > most || row.tx_out > most) {
    return openBusySubject(graph, row, { ...options, crossings });
  }
  return toAddress(row, crossings, options);
}

interface OpenedCrossings {
  byKey: ReadonlyMap<string, readonly Crossing[]>;
  cut: CutCrossings;
}

interface WidestRow extends Row {
  tx_total: number;
  usd_total: number;
  unpriced_total: number;
  transfer: ListedTransfer;
}

async function openBusySubject(
  graph: Graph,
  row: HistoryRow,
  { crossings, ...options }: ExposureReadOptions & { crossings: OpenedCrossings },
): Promise<GraphAddress> {
  const params = { key: row.key, transfers: OWN_TRANSFERS_MAX, stops: [...STOP_CATEGORIES] };
  const [received, sent] = await Promise.all(
    [true, false].map((received) => graph.read<WidestRow>('exposure/widest', { ...params, received }, options)),
  );
  const listed = (rows: WidestRow[] = []) => rows.map(({ transfer }) => transfer);
  const address = toAddress({ ...row, received: listed(received), sent: listed(sent) }, crossings, options);
  const totals = ([first]: WidestRow[] = []) =>
    first ? { usd: first.usd_total, count: first.tx_total, unpriced: first.unpriced_total } : NO_TRANSFERS;
  const sums = { received: totals(received), sent: totals(sent) };
  const unlistedOf = (side: Direction) => sums[side].count - address.listed[side].length;
  const unlisted = { received: unlistedOf('received'), sent: unlistedOf('sent') };
  return { ...address, isHub: false, unlisted, totals: sums };
}

const NO_TRANSFERS = { usd: 0, count: 0, unpriced: 0 } as const;

/** Addresses to open, and the directions in which their money is traced. */
export type Wanted = Map<string, Record<Direction, boolean>>;

/**
 * The histories of addresses, in the order in which they are wanted until the room (transfers) is used up or the time;
 * addresses after that are missing, and unknown ones are empty.
 */
export async function openAddresses(
  graph: Graph,
  wanted: Wanted,
  { room, ...options }: ExposureReadOptions & { room: number },
): Promise<Map<string, GraphAddress>> {
  const opened = new Map<string, GraphAddress>();
  const keys = [...wanted.keys()];
  const deadline = performance.now() + options.timeoutMs;
  const pause = timeSlices();
  let [read, count]: [number, number] = [0, STATEMENT_KEYS.first];
  for (let start = 0; start < keys.length && read < room; start += count) {
    if (start > 0) {
      const expected = Math.floor((STATEMENT_ROWS * start) / Math.max(1, read));
      count = Math.max(STATEMENT_KEYS.first, Math.min(STATEMENT_KEYS.most, expected));
    }
    const asked = keys.slice(start, start + count);
    const left = { timeoutMs: Math.max(1, deadline - performance.now()), histories: options.histories };
    const items = asked.map((key) => itemFor(key, wanted));
    const byKey = await readHistories(graph, items, left);
    const bridged = asked.filter((key) => byKey.get(key)?.has_bridges);
    const crossings = await openCrossings(graph, bridged, { ...options, ...left });
    for (const key of asked) {
      await pause();
      const row = byKey.get(key);
      read += row ? row.received.length + row.sent.length : 0;
      read += crossings.byKey.get(key)?.length ?? 0;
      if (read > room) return opened;
      opened.set(key, row ? toAddress(row, crossings, options) : UNKNOWN);
    }
  }
  return opened;
}

function itemFor(key: string, wanted: Wanted): HistoryItem {
  const { received, sent } = wanted.get(key) ?? { received: true, sent: true };
  // Wanted both ways, it may be a hub in one of them alone.
  return { key, in_max: sent ? HUB.other : HUB.traced, out_max: received ? HUB.other : HUB.traced };
}

const UNKNOWN: GraphAddress = {
  received: [],
  sent: [],
  fees: new Map(),
  reading: NOT_READ,
  isHub: false,
  isPool: false,
  category: null,
  scannedAt: null,
  isScanComplete: false,
  isContract: false,
  wasRead: false,
  loaded: null,
  hasUnreadCrossings: { received: false, sent: false },
  listed: { received: [], sent: [] },
  unlisted: { received: 0, sent: 0 },
  totals: { received: NO_TRANSFERS, sent: NO_TRANSFERS },
};

/** A CoinJoin is one transaction, which every reading gives whole. */
const WHOLE = readUntil(Number.POSITIVE_INFINITY, true);

/** Stands for a hub, of which nothing is listed. */
export const HUB_ADDRESS: GraphAddress = { ...UNKNOWN, isHub: true };

/** True where the address moved too much to be traced through in the direction. */
export function isHub({ received, sent, isHub }: GraphAddress, direction: Direction): boolean {
  const [traced, other] = direction === 'received' ? [received, sent] : [sent, received];
  return isHub || traced.length > HUB.traced || other.length > HUB.other;
}

function toAddress(
  row: HistoryRow,
  { byKey, cut }: OpenedCrossings,
  { labels, policy = FOLLOW_MATCHED }: ExposureReadOptions,
): GraphAddress {
  const { key, category, scanned_at: scannedAt, is_contract: isContract } = row;
  const fees = new Map<string, string>();
  const near = { key, chain: parseAddressKey(key).chain };
  const listedIn = row.received.map((listed) => toTraced(listed, near, 'received', fees, labels));
  const listedOut = row.sent.map((listed) => toTraced(listed, near, 'sent', fees, labels));
  const listed = { received: listedIn, sent: listedOut };
  const { received, sent, replaced } = withCrossings(key, listed, byKey.get(key) ?? [], policy);
  const hasUnreadCrossings = { received: cut.received.has(key), sent: cut.sent.has(key) };
  const isScanComplete = row.scan_complete === true;
  return {
    received,
    sent,
    replaced,
    fees,
    reading: isCoinJoin(key) ? WHOLE : readingOf(row),
    wasRead: scannedAt !== null || row.read_lists !== null,
    loaded: isCoinJoin(key) ? WHOLE : loadedReading(row),
    isHub: isListedInPart(row) || hasUnreadCrossings.received || hasUnreadCrossings.sent,
    // Of a contract that was not read, its payers are not known.
    isPool: isContract && ((row.read_lists?.length ?? 0) === 0 || poolsStrangers(received)),
    category,
    scannedAt,
    isScanComplete,
    isContract,
    hasUnreadCrossings,
    listed,
    unlisted: { received: 0, sent: 0 },
    totals: { received: totalsOf(received), sent: totalsOf(sent) },
  };
}

function totalsOf(transfers: readonly TracedTransfer[]) {
  let [usd, unpriced] = [0, 0];
  for (const transfer of transfers) {
    usd += transfer.usd;
    if (!transfer.priced) unpriced += 1;
  }
  return { usd, count: transfers.length, unpriced };
}

/** A payer of a CoinJoin with more counterparties is not asked with whom it spent elsewhere. */
const COUNTERPARTIES_MAX = 200;

/** Opens the CoinJoin transactions that do not hide their payers: money goes on there as at any wallet. Throws GraphError. */
export async function openTransparentCoinJoins(
  graph: Graph,
  keys: readonly string[],
  options: ExposureReadOptions & { room: number },
): Promise<Map<string, GraphAddress>> {
  const { labels, timeoutMs } = options;
  const wanted = new Map(keys.map((key) => [key, { received: true, sent: true }]));
  const opened = await openAddresses(graph, wanted, options);
  const payers = new Set([...opened.values()].flatMap(({ received }) => received.map(({ from }) => from)));
  const params = { keys: [...payers], most: COUNTERPARTIES_MAX };
  const rows = await graph.read<{ keys: string[] } & Row>('exposure/spent-together', params, { timeoutMs });
  const together = rows.map(({ keys }) => keys);
  const categoryOf = (key: string) => labels.get(key)?.category ?? null;
  return new Map([...opened].filter(([, coinJoin]) => !hidesPayers(coinJoin, categoryOf, together)));
}

/** Keys of an address that lost money, and of the one that took it. */
export interface Loss {
  victim: string;
  taker: string;
}

export type HelperRow = Row & Loss & { helper: string };

/**
 * Finds the unlabelled addresses over which money can have come from takers back to who lost it: each has `payers` at most, and its
 * victim `counterparties`.
 */
export function findHelpers(
  graph: Graph,
  losses: readonly Loss[],
  most: { payers: number; counterparties: number },
  timeoutMs: number,
): Promise<HelperRow[]> {
  const items = losses.map(({ victim, taker }) => ({ victim, taker }));
  const params = { items, payers: most.payers, most: most.counterparties };
  return graph.read<HelperRow>('exposure/helpers', params, { timeoutMs });
}
