import { counted } from '../../../../words/figures.ts';
import { addressOf } from '../../../domain/address/address-key.ts';
import type { BridgeEnd } from '../../../domain/bridges/crossing.ts';
import { compare } from '../../../domain/compare.ts';
import type { Category } from '../../../domain/label.ts';
import type { TraceCoverage } from '../../../domain/tracing/answers.ts';
import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import type { EndedBridge } from '../../../domain/tracing/traced-transfer.ts';
import type { ReadExtent } from '../../../graph/queries/path.ts';
import type { Inquiry } from '../../read/inquiry.ts';
import { FRONTIER_MAX, shownEntry } from '../coverage.ts';

/** A place that a search for paths came to, on the way onwards (`sent`) or back (`received`). */
interface SearchPlace {
  key: string;
  direction: Direction;
  /** Hops from the end of the path that the search began at. */
  hop: number;
  /** The widest flow that leads to it. */
  usd: number;
}

export interface MetAddress extends SearchPlace {
  read: ReadExtent;
}

/** A crossing whose other side is not known or was left out, at the address on this side of it. */
export interface EndedPath extends SearchPlace {
  bridge: EndedBridge;
}

/** A labelled service at which paths stop. */
export interface PathService {
  key: string;
  category: Category;
}

/** A place behind which there may be more. */
export interface SearchEnd extends SearchPlace {
  reason: 'not_read' | 'partial_history' | BridgeEnd;
  /** The crossing at which paths ended; null for an address that was not read in full. */
  bridge: EndedBridge | null;
}

/** Addresses that were not read in full to the caller's knowledge, and crossings that end paths: largest first, then nearest. */
export async function searchEnds(
  { met, ended }: { met: ReadonlyMap<string, MetAddress>; ended: ReadonlyMap<string, EndedPath> },
  { readBy }: Inquiry,
): Promise<SearchEnd[]> {
  const all = [...met.values()].filter((address) => address.read !== 'loaded');
  const read = all.filter((address) => address.read !== 'none').map(({ key }) => key);
  const own = await readBy(read);
  const unread = all.flatMap(({ read, ...place }): SearchEnd[] => {
    if (read === 'loaded_part') return [{ ...place, reason: 'partial_history', bridge: null }];
    if (!own.has(place.key)) return [{ ...place, reason: 'not_read', bridge: null }];
    return read === 'part' ? [{ ...place, reason: 'partial_history', bridge: null }] : [];
  });
  const bridges = [...ended.values()].map((end): SearchEnd => ({ ...end, reason: end.bridge.end }));
  return [...unread, ...bridges].sort(byUsd);
}

/** Largest first, nearest first. */
export function byUsd(a: SearchEnd, b: SearchEnd): number {
  return b.usd - a.usd || a.hop - b.hop || compare(searchEndName(a), searchEndName(b));
}

/** The same for one place from both sides of a search. */
export function searchEndName({ key, bridge }: SearchEnd): string {
  return bridge === null ? key : `${key} ${bridge.crossing.id}`;
}

/** Returns the coverage of a search that follows no amounts of money: only what was not read, what was cut, and which lists lack. */
export function searchCoverage({ listGap }: Inquiry, ends: SearchEnd[], met: ReadonlySet<string>): TraceCoverage {
  const reasons = new Set<string>(listGap ? [...met, listGap] : met);
  const widest = ends.reduce((most, { usd }) => Math.max(most, usd), 0);
  return {
    attributed: { received: null, sent: null },
    unattributed: {},
    through_unread: { received: null, sent: null },
    frontier: ends.slice(0, FRONTIER_MAX).map((end) => shownEntry({ ...end, address: end.key }, widest)),
    frontier_count: ends.length,
    complete: reasons.size === 0,
    reasons: [...reasons].sort(),
  };
}

/** Sentences about what may hide a result: services, addresses not read, crossings without another side, bridges left out. */
export function hiddenBehind(
  ends: SearchEnd[],
  reasons: ReadonlySet<string>,
  { onTheWay, what, service }: { onTheWay: string; what: string; service: PathService | null },
): string[] {
  const addresses = new Set(ends.filter(({ bridge }) => bridge === null).map(({ key }) => key)).size;
  const crossings = ends.filter(({ bridge }) => bridge !== null && bridge.end !== 'cross_chain_off').length;
  const sentences: string[] = [];
  if (service) {
    const first = `${addressOf(service.key)} (${service.category})`;
    sentences.push(
      `Ways end at labelled services (service_stop), first at ${first}: a flow path with through_services goes on behind them.`,
    );
  }
  if (addresses > 0) {
    sentences.push(
      `${counted(addresses, 'address', 'addresses')} ${onTheWay}not read in full may hide ${what} (coverage.frontier).`,
    );
  }
  if (crossings > 0) {
    const transfers = counted(crossings, 'bridge transfer', 'bridge transfers');
    sentences.push(`${transfers} whose other side is not followed may hide ${what} (coverage.frontier).`);
  }
  if (reasons.has('cross_chain_off')) sentences.push('Bridges were left out (cross_chain=off).');
  return sentences;
}
