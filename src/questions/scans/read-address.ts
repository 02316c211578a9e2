import type { AddressHistory } from '../../chains/port.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Label } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { GraphTimeoutError, NotFoundError, PipelineError } from '../../errors.ts';
import { type HistoryPlace, LargeHistoryError, readAtMost, readInPlace } from '../../fairness/large-histories.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import { applyLabels } from '../../graph/ingest/apply-labels.ts';
import { findFirstPayers } from '../../graph/queries/first-payers.ts';
import { graphHistory } from '../../graph/queries/read-history.ts';
import { orderLabels } from '../../labels/label-order.ts';
import { type CachedRead, findRead, saveRead } from '../../records/scans/read-cache.ts';
import type { BridgedDeposit, IndirectExposure, Mimicry, PatternAround } from '../../risk/assessment.ts';
import { ingestHistory, labelsOfHistory } from '../ingest-history.ts';
import { accountPolicy } from '../tracing/bridge-matches/account-policy.ts';
import { expandScan } from '../tracing/expansion/expand-scan.ts';
import { findIndirectExposure, type ScanTrace } from '../tracing/indirect-exposure.ts';
import { readByAccount } from '../tracing/own-readings.ts';
import { findMimicry } from './mimicked-parties.ts';
import { withOldest } from './read-oldest.ts';

/** Coverage reason when the search for indirect exposure ran out of time. */
const CUT = 'indirect_time_budget';

const FIRST_PAYERS_MAX = 100;
const FIRST_PAYERS_MS = 1_000;

/** Everything that a scan is scored from. */
export interface AddressRead {
  history: AddressHistory;
  subjectLabels: Label[];
  labelsOf: (address: string) => Label[];
  usdPerYen: (at: number) => number | null;
  /** What the graph knows beyond the direct counterparties. */
  indirect: IndirectExposure[];
  patterns: PatternAround[];
  bridged: BridgedDeposit[];
  /** First payer of each scam-labelled address that this one paid, if that address's history is complete. */
  firstPayers: ReadonlyMap<string, string>;
  /** What the search for indirect exposure covered, and what it did not. */
  trace: ScanTrace;
  mimicry: Mimicry[];
  /** True where a match of a bridge took part that this account alone confirmed. */
  isPersonal: boolean;
  /** Epoch ms: the labels valid at this moment count. The chain may have been read earlier. */
  asOf: number;
}

export interface ReadOptions {
  /** The account that scans; it is not shown what other accounts have read. */
  accountId: string;
  signal: AbortSignal;
  /** For a large history. The addresses that are opened behind this one share it. */
  place: HistoryPlace;
  /** Maximum age of a cached read (of any tenant) that is reused; 0 always reads the chain. */
  maxAgeMs: number;
  /** Addresses behind this one that may be opened to follow its money. */
  traceAddresses: number;
  /** Whether money is followed over bridges; left out: `on`. */
  crossChain?: CrossChain;
}

/** Maximum age of a cached read for a new scan, of any tenant. */
export function newScanMs({ CACHE_SCAN_SECONDS }: Config): number {
  return CACHE_SCAN_SECONDS * 1_000;
}

/** Maximum age of a cached read for a repeated scan: the first scan may be one cache period old, its read another. */
export function repeatableMs(config: Config): number {
  return 2 * newScanMs(config);
}

/**
 * Reads an address from its chain into the graph, or takes a cached read with the labels of now, then follows its money
 * within the budget. Without a source: graph and labels. Throws SourceError, GraphError, NotFoundError (`Address not
 * found on <chain>`) or PipelineError.
 */
export async function readAddress(
  ctx: Context,
  chain: Chain,
  address: string,
  options: ReadOptions,
): Promise<AddressRead> {
  const { maxAgeMs, place } = options;
  const caller = { account: options.accountId, signal: options.signal };
  const shared = await readInPlace(place, (transfersMax) => {
    const key = `read ${chain} ${address} ${maxAgeMs} ${transfersMax}`;
    const read = (signal: AbortSignal) => readHistory(ctx, chain, address, { ...options, signal, transfersMax });
    return ctx.inFlight.share(key, caller, read).result;
  });
  const { readAt, isEarlier } = shared;
  const transfers = distinctTransfers(shared.history.transfers);
  const history = { ...shared.history, transfers };

  const asOf = ctx.now();
  const { owner = address } = history;
  const labels = await labelsOfHistory(ctx, chain, address, history);
  const { parties, labelsOf } = labels;
  const subjectLabels =
    owner === address ? labelsOf(address) : orderLabels([...labelsOf(address), ...labelsOf(owner)], asOf);

  if (!history.found && subjectLabels.length === 0) {
    if (await ctx.chainSource(chain)) throw new NotFoundError(`Address not found on ${chain}`);
    throw new PipelineError(`No data source configured for ${chain}`);
  }
  if (isEarlier) await applyLabels(ctx.graph, labels.onNodes);
  else {
    await ingestHistory(ctx, chain, address, { history, readAt, whole: true }, labels);
    // Cached only after the graph holds it, so that later users need not write it again.
    if (await ctx.chainSource(chain)) await keepRead(ctx, chain, address, { history, readAt });
  }
  const { accountId, signal, traceAddresses, crossChain } = options;
  const policy = await accountPolicy(ctx, accountId, { crossChain });
  const expanded = await expandScan(ctx, { chain, address: owner, accountId, traceAddresses, policy, place, signal });
  const { indirect, patterns, bridged, timedOut, trace } = await findIndirectExposure(ctx, chain, owner, {
    readBy: readByAccount(ctx, accountId),
    policy,
    traces: expanded?.traces,
  });
  const distant = indirect.flatMap(({ ways }) => ways).filter((way) => way.chain || !parties.has(way.address));
  const beyond = new Map<string, Label[]>();
  for (const [on, ways] of groupBy(distant, (way) => way.chain ?? chain)) {
    const found = await ctx.labels.find(on, [...new Set(ways.map((way) => way.address))]);
    for (const [far, known] of found) beyond.set(far, known);
  }
  const mimicry = await findMimicry(ctx, chain, owner, history.transfers);
  const { coverage } = history;
  return {
    history: timedOut ? { ...history, coverage: { ...coverage, reasons: [...coverage.reasons, CUT] } } : history,
    subjectLabels,
    labelsOf: (party) => beyond.get(party) ?? labelsOf(party),
    usdPerYen: await ctx.prices.usdPerYen(),
    indirect,
    patterns,
    bridged,
    firstPayers: await firstPayers(ctx, chain, owner, { history, labelsOf }),
    trace: { ...trace, reasons: [...new Set([...trace.reasons, ...(expanded?.reasons ?? [])])].sort() },
    mimicry,
    isPersonal: policy.metConfirmed(),
    asOf,
  };
}

/** Empty if the graph times out: an address that paid a scam then counts as its victim. */
async function firstPayers(
  ctx: Context,
  chain: Chain,
  address: string,
  { history, labelsOf }: Pick<AddressRead, 'history' | 'labelsOf'>,
): Promise<ReadonlyMap<string, string>> {
  const paid = new Set<string>();
  await eachInSlices(history.transfers, ({ from, to }) => {
    if (from === address) paid.add(to);
  });
  const takers = [...paid].filter((party) =>
    labelsOf(party).some(({ category }) => SCAM_CATEGORIES.includes(category)),
  );
  try {
    return await findFirstPayers(ctx.graph, chain, takers.slice(0, FIRST_PAYERS_MAX), FIRST_PAYERS_MS);
  } catch (error) {
    if (error instanceof GraphTimeoutError) return new Map();
    throw error;
  }
}

async function readHistory(
  ctx: Context,
  chain: Chain,
  address: string,
  { accountId: account, signal, maxAgeMs, transfersMax }: ReadOptions & { transfersMax: number },
): Promise<{ history: AddressHistory; readAt: number; isEarlier: boolean }> {
  const readAt = ctx.now();
  const refuseLarge = (transfers: number) => {
    if (transfers > transfersMax) throw new LargeHistoryError();
  };
  const since = readAt - maxAgeMs;
  const earlier = maxAgeMs > 0 && (await findRead(ctx.records, { chain, address, since }, refuseLarge));
  if (earlier) {
    refuseLarge(earlier.history.transfers.length);
    return { ...earlier, isEarlier: true };
  }
  const source = await ctx.chainSource(chain);
  if (!source) {
    const known = await graphHistory(ctx.graph, chain, address);
    refuseLarge(known.transfers.length);
    return { history: known, readAt, isEarlier: false };
  }
  const history = await readAtMost(transfersMax, signal, async (bounds) => {
    const asked = { ...bounds, account };
    return withOldest(source, address, await source.history(address, asked), asked);
  });
  await ctx.prices.price(history.transfers, signal);
  return { history, readAt, isEarlier: false };
}

/** Cached for two cache periods: a scan made at the end of the first one may be repeated during the second. */
async function keepRead(ctx: Context, chain: Chain, address: string, read: CachedRead): Promise<void> {
  const expiresAt = read.readAt + repeatableMs(ctx.config);
  await saveRead(ctx.records, chain, address, read, expiresAt);
}
