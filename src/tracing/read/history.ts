import { isDeepStrictEqual } from 'node:util';
import type {
  AddressHistory,
  Around,
  ChainSource,
  ListSpan,
  RequestOptions,
  StatedBalance,
} from '../../chains/port.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Label, listedElsewhere } from '../../domain/label.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { assetIdOf, COIN } from '../../domain/tracing/asset-id.ts';
import { joinIntervals } from '../../domain/tracing/reading.ts';
import { explained, type PaidFee } from '../../domain/transfers/explained-balance.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { AddressNotFoundError, PipelineError, SourceError } from '../../errors.ts';
import { LargeHistoryError, readAtMost } from '../../fairness/scan-slots.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import { applyLabels } from '../../graph/ingest/apply-labels.ts';
import { graphHistory, isInGraph } from '../../graph/queries/read-history.ts';
import { keepFreezes } from '../../labels/issuer-freezes.ts';
import { orderLabels } from '../../labels/label-order.ts';
import type { CachedRead } from '../../records/scans/read-cache.ts';
import { completeFromFiles } from './complete-history.ts';
import { CONFLICT, ingestHistory, type LabelledParties, labelsOfHistory, UNCONFIRMED } from './ingest-history.ts';
import { asksSources, type ReadingInquiry } from './inquiry.ts';

/** A window that begins at the first entry of each list, with the pages that are read of it. */
const BEGINNING: Around = { direction: 'forward', txHash: '', block: 0, at: 0, pages: 3 };

/** Milliseconds for which later readings extend a reading; then all is read again. Longer than any rescan interval. */
const KEPT_MS = 7 * DAY_MS;

/** The address that is scanned, canonical. */
export interface ScannedSubject {
  chain: Chain;
  address: string;
}

export interface HistoryOptions {
  /** Maximum age of a cached read (of any tenant) that is reused; 0 always reads the chain. */
  maxAgeMs: number;
  /** True: nothing is read on from an earlier reading. */
  readsAll?: boolean;
  /** A longer history ends the reading with LargeHistoryError. */
  transfersMax: number;
}

/** A history that a source, the cache or the graph gave. */
export interface HistoryRead extends CachedRead {
  /** True where the graph holds it already. */
  isCached: boolean;
  /** Epoch ms: until then it may be read on; later it is read whole. */
  expiresAt: number;
  /** Epoch ms: what lies before was read earlier. */
  since?: number;
}

/** A history that the graph holds, with the labels of now. */
export interface KnownHistory extends LabelledParties {
  history: AddressHistory;
  /** The scanned address, or the owner of a scanned token account. */
  owner: string;
  subjectLabels: Label[];
  /** Epoch ms: the labels valid at this moment count. The chain may have been read earlier. */
  asOf: number;
  /** Epoch ms: when the reading was made that a repeated scan relies on; null for a new one. */
  cachedAt: number | null;
}

/** Maximum age of a cached read for a repeated scan: the first scan may be one cache period old, its read another. */
export function repeatableMs(config: Config): number {
  return 2_000 * config.CACHE_SCAN_SECONDS;
}

/** Returns the cached read of an address, else asks its chain; the graph's own transfers where it has no source. Throws SourceError. */
export async function fetchHistory(
  ctx: Context & ReadingInquiry,
  { chain, address }: ScannedSubject,
  { maxAgeMs, readsAll = false, transfersMax }: HistoryOptions,
): Promise<HistoryRead> {
  const asks = asksSources(ctx);
  const { signal } = asks;
  const readAt = ctx.now();
  const refuseLarge = (transfers: number) => {
    if (transfers > transfersMax) throw new LargeHistoryError();
  };
  const kept = await ctx.reads.find({ chain, address, since: 0 }, refuseLarge);
  if (kept) refuseLarge(kept.history.transfers.length);
  // A clock that was set back leaves readings of the future.
  const ageMs = kept ? readAt - kept.readAt : 0;
  if (kept && ageMs >= 0 && ageMs < maxAgeMs) return { ...kept, isCached: true };
  const expiresAt = readAt + KEPT_MS;
  const source = await ctx.chainSource(chain);
  if (!source) {
    const known = await graphHistory(ctx.graph, chain, address);
    refuseLarge(known.transfers.length);
    return { history: known, readAt, isCached: false, expiresAt };
  }
  const canReadOn = kept && !readsAll && ageMs >= 0 && kept.expiresAt >= readAt + repeatableMs(ctx.config);
  const more = canReadOn
    ? await readAtMost(transfersMax, signal, (bounds) => fetchSince(source, address, kept, { ...asks, ...bounds }))
    : null;
  if (more) refuseLarge(more.history.transfers.length);
  const history =
    more?.history ??
    (await readAtMost(transfersMax, signal, async (bounds) => {
      const asked = { ...asks, ...bounds };
      const whole = await withOldest(source, address, await source.history(address, asked), asked);
      return withSignedCalls(source, address, whole, asked);
    }));
  // What an earlier reading lacked is asked for again: it stays named while it is young.
  history.coverage.unconfirmed ??= kept?.history.coverage.unconfirmed;
  await ctx.prices.price(history.transfers, signal);
  return { history, readAt, isCached: false, expiresAt: more ? kept!.expiresAt : expiresAt, since: more?.since };
}

/**
 * Writes a history into the graph with the labels of now, and caches it. Throws GraphError, NotFoundError (`Address not
 * found on <chain>`) or, where the chain has no source, PipelineError.
 */
export async function storeHistory(
  ctx: Context & ReadingInquiry,
  { chain, address }: ScannedSubject,
  read: HistoryRead,
): Promise<KnownHistory> {
  const { readAt, isCached, since } = read;
  // Scans of other accounts may share the reading: what is written to its coverage is of this one.
  const coverage = { ...read.history.coverage, reasons: [...read.history.coverage.reasons] };
  const given = { ...read.history, coverage, transfers: distinctTransfers(read.history.transfers) };
  const history = await completeFromFiles(ctx, { chain, address }, given);
  const { owner = address } = history;
  if (!isCached) await keepFreezes(ctx.labels, { chain, address: owner }, history, ctx.now());
  const asOf = ctx.now();
  const labels = await labelsOfHistory(ctx, chain, address, history);
  const { parties, labelsOf } = labels;
  const known = owner === address ? labelsOf(address) : orderLabels([...labelsOf(address), ...labelsOf(owner)], asOf);
  // A contract at the same address on another chain may be another party's.
  const isContract = ['contract', 'program'].includes(history.addressType);
  const subjectLabels = isContract
    ? known.filter((label) => listedElsewhere(label, { chain, address: label.address }) === null)
    : known;
  const source = await ctx.chainSource(chain);
  if (!history.found && subjectLabels.length === 0 && !(await isInGraph(ctx.graph, chain, address))) {
    if (source) throw new AddressNotFoundError(chain);
    throw new PipelineError(`No data source configured for ${chain}`);
  }
  if (isCached) await applyLabels(ctx.graph, labels.onNodes);
  else {
    const lookUp = source && ((txHash: string) => source.transaction(txHash, asksSources(ctx)));
    await ingestHistory(ctx, chain, address, { history, readAt, whole: true, since, lookUp }, labels);
    // Cached only after the graph holds it, so that later users need not write it again.
    if (source) await ctx.reads.save(chain, address, { history, readAt }, read.expiresAt);
  }
  return { history, owner, parties, labelsOf, subjectLabels, asOf, cachedAt: isCached ? readAt : null };
}

/**
 * Adds the first transfers of an address to a history whose pages ended too early, where the source can read from the
 * beginning: old receipts cannot be hidden behind new ones. `coverage.gap` is the time that remains unread.
 *
 * @internal Tested alone.
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

/** Calls of one kind from which on a few of their transactions are read. */
const ALIKE_MIN = 2;
const READ_MAX = 3;
const TRANSFER_FROM = ['0x23b872dd', 'transferFrom'];
/** Calls that only allow or forbid others to move what is the caller's. */
const GRANTS = new Set(['0x095ea7b3', '0xa22cb465', '0x39509351', '0xa457c2d7', 'approve', 'setApprovalForAll']);

/**
 * Adds what an address moved between others by calls that it signed: its own lists show such calls without a value. A few
 * transactions are read, of calls that it made again and again, and of `transferFrom`.
 *
 * @internal Run by a test.
 */
export async function withSignedCalls(
  source: ChainSource,
  address: string,
  history: AddressHistory,
  options: RequestOptions,
): Promise<AddressHistory> {
  if (!isEvmChain(source.chain) || history.addressType === 'contract') return history;
  const added: Transfer[] = [];
  for (const txHash of toRead(address, history.transfers)) {
    try {
      const found = await source.transaction(txHash, options);
      const readAt = history.transfers[0]?.readAt ?? null;
      const isOthers = (one: Transfer) => one.from !== address && one.to !== address && movedValue(one);
      if (found?.status !== 'success') continue;
      for (const one of found.transfers.filter(isOthers)) added.push({ ...one, source: 'transaction', readAt });
    } catch (error) {
      // The address's own history stands without it.
      if (!(error instanceof SourceError)) throw error;
      break;
    }
  }
  return added.length === 0 ? history : { ...history, transfers: [...history.transfers, ...added] };
}

/**
 * Lists of each kind of calls in turn the newest, the oldest and one between; first of those that move what others allowed, then of those
 * made most. Many calls of one kind hide no others.
 */
function toRead(address: string, transfers: readonly Transfer[]): string[] {
  const calls: Transfer[] = [];
  for (const [, parts] of groupBy(transfers, ({ txHash }) => txHash)) {
    const [call] = parts;
    const isOnly = parts.length === 1 && call?.kind === 'native' && !call.failed && !movedValue(call);
    if (call && isOnly && call.from === address && call.method && call.method !== '0x' && !GRANTS.has(call.method)) {
      calls.push(call);
    }
  }
  const isAllowed = ([one]: Transfer[]) => TRANSFER_FROM.includes(one?.method ?? '');
  const kinds = [...groupBy(calls, ({ to, method }) => `${to} ${method}`)]
    .filter(([, alike]) => alike.length >= ALIKE_MIN || isAllowed(alike))
    .sort(([a, x], [b, y]) => Number(isAllowed(y)) - Number(isAllowed(x)) || y.length - x.length || compare(a, b))
    .map(([, alike]) => alike.toSorted((a, b) => b.at - a.at || compare(a.txHash, b.txHash)));
  const inTurn = [
    ...kinds.map(([newest]) => newest),
    ...kinds.map((alike) => alike.at(-1)),
    ...kinds.map((alike) => alike[Math.floor(alike.length / 2)]),
  ];
  return [...new Set(inTurn.flatMap((one) => one?.txHash ?? []))].slice(0, READ_MAX);
}

/** Before the last reading, so far is read again: longer than chains reorganise, and than their lists lag behind. */
const OVERLAP_MS = 2 * HOUR_MS;
const PAGES = 3;
/** Reasons for which a reading may lack what was there before it: nothing is read on from it. */
const UNSURE = new Set([CONFLICT, 'explorer_indexing']);

interface HistorySince {
  history: AddressHistory;
  /** Epoch ms: what lies before was not asked for again. */
  since: number;
}

/**
 * The history of an address that was read before, read on from a transfer two hours before that reading. What those hours
 * held and no longer hold leaves it. Null where too much has happened since, the source does not list what follows a
 * transfer, or the earlier reading is unsure.
 *
 * @internal
 */
export async function fetchSince(
  source: ChainSource,
  address: string,
  { history: known, readAt }: CachedRead,
  options: RequestOptions,
): Promise<HistorySince | null> {
  if (known.coverage.reasons.some((reason) => UNSURE.has(reason))) return null;
  const anchor = anchorOf(known, readAt - OVERLAP_MS);
  if (!anchor || !reaches(known, source, anchor.at)) return null;
  const { txHash, block, at } = anchor;
  const tokens = [...new Set(known.transfers.flatMap(({ token }) => token ?? []))];
  const from = { direction: 'forward', txHash, block, at } as const;
  const around = { ...from, pages: PAGES, sentBefore: known.sent ?? null, tokens };
  const fresh = await source.historyAround(address, around, options);
  const isSameSource = fresh.coverage.sources.join() === known.coverage.sources.join();
  const holdsAnchor = fresh.transfers.some((transfer) => transfer.txHash === txHash);
  if (!isSameSource || !holdsAnchor || !reaches(fresh, source, at)) return null;
  const history = explained(source.chain, address, joined(known, fresh, anchor));
  // What is new and does not add up is asked for with all that came before.
  if (!isDeepStrictEqual(history.coverage.unexplained, known.coverage.unexplained)) return null;
  return { history, since: at };
}

/** The last transfer up to a moment of which the block is known. */
function anchorOf({ transfers }: AddressHistory, until: number): Transfer | null {
  let last: Transfer | null = null;
  for (const transfer of transfers) {
    const fits = transfer.at <= until && transfer.block !== null && transfer.kind !== 'nft';
    if (fits && (last === null || transfer.at >= last.at)) last = transfer;
  }
  return last;
}

/** True where each list was read from a moment up to the end. */
function reaches({ read }: AddressHistory, { lists }: ChainSource, at: number): boolean {
  return lists.every((list) => read.some((span) => span.list === list && span.from <= at && span.to === null));
}

function joined(known: AddressHistory, fresh: AddressHistory, anchor: Transfer): AddressHistory {
  // Collectibles are listed again only where the address has sent something.
  const isOlder = ({ block, at, kind }: Transfer) =>
    kind === 'nft' || (block === null ? at < anchor.at : block <= anchor.block!);
  const old = known.transfers.filter(isOlder);
  const transfers = [...new Map([...old, ...fresh.transfers].map((transfer) => [transfer.id, transfer])).values()];
  const before = new Set(known.transfers.map(({ txHash }) => txHash));
  const added = new Set(fresh.transfers.flatMap(({ txHash }) => (before.has(txHash) ? [] : [txHash])));
  const reasons = known.coverage.reasons.filter((reason) => reason !== UNCONFIRMED);
  return {
    ...known,
    found: true,
    addressType: fresh.addressType === 'unknown' ? known.addressType : fresh.addressType,
    balance: fresh.balance,
    beside: fresh.beside ?? known.beside,
    sent: fresh.sent,
    transactionCount: Math.max(known.transactionCount + added.size, fresh.transactionCount),
    transfers,
    tags: [...new Map([...known.tags, ...fresh.tags].map((tag) => [tag.address, tag])).values()],
    coverage: { ...known.coverage, reasons: [...new Set([...reasons, ...fresh.coverage.reasons])] },
    balances: balancesNow(known.balances ?? [], fresh.balance, transfers),
    tokenBalances: fresh.tokenBalances,
    frozen: fresh.frozen ?? known.frozen,
    unfrozen: fresh.frozen ? fresh.unfrozen : known.unfrozen,
    otherFees: joinedFees(known, fresh),
  };
}

/** Each transaction's once. */
function joinedFees({ otherFees: before = [] }: AddressHistory, { otherFees: after = [] }: AddressHistory): PaidFee[] {
  return [...new Map([...before, ...after].map((fee) => [fee.txHash, fee])).values()];
}

/** The balance of the coin says nothing of its wrapped form. */
function balancesNow(
  known: readonly StatedBalance[],
  coin: string | null,
  transfers: readonly Transfer[],
): StatedBalance[] {
  const earlier = known.filter(({ at }) => at !== null);
  const isStated = coin !== null && earlier.length < known.length;
  const isWrapped = (transfer: Transfer) => transfer.token !== null && assetIdOf(transfer) === COIN;
  return isStated && !transfers.some(isWrapped) ? [...earlier, { token: null, at: null, amount: coin }] : earlier;
}
