import type { AddressHistory, Around, ChainSource, ListSpan, RequestOptions } from '../../chains/port.ts';
import { joinIntervals } from '../../domain/tracing/read-intervals.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';

/** A window that begins at the first entry of each list, with the pages that are read of it. */
const BEGINNING: Around = { direction: 'forward', txHash: '', block: 0, at: 0, pages: 3 };

/**
 * Adds the first transfers of an address to a history whose pages ended too early, where the source can read from the
 * beginning: old receipts cannot be hidden behind new ones. `coverage.gap` is the time that remains unread.
 */
export async function withOldest(
  source: ChainSource,
  address: string,
  history: AddressHistory,
  options: RequestOptions,
): Promise<AddressHistory> {
  if (!source.readsOldestFirst || !history.coverage.reasons.includes('page_limit')) return history;
  const oldest = await source.historyAround(address, BEGINNING, options);
  const added = new Map(oldest.transfers.map((transfer) => [transfer.id, transfer]));
  await eachInSlices(history.transfers, ({ id }) => added.delete(id));
  const read = joinSpans([...oldest.read, ...history.read]);
  const gap = gapOf(source.lists.map((list) => read.filter((span) => span.list === list)));
  const coverage = gap === null ? history.coverage : { ...history.coverage, gap };
  return { ...history, transfers: [...added.values(), ...history.transfers], read, coverage };
}

function joinSpans(spans: readonly ListSpan[]): ListSpan[] {
  const open = Number.MAX_SAFE_INTEGER;
  const intervals = spans.map(({ list, from, to }) => ({ list, from, to: to ?? open, source: '', at: 0 }));
  return joinIntervals([], intervals).map(({ list, from, to }) => ({ list, from, to: to === open ? null : to }));
}

/** The widest time between the oldest and the newest part of a list; null where some list lacks one of them. */
function gapOf(lists: readonly (readonly ListSpan[])[]): { from: number; to: number } | null {
  if (lists.some((spans) => spans[0]?.from !== 0 || spans.at(-1)!.to !== null)) return null;
  const gaps = lists.flatMap(([oldest, newest]) => (newest ? [{ from: oldest!.to! + 1, to: newest.from - 1 }] : []));
  if (gaps.length === 0) return null;
  return { from: Math.min(...gaps.map(({ from }) => from)), to: Math.max(...gaps.map(({ to }) => to)) };
}
