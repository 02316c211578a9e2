import type { AddressHistory } from '../../chains/port.ts';
import type { GraphContext, RecordsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { agreeingAmounts } from '../../domain/amount.ts';
import type { ChainAddress } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { nullOnTimeout } from '../../fairness/deadline.ts';
import { LargeHistoryError, type ScanSlot } from '../../fairness/scan-slots.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { Graph } from '../../graph/port.ts';
import { namedTransfers, spentBeside, TRANSFERS_MAX } from '../../graph/queries/read-history.ts';
import { findWorthless } from '../../records/scans/worthless-transfers.ts';
import type { GraphAddress } from '../engine/walk/findings.ts';
import { CONFLICT } from './ingest-history.ts';
import { openSubject } from './open-addresses.ts';

/** Among the sources of the coverage where the graph knew more than the source listed. */
const GRAPH = 'graph';
/** Coverage reason where the graph holds more transfers of the address than were compared. */
const CUT = 'graph_limit';
/** Coverage reason where the graph knows of transfers after the reading that a repeated scan relies on. */
const MOVED_SINCE = 'moved_since';

/** How long the graph may take where the trace before had no time for the address. */
const GRAPH_MS = 10_000;

/**
 * The history with what loaded files know around the address's own dealings: token transfers that moved nothing, such as
 * address poisoning, and what others put into transactions of Bitcoin that it paid in. Transfers that the source gave too count once.
 */
export async function completeFromFiles(
  { records, graph }: RecordsContext & GraphContext,
  { chain, address }: ChainAddress,
  history: AddressHistory,
): Promise<AddressHistory> {
  const loaded = chain === 'bitcoin' ? spentBeside(graph, chain, address) : findWorthless(records, chain, address);
  const added = addedByReadings(history.transfers, await loaded);
  if (added.length === 0) return history;
  const { sources } = history.coverage;
  const coverage = { ...history.coverage, sources: sources.length > 0 ? sources : [GRAPH] };
  return { ...history, found: true, transfers: [...history.transfers, ...added], coverage };
}

type Listed = Pick<GraphAddress, 'listed' | 'unlisted'>;

interface CompletedHistory {
  history: AddressHistory;
  /** Transfers of the address with others that the graph holds; null where they were not counted. */
  count: number | null;
}

/**
 * The history with every transfer of the address that the graph knows: of loaded files, of readings of its counterparties,
 * of an earlier day. The graph has listed them for the trace already; only those that the source did not give are read, and
 * none that the reading found unconfirmed.
 * The history of a token account stays as its source gave it. Throws GraphError.
 */
export async function completeFromGraph(
  graph: Graph,
  { chain, address }: ChainAddress,
  history: AddressHistory,
  { traced, slot, cachedAt }: { traced: Listed | undefined; slot: ScanSlot; cachedAt: number | null },
): Promise<CompletedHistory> {
  const { transfers: own, coverage } = history;
  if (history.owner !== undefined) return { history, count: null };
  const listed = traced ?? (await listedIn(graph, addressKey(chain, address)));
  if (listed === 'late') return { history: { ...history, coverage: cutCoverage(coverage) }, count: null };
  const count = countOf(listed);
  if (coverage.sources.includes(GRAPH)) return { history, count };
  const ids = new Set<string>();
  await eachInSlices(own, ({ id }) => ids.add(id));
  for (const { id } of coverage.unconfirmed ?? []) ids.add(id);
  const { received, sent } = listed.listed;
  const missing = [...received, ...sent].filter(({ id }) => !ids.has(id)).sort((a, b) => b.usd - a.usd || b.at - a.at);
  const asked = missing.slice(0, TRANSFERS_MAX).map(({ id }) => id);
  const known = await slot.read(async (transfersMax) => {
    if (own.length + asked.length > transfersMax && asked.length > 0) throw new LargeHistoryError();
    return namedTransfers(graph, chain, address, asked);
  });
  const added = addedByReadings(own, known);
  const isCut = asked.length < missing.length || hasOthers(listed, ids);
  if (added.length === 0 && !isCut) return { history, count };
  const transfers = added.length > 0 ? distinctTransfers([...own, ...added]) : own;
  const sources = added.length > 0 ? [...coverage.sources, GRAPH] : coverage.sources;
  const seen = sinceRead({ ...coverage, sources }, added, cachedAt);
  return { history: { ...history, transfers, coverage: isCut ? cutCoverage(seen) : seen }, count };
}

const NOTHING: Listed = { listed: { received: [], sent: [] }, unlisted: { received: 0, sent: 0 } };

async function listedIn(graph: Graph, key: string): Promise<Listed | 'late'> {
  const opened = openSubject(graph, key, { timeoutMs: GRAPH_MS, labels: new Map() });
  return (await opened.then((found) => found ?? NOTHING).catch(nullOnTimeout)) ?? 'late';
}

/** Says what is newer than the reading that a repeated scan relies on, or should have been in it. */
function sinceRead(
  coverage: AddressHistory['coverage'],
  added: readonly Transfer[],
  cachedAt: number | null,
): AddressHistory['coverage'] {
  if (cachedAt === null) return coverage;
  const source = coverage.sources.filter((one) => one !== GRAPH).join('+');
  const reasons = new Set(coverage.reasons);
  for (const transfer of added.filter(movedValue)) {
    if (transfer.at > cachedAt) reasons.add(MOVED_SINCE);
    else if (transfer.source === source) reasons.add(CONFLICT);
  }
  if (reasons.size === coverage.reasons.length) return coverage;
  return { ...coverage, complete: false, reasons: [...reasons] };
}

function cutCoverage(coverage: AddressHistory['coverage']): AddressHistory['coverage'] {
  return { ...coverage, complete: false, reasons: [...coverage.reasons, CUT] };
}

function countOf({ listed, unlisted }: Listed): number {
  return listed.received.length + unlisted.received + listed.sent.length + unlisted.sent;
}

/** True where the graph may hold transfers that neither it listed nor the source gave. */
function hasOthers({ listed, unlisted }: Listed, ids: ReadonlySet<string>): boolean {
  const more = unlisted.received + unlisted.sent;
  if (more === 0) return false;
  const given = [...listed.received, ...listed.sent].filter(({ id }) => ids.has(id)).length;
  return more > ids.size - given;
}

/**
 * The transfers that other readings of an address add to one of them. A transfer that several know counts once, by its id, or by its
 * content where one of them does not number it; equal ones count as often as the fullest single reading has them.
 *
 * @internal Run by a test.
 */
export function addedByReadings(own: readonly Transfer[], others: readonly Transfer[]): Transfer[] {
  const ids = new Set(own.map(({ id }) => id));
  const unknown = others.filter(({ id }) => !ids.has(id));
  const transactions = new Set(unknown.map(({ txHash }) => txHash));
  const known = groupBy(
    own.filter(({ txHash }) => transactions.has(txHash)),
    placeOf,
  );
  const readings = [...groupBy(unknown, readingOf)];
  readings.sort(([a, x], [b, y]) => y.length - x.length || compare(a, b));
  return readings.flatMap(([, reading]) => {
    const taken = new Set<Transfer>();
    const added = reading.filter((transfer) => {
      if (ids.has(transfer.id)) return false;
      const there = (known.get(placeOf(transfer)) ?? []).filter((one) => !taken.has(one) && isSame(one, transfer));
      const same = there.find(({ amount }) => amount === transfer.amount) ?? there[0];
      if (same) taken.add(same);
      return !same;
    });
    for (const transfer of added) {
      addToGroup(known, placeOf(transfer), transfer);
      ids.add(transfer.id);
    }
    return added;
  });
}

function placeOf({ txHash, from, to }: Transfer): string {
  return `${txHash} ${from} ${to}`;
}

function readingOf({ source, index }: Transfer): string {
  return `${source ?? ''} ${isNumbered(index)}`;
}

/** True for a place as chains number it; a file that does not know it counts its own rows. */
function isNumbered(index: string | null): boolean {
  return index !== null && !/^\d*$/.test(index);
}

/** Returns true for two transfers with other ids that are one: in one transaction and between the same parties. */
function isSame(a: Transfer, b: Transfer): boolean {
  if ((isNumbered(a.index) && isNumbered(b.index)) || areEquals(a, b)) return false;
  const isOneToken = a.token === b.token || isNameOnly(a) || isNameOnly(b);
  const isOneId = a.tokenId === b.tokenId || a.tokenId === null || b.tokenId === null;
  return isOneToken && isOneId && agreeingAmounts(a.amount, b.amount);
}

/** True where the ids say the same but for the number among equals: then they are two. */
function areEquals(a: Transfer, b: Transfer): boolean {
  const moved = ({ token, tokenId, amountRaw, amount }: Transfer) =>
    [token, tokenId, amountRaw ?? `=${amount}`].join(' ');
  return moved(a) === moved(b);
}

/** A file named a token that no contract is known for. */
function isNameOnly({ token, asset }: Transfer): boolean {
  return token !== null && token === asset;
}
