import { roundUsd } from '../../domain/amount.ts';
import type { Direction } from '../../domain/tracing/carried.ts';
import { addressOf, chainOf } from '../../domain/tracing/hop.ts';
import type { ReadPart } from '../../graph/queries/path.ts';
import { FRONTIER_MAX, type TraceCoverage } from './trace-coverage.ts';
import type { ReadBy } from './trace-money.ts';

/** An address that a search for paths met, on the way onwards (`sent`) or back (`received`). */
export interface MetAddress {
  key: string;
  direction: Direction;
  /** From the end of the path that the search began at. */
  hop: number;
  /** The widest flow that leads to it. */
  usd: number;
  read: ReadPart;
}

/** An address behind which there may be more. */
export type UnreadAddress = MetAddress & { reason: 'not_read' | 'partial_history' };

/** Those of the addresses that were not read to the caller's knowledge: largest first, nearest first. */
export async function unreadOnly(met: Iterable<MetAddress>, readBy: ReadBy | undefined): Promise<UnreadAddress[]> {
  const all = [...met].filter((address) => address.read !== 'loaded');
  const read = all.filter((address) => address.read !== 'none').map(({ key }) => key);
  const own = readBy ? await readBy(read) : new Set(read);
  return all
    .flatMap((address): UnreadAddress[] => {
      if (!own.has(address.key)) return [{ ...address, reason: 'not_read' }];
      return address.read === 'part' ? [{ ...address, reason: 'partial_history' }] : [];
    })
    .sort((a, b) => b.usd - a.usd || a.hop - b.hop || (a.key < b.key ? -1 : 1));
}

/** Coverage of a search that follows no amounts of money: only what was not read and what was cut. */
export function searchCoverage(unread: UnreadAddress[], reasons: ReadonlySet<string>): TraceCoverage {
  const widest = unread.reduce((most, { usd }) => Math.max(most, usd), 0);
  return {
    attributed: { received: null, sent: null },
    unattributed: {},
    through_unread: { received: null, sent: null },
    frontier: unread.slice(0, FRONTIER_MAX).map(({ key, direction, hop, usd, reason }) => ({
      address: addressOf(key),
      chain: chainOf(key),
      direction,
      hop,
      usd: roundUsd(usd),
      share: widest > 0 ? Math.round((usd / widest) * 1e6) / 1e6 : 0,
      reason,
    })),
    frontier_count: unread.length,
    complete: reasons.size === 0,
    reasons: [...reasons].sort(),
  };
}
