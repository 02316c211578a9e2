import type { Context, LabelsContext } from '../context.ts';
import { addressKey } from '../domain/address/address-key.ts';
import type { Chain, ChainAddress } from '../domain/chain.ts';
import { groupBy } from '../domain/group-by.ts';
import { isAdverseCategory, isDex, isLawfulService, type Label } from '../domain/label.ts';
import { DAY_MS } from '../domain/time.ts';
import type { KeptScore } from '../graph/ingest/keep-score.ts';
import { type PartyFacts, type RollupExposure, readParties } from '../graph/queries/presign.ts';
import { labelState } from '../labels/label-changes.ts';
import { findLatestScan } from '../records/scans/scans.ts';
import type { BeforeDesignation } from '../risk/assessment.ts';
import type { RiskLevel } from '../risk/detection.ts';
import { besideSavings, exposureBase } from '../risk/exposure/share-of-flow.ts';
import { serviceLabelOf } from '../risk/ledger/ledger.ts';
import { adverseBeside, isBeforeDesignation, standingAt } from '../risk/ledger/sanction-standing.ts';
import type { KnownExposure, LastScan, PartyHistory } from '../risk/presign/case.ts';
import { EXPOSURE_RULES, RULE_SET_VERSION } from '../risk/rules.ts';
import { repeatableMs } from '../tracing/read/history.ts';
import type { ScanResult } from './scans/score-address.ts';

/** Longer than an answer waits: a statement that is planned first is ready for the next check. */
const STATEMENT_MS = 1_000;
/** Parties of one transaction that are looked up. */
const PARTIES_MAX = 16;
/** A side with more is not summed: that would take too long. */
const COUNTERPARTIES_MAX = 500;

/** Returns the time of one statement of a check, at least as long as the check waits for its stores. */
export function statementMs({ config }: Context): number {
  return Math.max(STATEMENT_MS, config.PRESIGN_STORES_MS);
}

interface Asked {
  chain: Chain;
  parties: readonly string[];
  accountId: string;
  /** Labels of the parties; null where they cannot be read. */
  labelled: Promise<ReadonlyMap<string, readonly Label[]> | null>;
}

/**
 * Returns what graph and scans know of the parties to a transaction, by address; parties that the graph does not know are absent.
 * Throws GraphError, or the driver's error of the records.
 */
export async function findPartyHistories(ctx: Context, asked: Asked): Promise<Map<string, PartyHistory>> {
  const parties = asked.parties.slice(0, PARTIES_MAX);
  const keys = parties.map((address) => addressKey(asked.chain, address));
  const recentMs = EXPOSURE_RULES.recent_days * DAY_MS;
  const bounds = { counterpartiesMax: COUNTERPARTIES_MAX, recentMs, timeoutMs: statementMs(ctx) };
  const [facts, labelled] = await Promise.all([readParties(ctx.graph, keys, bounds), asked.labelled]);
  const histories = new Map<string, PartyHistory>();
  for (const address of parties) {
    const known = facts.get(addressKey(asked.chain, address));
    if (!known) continue;
    const ownLabels = labelled?.get(address) ?? [];
    histories.set(address, await historyOf(ctx, asked, { address, ownLabels, known }));
  }
  return histories;
}

async function historyOf(
  ctx: Context,
  { chain, accountId }: Asked,
  { address, ownLabels, known }: { address: string; ownLabels: readonly Label[]; known: PartyFacts },
): Promise<PartyHistory> {
  const { lastScore, exposures, isBait, lastSeenAt, isScanned } = known;
  const now = ctx.now();
  const holds = lastScore !== null && (await isInForce(ctx, lastScore, now));
  const lastScan = holds ? await toLastScan(ctx, accountId, { chain, address }, lastScore) : null;
  const service = serviceLabelOf(ownLabels, now);
  const isLawful = isLawfulService(service?.category ?? null);
  // A scan grades the same money with more knowledge. What the graph was given since,
  // also of an earlier day, it did not see.
  const count = exposures.reduce((sum, one) => sum + one.count, 0);
  const isGraded =
    lastScan !== null &&
    lastScan.at >= lastSeenAt &&
    count <= (lastScore?.transfers ?? 0) &&
    !(await isRelabelledSince(ctx, chain, exposures, lastScan.at));
  // Of a service that was never scanned, only what bad parties did with it is known: its shares say nothing.
  const isBiased = isLawful && !isScanned;
  return {
    lastScan,
    exposures: isGraded || isBiased ? [] : toExposures(await withStanding(ctx, chain, exposures), isLawful),
    subject: isLawful ? 'service' : 'address',
    isBait,
  };
}

/** A label that came after the scan may be why a side counts as adverse: the scan did not grade that. */
async function isRelabelledSince(
  { labels }: LabelsContext,
  chain: Chain,
  exposures: readonly RollupExposure[],
  at: number,
): Promise<boolean> {
  const isAdverse = exposures.some(({ category }) => isAdverseCategory(category));
  return isAdverse && (await labels.newestChange(chain)) > at;
}

/** A score is void once the rule set or a label that it rests on is another. LOW scores say nothing to warn of. */
async function isInForce({ labels }: LabelsContext, score: KeptScore, now: number): Promise<boolean> {
  if (score.ruleSetVersion !== RULE_SET_VERSION) return false;
  if (score.level === 'LOW') return true;
  const found = await labels.findOnAllChains(score.evidence);
  return labelState(score.evidence, (address) => found.get(address) ?? [], now) === score.labels;
}

async function toLastScan(
  ctx: Context,
  accountId: string,
  party: ChainAddress,
  { score, level, at, isPartial }: KeptScore,
): Promise<LastScan> {
  const scan = { score, level: level as RiskLevel, at, isPartial };
  if (level === 'LOW') return { ...scan, ownAt: null };
  const own = await findLatestScan(ctx.records, accountId, party);
  if (!own || own.risk_score !== score || own.risk_level !== level) return { ...scan, ownAt: null };
  const ownAt = Date.parse(String((JSON.parse(own.result) as ScanResult).metadata.as_of));
  // A repeated scan with the same result updates the kept score and is not recorded.
  const isOwn = ownAt <= at && at - ownAt <= repeatableMs(ctx.config);
  return { ...scan, ownAt: isOwn ? ownAt : null };
}

/** Money moved with one category in one direction, before the designation of the parties or else. */
type StandingExposure = RollupExposure & { before?: BeforeDesignation };

/**
 * The roll-ups with those of sanctioned parties as a scan counts them: apart where all that moved with a party came before
 * its designation, and by its other label where a sure one grades that.
 */
async function withStanding(
  ctx: LabelsContext,
  chain: Chain,
  rollups: readonly RollupExposure[],
): Promise<StandingExposure[]> {
  const sanctioned = [...new Set(rollups.flatMap(({ party }) => party ?? []))];
  if (sanctioned.length === 0) return [...rollups];
  const labels = await ctx.labels.find(chain, sanctioned);
  const now = ctx.now();
  const standing = rollups.map((one): StandingExposure => {
    const own = one.party === null ? [] : (labels.get(one.party) ?? []);
    if (own.length === 0 || one.lastAt === null) return one;
    const before = standingAt(own, one.lastAt, now);
    if (before === null) return { ...one, category: adverseBeside(own, now) ?? one.category };
    return isBeforeDesignation(before) ? { ...one, before } : one;
  });
  const groups = groupBy(standing, ({ direction, category, before }) => `${direction} ${category} ${before}`);
  return [...groups.values()].map((together) => together.reduce(added));
}

function added(a: StandingExposure, b: StandingExposure): StandingExposure {
  return {
    ...a,
    usd: a.usd + b.usd,
    returnedUsd: a.returnedUsd + b.returnedUsd,
    unpricedCount: a.unpricedCount + b.unpricedCount,
    count: a.count + b.count,
    recentUsd: a.recentUsd + b.recentUsd,
    activeUsd: a.activeUsd + b.activeUsd,
  };
}

/** Shares of what is priced, but for swaps and what came back of a loss. Roll-ups do not distinguish worthless tokens from others without a price. */
function toExposures(rollups: readonly StandingExposure[], isLawful: boolean): KnownExposure[] {
  const sideOf = (direction: RollupExposure['direction']) =>
    rollups.filter((one) => one.direction === direction && !isDex(one.category));
  const returned = rollups.reduce((sum, { returnedUsd }) => sum + returnedUsd, 0);
  const sums = { in: sumUsd(sideOf('received')) - returned, out: sumUsd(sideOf('sent')) };
  const adverse = rollups.filter(({ category, direction, before }) => {
    return direction === 'received' && isAdverseCategory(category) && before !== 'before_country';
  });
  const adverseUsd = adverse.reduce((sum, one) => sum + one.recentUsd, 0);
  const activeOf = (side: readonly RollupExposure[]) => side.reduce((sum, one) => sum + one.activeUsd, 0);
  return rollups.flatMap(({ category, direction, usd, returnedUsd, recentUsd, before }): KnownExposure[] => {
    if (category === null || usd === 0) return [];
    const way = direction === 'received' ? 'in' : 'out';
    const total = exposureBase(sums, way, isLawful);
    const active = activeOf(sideOf(direction));
    const exposureOf = (partUsd: number, isReturned: boolean): KnownExposure => {
      const recent = Math.min(recentUsd, partUsd);
      const ofRecent =
        way === 'in' ? besideSavings(Math.max(recent, adverseUsd), active, sums.in - sums.out - adverseUsd) : active;
      return {
        category,
        direction: way,
        ...(isReturned ? { isReturned } : {}),
        ...(before === undefined ? {} : { before }),
        usd: partUsd,
        share: total > 0 ? Math.min(1, partUsd / total) : 0,
        recentUsd: recent,
        recentShare: ofRecent > 0 ? Math.min(1, recent / ofRecent) : 0,
        unpricedShare: null,
        hasUnpriced: false,
      };
    };
    return [
      ...(usd > returnedUsd ? [exposureOf(usd - returnedUsd, false)] : []),
      ...(returnedUsd > 0 ? [exposureOf(returnedUsd, true)] : []),
    ];
  });
}

function sumUsd(rollups: readonly RollupExposure[]): number {
  return rollups.reduce((sum, one) => sum + one.usd, 0);
}
