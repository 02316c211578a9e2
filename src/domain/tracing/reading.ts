import { type Chain, listsOfChain } from '../chain.ts';
import type { HistoryList } from '../chains.ts';
import { compare } from '../compare.ts';
import { COIN } from './asset-id.ts';

/** A span of time over which every transfer of an address in one asset was read. */
export interface ReadSpan {
  /** Epoch ms; `-Infinity`: from the first transaction on; null: from a moment that is not known. */
  from: number | null;
  /** Epoch ms, inclusive. */
  to: number;
  /** Balance that the chain states just before `from`, decimal string; null where it states none. */
  opening: string | null;
  /** Balance just after `to`, in the same form. */
  closing: string | null;
}

/** Returns the spans of an address that were read in an asset (asset-id.ts): disjoint, oldest first. */
export type Reading = (assetId: string) => readonly ReadSpan[];

export const NOT_READ: Reading = () => [];

/** A history that was read at once: to its beginning, or only its newest part. */
export function readUntil(to: number, complete: boolean): Reading {
  const spans = [{ from: complete ? Number.NEGATIVE_INFINITY : null, to, opening: null, closing: null }];
  return () => spans;
}

/** The span in which the moment lies. */
export function spanAt(spans: readonly ReadSpan[], at: number): ReadSpan | undefined {
  return spans.find((span) => at <= span.to && (span.from === null || span.from <= at));
}

/** True when all that the address held at the moment is known: what it paid is then attributed, not only bounded. */
export function knowsBalance(span: ReadSpan | undefined): boolean {
  return span !== undefined && span.from !== null && (span.from === Number.NEGATIVE_INFINITY || span.opening !== null);
}

/** A closed span of time, epoch ms. */
interface Extent {
  /** 0: from the first entry on. */
  from: number;
  to: number;
}

/** A span over which one list of an address was read whole. */
export interface ReadInterval extends ListExtent {
  /** Which source said so, and when it was last asked. */
  source: string;
  at: number;
}

interface ListExtent extends Extent {
  list: HistoryList;
}

/** Balance of an asset (asset-id.ts) that the chain states just before a moment: an interval's edge. */
export interface KnownBalance {
  asset: string;
  /** Epoch ms. All transfers of earlier moments count, none of this one: the end of an interval is `to + 1`. */
  at: number;
  /** Decimal string, in whole coins. */
  amount: string;
}

/** The source of intervals that a loaded file was declared to hold: they count as read for every account. */
export const LOADED_FILE = 'file';

/** Intervals kept of one address: the newest. */
const INTERVALS_MAX = 48;
/** Balances kept of one address: the latest. */
const BALANCES_MAX = 400;

/**
 * Returns what is known together: intervals of one list that overlap or touch become one, with the newer source. Those of
 * loaded files stay apart.
 */
export function joinIntervals(held: readonly ReadInterval[], found: readonly ReadInterval[]): ReadInterval[] {
  const joined: ReadInterval[] = [];
  const sound = [...held, ...found].filter(({ from, to }) => from <= to);
  const groupOf = ({ list, source }: ReadInterval) => (source === LOADED_FILE ? `${list} ${LOADED_FILE}` : list);
  const byList = sound.sort((a, b) => compare(groupOf(a), groupOf(b)) || a.from - b.from);
  for (const next of byList) {
    const last = joined.at(-1);
    if (!last || groupOf(last) !== groupOf(next) || next.from > last.to + 1) {
      joined.push({ ...next });
      continue;
    }
    if (next.at > last.at) Object.assign(last, { source: next.source, at: next.at });
    last.to = Math.max(last.to, next.to);
  }
  if (joined.length <= INTERVALS_MAX) return joined;
  const newest = new Set(joined.toSorted((a, b) => b.to - a.to).slice(0, INTERVALS_MAX));
  return joined.filter((interval) => newest.has(interval));
}

/** The balances known where an interval begins or ends; of one asset and moment the one found last. */
export function joinBalances(
  held: readonly KnownBalance[],
  found: readonly KnownBalance[],
  intervals: readonly Extent[],
): KnownBalance[] {
  const edges = new Set(intervals.flatMap(({ from, to }) => [from, to + 1]));
  const byPlace = new Map([...held, ...found].map((known) => [`${known.at} ${known.asset}`, known]));
  return [...byPlace.values()]
    .filter(({ at }) => edges.has(at))
    .sort((a, b) => b.at - a.at || Number(b.asset === COIN) - Number(a.asset === COIN) || compare(a.asset, b.asset))
    .slice(0, BALANCES_MAX);
}

/** The spans in which each of the lists was read, oldest first. */
export function readInAll(lists: readonly HistoryList[], intervals: readonly ListExtent[]): Extent[] {
  const [first = [], ...others] = lists.map((list) => spansOf(intervals.filter((interval) => interval.list === list)));
  return others.reduce<Extent[]>(
    (common, spans) =>
      common.flatMap((a) =>
        spans
          .map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }))
          .filter(({ from, to }) => from <= to),
      ),
    first,
  );
}

/** The time that the intervals cover, as disjoint spans, oldest first. */
function spansOf(intervals: readonly Extent[]): Extent[] {
  const spans: Extent[] = [];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** The lists that can hold a transfer of an asset (asset-id.ts). The coin may also move wrapped, as a token. */
export function listsOfAsset(chain: Chain, assetId: string): readonly HistoryList[] {
  const lists = listsOfChain(chain);
  if (assetId === COIN) return lists;
  // TRC-10 tokens have a number for a contract and move in ordinary transactions.
  if (chain === 'tron' && /^\d+$/.test(assetId)) return ['coin', 'internal'];
  return lists.includes('tokens') ? ['tokens'] : lists;
}
