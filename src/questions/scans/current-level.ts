import type { Language } from '../../../words/language.ts';
import type { AddressHistory } from '../../chains/port.ts';
import type { Context, GraphContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Label } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { withDeadline } from '../../fairness/deadline.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import { readParties } from '../../graph/queries/presign.ts';
import { graphHistory, keysInGraph } from '../../graph/queries/read-history.ts';
import { changesByKey, ownersOf } from '../../labels/key-labels.ts';
import { LOAD_MARGIN_MS } from '../../labels/label-changes.ts';
import type { LabelStore } from '../../labels/label-store.ts';
import { keysOf } from '../../labels/node-labels.ts';
import { openLevelLabels } from '../../labels/own-labels.ts';
import type { RecordedScan } from '../../records/database/tables/scans.ts';
import { findLatestScan, hashOf, unpackMet } from '../../records/scans/scans.ts';
import type { RiskLevel } from '../../risk/detection.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import { storeHistory } from '../../tracing/read/history.ts';
import { inquire } from '../../tracing/read/inquiry.ts';
import { tenantOverrides } from '../account/risk-settings.ts';
import { type AddressRead, followMoney, readSurroundings } from './read-surroundings.ts';
import { isLowerForWantOfTime, notScoredAgain, type ScanAnswer } from './record-scan.ts';
import { withOverrides } from './risk-settings-applied.ts';
import { type ScanResult, scoreAddress } from './score-address.ts';

/** Most levels of one list that are scored again, and the time for it: the others say that their labels changed. */
const SCORED_MAX = 20;
const SCORED_MS = 3_000;
/** One address of a report. */
const ONE_MS = 5_000;

/** Most labels changed since the oldest record that are compared; of more, each counts as met by it. */
const CHANGES_MAX = 20_000;
/** And where more changed that records without the addresses they met are compared with, by the graph. */
const NEAR_MAX = 1_000;

/** A side with more is not compared with what a scan knew. */
const COUNTERPARTIES_MAX = 500;
const PARTY_MS = 1_000;

/**
 * State of what a record rests on. `near`: it does not say which addresses it met, and a label of one that the graph holds
 * changed. `unsure`: something changed so shortly before it that it may not have seen that.
 */
type RecordBasis = 'no' | 'unsure' | 'near' | 'yes';

/** A label that changed: of which address, and when, epoch ms. */
interface LabelChange {
  hash: number;
  at: number;
}

/** A level that was recorded. */
export interface RecordedLevel {
  chain: Chain;
  /** Canonical. */
  address: string;
  level: RiskLevel | null;
  /** Epoch ms of the scan that found it; null without one. */
  at: number | null;
  /** Rule set of that scan. */
  ruleSet: string | null;
}

/** A level as far as it is known now. */
export interface CurrentLevel {
  level: RiskLevel | null;
  score: number | null;
  /** ISO 8601: the time of the scan whose labels or rules changed since, where it was not scored again; the level is not LOW then. */
  changedSince: string | null;
}

/**
 * Finds an account's newest scan of an address. Where labels, rules or graph moved since, it is scored again from the stores
 * alone, with what the chain said when it was read last. Where that takes too long and labels or rules changed since, LOW
 * becomes UNKNOWN, and `metadata.labels_changed_since` says the time of the record. Null without a scan since `from`.
 */
export async function findCurrentScan(
  ctx: Context,
  accountId: string,
  { chain, address, from }: { chain: Chain; address: string; from: number },
): Promise<ScanAnswer | null> {
  const scan = await findLatestScan(ctx.records, accountId, { chain, address });
  if (!scan || scan.created_at < from) return null;
  const recorded = JSON.parse(scan.result) as ScanAnswer;
  const overrides = await tenantOverrides(ctx, accountId);
  const seen = withOverrides(recorded, chain, overrides);
  const labels = await labelsForLevels(ctx, accountId);
  const changes = await newestChanges(labels, [chain]);
  const isMoved =
    mayHaveMoved(changes, { chain, at: scan.created_at, ruleSet: scan.rule_set_version }) ||
    (await newestChangeNear({ graph: ctx.graph, labels }, scan.created_at)) >= scan.created_at ||
    (await isGraphMoved(ctx, chain, recorded));
  if (!isMoved) return seen;
  const current = await scoredWithin(ctx, scan, ONE_MS);
  if (current) return withOverrides({ ...recorded, ...current }, chain, overrides);
  return notScoredAgain(seen, scan.created_at);
}

/**
 * Recorded levels as they are now, in the order given. Those whose labels or rules changed since are scored again from the
 * stores, the first 20 within 3 seconds; of the others each since whose scan a label changed of an address that it met says so
 * and is never LOW. `scoredMax` 0 scores none again.
 */
export async function currentLevels(
  ctx: Context,
  accountId: string,
  recorded: readonly RecordedLevel[],
  { scoredMax = SCORED_MAX }: { scoredMax?: number } = {},
): Promise<CurrentLevel[]> {
  const labels = await labelsForLevels(ctx, accountId);
  const changes = await newestChanges(labels, [...new Set(recorded.map(({ chain }) => chain))]);
  const scans = recorded.flatMap(({ level, at }) => (level === null || at === null ? [] : [at]));
  const oldest = Math.min(...scans);
  const stores = { graph: ctx.graph, labels };
  const changed = Number.isFinite(oldest) ? await labelChanges(stores, oldest - LOAD_MARGIN_MS) : [];
  let near: Promise<number> | null = null;
  const nearAt = () => {
    near ??= newestChangeNear(stores, oldest);
    return near;
  };
  const overrides = await tenantOverrides(ctx, accountId);
  const levels: CurrentLevel[] = recorded.map(({ level }) => ({ level, score: null, changedSince: null }));
  const until = performance.now() + SCORED_MS;
  const moved: { place: number; scan: RecordedScan; movement: RecordBasis }[] = [];
  for (const [place, { chain, address, level, at, ruleSet }] of recorded.entries()) {
    if (level === null || at === null) continue;
    if (changed?.length === 0 && !mayHaveMoved(changes, { chain, at, ruleSet })) continue;
    const scan = await findLatestScan(ctx.records, accountId, { chain, address });
    await nextTurn();
    if (!scan) continue;
    const movement =
      metMovement(scan, { at, ruleSet, changed }) ?? (await movementOf(labels, { changes, scan, at, ruleSet, nearAt }));
    if (movement !== 'no') moved.push({ place, scan, movement });
  }
  // What is known to have changed comes first.
  moved.sort((a, b) => Number(b.movement === 'yes') - Number(a.movement === 'yes'));
  for (const [turn, { place, scan, movement }] of moved.entries()) {
    const leftMs = until - performance.now();
    const current = turn < scoredMax && leftMs > 0 ? await scoredWithin(ctx, scan, leftMs) : null;
    if (current) {
      const { risk_level: level, risk_score: score } = withOverrides(current, scan.chain, overrides);
      levels[place] = { level, score, changedSince: null };
    } else if (movement !== 'unsure') {
      const { level, at } = recorded[place]!;
      levels[place] = { level: level === 'LOW' ? 'UNKNOWN' : level, score: null, changedSince: iso(at!) };
    }
  }
  return levels;
}

/** The field of an answer that says so. */
export function changedSince({ changedSince: at }: CurrentLevel): { labels_changed_since?: string } {
  return at === null ? {} : { labels_changed_since: at };
}

/** The labels that levels of an account rest on. */
async function labelsForLevels(ctx: Context, accountId: string): Promise<LabelStore> {
  return (await openLevelLabels(ctx, accountId)).overStore(ctx.labels);
}

/** Compares what the graph knows of the dealings of an address with what its scan knew; true where it knows more. */
async function isGraphMoved({ graph }: Context, chain: Chain, { address, metadata }: ScanAnswer): Promise<boolean> {
  const asOf = Date.parse(String(metadata.as_of));
  const key = addressKey(chain, address);
  const bounds = { counterpartiesMax: COUNTERPARTIES_MAX, recentMs: 0, timeoutMs: PARTY_MS };
  const known = await readParties(graph, [key], bounds).catch(() => null);
  const party = known?.get(key);
  if (!party) return known === null;
  const { lastScore, lastSeenAt, exposures } = party;
  if (lastSeenAt > asOf || (lastScore && lastScore.at > asOf)) return true;
  const held = exposures.reduce((sum, { count }) => sum + count, 0);
  return typeof lastScore?.transfers === 'number' && held > lastScore.transfers;
}

/** The labels that levels rest on, and the graph that knows their keys. */
interface LevelStores extends GraphContext {
  labels: LabelStore;
}

/** Epoch ms of the newest change of any label on each chain. */
async function newestChanges(labels: LabelStore, chains: readonly Chain[]): Promise<ReadonlyMap<Chain, number>> {
  return new Map(await Promise.all(chains.map(async (chain) => [chain, await labels.newestChange(chain)] as const)));
}

/**
 * The newest change since a moment (epoch ms) of a label of an address that the graph holds, on whichever chain: traces go
 * many hops, and over bridges. Infinity where that cannot be said, 0 without any.
 */
async function newestChangeNear(stores: LevelStores, since: number): Promise<number> {
  if (since === Number.POSITIVE_INFINITY) return 0;
  const changed = await changesByKey(stores, since, NEAR_MAX);
  if (changed === null) return Number.POSITIVE_INFINITY;
  if (changed.length === 0) return 0;
  const keys = [...new Set(changed.flatMap(keysOf))];
  const held = await keysInGraph(stores.graph, keys, PARTY_MS).catch(() => null);
  if (held === null) return Number.POSITIVE_INFINITY;
  return changed.reduce((newest, one) => (keysOf(one).some((k) => held.has(k)) ? Math.max(newest, one.at) : newest), 0);
}

/** Labels that changed since a moment (epoch ms), at each address of their keys; null where not all are known. */
async function labelChanges(stores: LevelStores, since: number): Promise<LabelChange[] | null> {
  const changed = await changesByKey(stores, since, CHANGES_MAX);
  if (changed === null) return null;
  return changed.map(({ address, at }) => ({ hash: hashOf(address), at }));
}

/** Returns what moved at the addresses that the scan met; null where it does not name them, or too many labels changed. */
function metMovement(
  { met }: RecordedScan,
  { at, ruleSet, changed }: { at: number; ruleSet: string | null; changed: readonly LabelChange[] | null },
): RecordBasis | null {
  if (ruleSet !== RULE_SET_VERSION) return 'yes';
  if (met === null || changed === null) return null;
  const known = unpackMet(met);
  let newest = 0;
  for (const { hash, at: changedAt } of changed) if (changedAt > newest && known.has(hash)) newest = changedAt;
  return newest >= at ? 'yes' : newest > 0 && newest + LOAD_MARGIN_MS >= at ? 'unsure' : 'no';
}

function mayHaveMoved(
  changes: ReadonlyMap<Chain, number>,
  { chain, at, ruleSet }: { chain: Chain; at: number; ruleSet: string | null },
): boolean {
  return ruleSet !== RULE_SET_VERSION || (changes.get(chain) ?? 0) + LOAD_MARGIN_MS >= at;
}

/** Looks at the labels of the address and of every party that the scan names, then of all that the graph holds. */
async function movementOf(
  labels: LabelStore,
  {
    changes,
    scan: { chain, address, result },
    nearAt,
    ...record
  }: {
    changes: ReadonlyMap<Chain, number>;
    scan: RecordedScan;
    at: number;
    ruleSet: string | null;
    nearAt: () => Promise<number>;
  },
): Promise<RecordBasis> {
  const { at } = record;
  const isNear = async () => (await nearAt()) >= at;
  if (!mayHaveMoved(changes, { chain, ...record })) return (await isNear()) ? 'near' : 'no';
  const { top_counterparties = [], detections } = JSON.parse(result) as ScanAnswer;
  const named = new Set([address, ...top_counterparties.map((one) => one.address)]);
  for (const { details } of detections) {
    for (const label of details.labels) named.add(label.address);
    for (const party of details.counterparties) named.add(party);
    for (const way of details.ways ?? []) if (way.chain === undefined) named.add(way.address);
  }
  if ((await labels.changedSince(chain, at, [...named])).size > 0) return 'yes';
  return (await isNear()) ? 'near' : 'unsure';
}

/** Null where it fails or takes longer, or found less than the record because its search ran out of time. */
async function scoredWithin(ctx: Context, scan: RecordedScan, ms: number): Promise<ScanResult | null> {
  const deadline = {
    ms,
    tooLate: () => new Error(`not scored again within ${Math.round(ms)} ms`),
    signal: ctx.ending.signal,
  };
  const scored = withDeadline(deadline, async (signal) => {
    const found = await scoreAgain(ctx, scan, signal);
    if (isLowerForWantOfTime(found, scan)) throw new Error('following the money ran out of time');
    return found;
  });
  return scored.catch((err: unknown) => {
    const { chain, address } = scan;
    ctx.log.warn({ err, chain, address }, 'a recorded level was not scored again');
    return null;
  });
}

/** Scores the address of a recorded scan from its kept reading, or from the graph where none is kept; asks no chain. */
async function scoreAgain(ctx: Context, scan: RecordedScan, signal: AbortSignal): Promise<ScanResult> {
  const { chain, address } = scan;
  const { result } = await scoreAddress(chain, address, await readAgain(ctx, scan, signal), scan.lang as Language);
  return { ...result, metadata: { ...result.metadata, lists: await ctx.labels.lists() } };
}

/**
 * The level that the rules of now give to what was known of an address at a moment (epoch ms): without the transfers and
 * the labels that came since. Null where the stores do not say it.
 */
export async function levelOfKnownAt(
  ctx: Context,
  accountId: string,
  { chain, address, at, relabelled }: { chain: Chain; address: string; at: number; relabelled: boolean },
  signal: AbortSignal,
): Promise<RiskLevel | null> {
  const scan = await findLatestScan(ctx.records, accountId, { chain, address });
  if (!scan) return null;
  const labels = await labelsForLevels(ctx, accountId);
  const before = await knownAt(labels, chain, await readAgain(ctx, scan, signal), { at, relabelled });
  const { result } = await scoreAddress(chain, address, before, 'en');
  return withOverrides(result, chain, await tenantOverrides(ctx, accountId)).risk_level;
}

/** `relabelled`: whether the labels of the address itself are others than at that moment. */
async function knownAt(
  labels: LabelStore,
  chain: Chain,
  read: AddressRead,
  { at, relabelled }: { at: number; relabelled: boolean },
): Promise<AddressRead> {
  const { owner, parties, history, answers, labelsOf } = read;
  const ways = answers.flatMap(({ indirect }) => indirect).flatMap((one) => one.ways);
  const changed = new Set<string>();
  const here = [owner, ...parties].map((address) => ({ chain, address }));
  // What is stated of another address of its key changes there.
  const stated = here.flatMap(({ address }) => ownersOf(labelsOf(address)));
  for (const [on, met] of groupBy([...here, ...stated, ...ways], (one) => one.chain ?? chain)) {
    for (const address of await labels.changedSince(
      on,
      at,
      met.map((one) => one.address),
    )) {
      changed.add(addressKey(on, address));
    }
  }
  const isOld = (address: string, on: Chain = chain) => !changed.has(addressKey(on, address));
  const isOldLabel = (label: Label) => ownersOf([label]).every((one) => isOld(one.address, one.chain));
  const later = new Set(history.transfers.filter((transfer) => transfer.at > at).map(({ id }) => id));
  return {
    ...read,
    history: { ...history, transfers: history.transfers.filter(({ id }) => !later.has(id)) },
    labelsOf: (address) => (isOld(address) ? labelsOf(address).filter(isOldLabel) : []),
    subjectLabels: relabelled ? [] : read.subjectLabels,
    answers: answers.map((answer) => ({
      ...answer,
      indirect: answer.indirect.filter(
        (one) => one.ways.every((way) => isOld(way.address, way.chain)) && !(one.span && one.span.from > at),
      ),
      patterns: answer.patterns.filter(({ flows }) => flows.every((flow) => flow.at <= at)),
    })),
    mimicry: read.mimicry.filter(({ transfers }) => transfers.every((transfer) => transfer.at <= at)),
  };
}

/** Everything that the address of a scan is scored from, as the stores hold it now. */
async function readAgain(ctx: Context, scan: RecordedScan, signal: AbortSignal): Promise<AddressRead> {
  const { chain, address, account_id: accountId } = scan;
  const caller = { id: accountId, subject: addressKey(chain, address), signal };
  return ctx.scanSlots.run(caller, async (slot) => {
    const read = await slot.read(async () => {
      const kept = await ctx.reads.find({ chain, address, since: 0 });
      return kept ?? { history: await historyInGraph(ctx, scan), readAt: scan.created_at };
    });
    // The graph holds it: only labels are written.
    const inquiry = { ...(await inquire(ctx, accountId)), signal, slot };
    const known = await storeHistory(inquiry, { chain, address }, { ...read, isCached: true, expiresAt: 0 });
    const followed = await followMoney(inquiry, chain, known, { reach: 'none' });
    return readSurroundings(inquiry, { chain, address }, known, followed);
  });
}

/** Reads what the graph holds of the address, with what the scan says of how much was read. */
async function historyInGraph({ graph }: Context, { chain, address, result }: RecordedScan): Promise<AddressHistory> {
  const { address_type: addressType, metadata } = JSON.parse(result) as ScanAnswer;
  const { owner, native_balance, total_transactions, coverage } = metadata;
  const held = await graphHistory(graph, chain, owner ?? address);
  if (!held.found && total_transactions !== 0) throw new Error('the graph no longer holds what the scan read');
  const { complete = false, sources = [], reasons = [] } = coverage ?? {};
  return {
    ...held,
    found: true,
    addressType,
    ...(owner === undefined ? {} : { owner }),
    balance: native_balance ?? null,
    transactionCount: total_transactions ?? held.transactionCount,
    coverage: { complete, sources, reasons },
  };
}
