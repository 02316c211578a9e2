import type { Chain } from '../../domain/chain.ts';
import { joinIntervals, listsOfChain, type ReadInterval, readInAll } from '../../domain/tracing/read-intervals.ts';
import type { HistoryList } from '../../domain/transfers/history-list.ts';
import { addressKey } from '../address-key.ts';
import type { Graph, Row } from '../port.ts';

const MARKED_AT_ONCE = 1_000;

/** A reading of an address: all of its history, or the part around one transfer. */
export interface AddressReading {
  chain: Chain;
  address: string;
  /** Epoch ms: when its source was asked. */
  at: number;
  intervals: readonly ReadInterval[];
  /** Null where the source does not say. */
  isContract: boolean | null;
  /** True if it has too many transactions to be traced through; false changes nothing. */
  isHub: boolean;
  /** For a scan of the whole history: whether it reached the end. Null for a part of it. */
  complete: boolean | null;
}

interface IntervalsRow extends Row {
  key: string;
  read_lists: string[] | null;
  read_from: number[] | null;
  read_to: number[] | null;
  read_sources: string[] | null;
  read_at: number[] | null;
}

/**
 * Adds what was read of an address to what was read before. The address counts as scanned at `at` after a scan of its
 * history, and after a part that makes what is known of every list reach that moment.
 */
export async function markRead(graph: Graph, reading: AddressReading): Promise<void> {
  const { chain, address, at, intervals, isContract, isHub } = reading;
  const key = addressKey(chain, address);
  await graph.transact(async (tx) => {
    const [held] = await tx.run<IntervalsRow>('ingest/read-intervals', { keys: [key] });
    const known = joinIntervals(held ? intervalsOf(held) : [], intervals);
    if (known.length > 0 || isContract !== null || isHub) {
      const item = { ...itemOf(chain, address, known), is_contract: isContract, is_hub: isHub || null };
      await tx.run('ingest/mark-read', { items: [item] });
    }
    const complete = reading.complete ?? completeAt(chain, known, at);
    if (complete !== null) await tx.run('ingest/mark-scanned', { key, chain, address, at, complete });
  });
}

/** Adds intervals that hold for each of these addresses to what was read of them. */
export async function markAllRead(
  graph: Graph,
  chain: Chain,
  addresses: readonly string[],
  intervals: readonly ReadInterval[],
): Promise<void> {
  for (let start = 0; start < addresses.length; start += MARKED_AT_ONCE) {
    const batch = addresses.slice(start, start + MARKED_AT_ONCE);
    await graph.transact(async (tx) => {
      const keys = batch.map((address) => addressKey(chain, address));
      const rows = await tx.run<IntervalsRow>('ingest/read-intervals', { keys });
      const held = new Map(rows.map((row) => [row.key, intervalsOf(row)]));
      const items = batch.map((address, i) => {
        const known = joinIntervals(held.get(keys[i] as string) ?? [], intervals);
        return { ...itemOf(chain, address, known), is_contract: null, is_hub: null };
      });
      await tx.run('ingest/mark-read', { items });
    });
  }
}

function itemOf(chain: Chain, address: string, known: readonly ReadInterval[]) {
  return {
    key: addressKey(chain, address),
    chain,
    address,
    lists: known.map(({ list }) => list),
    from: known.map(({ from }) => from),
    to: known.map(({ to }) => to),
    sources: known.map(({ source }) => source),
    at: known.map((interval) => interval.at),
  };
}

/** Null where some list is not known up to the moment. */
function completeAt(chain: Chain, known: readonly ReadInterval[], at: number): boolean | null {
  const latest = readInAll(listsOfChain(chain), known).at(-1);
  return latest === undefined || latest.to < at ? null : latest.from === 0;
}

export function intervalsOf({ read_lists, read_from, read_to, read_sources, read_at }: IntervalsRow): ReadInterval[] {
  return (read_lists ?? []).map((list, i) => ({
    list: list as HistoryList,
    from: read_from?.[i] ?? Number.POSITIVE_INFINITY,
    to: read_to?.[i] ?? 0,
    source: read_sources?.[i] ?? '',
    at: read_at?.[i] ?? 0,
  }));
}
