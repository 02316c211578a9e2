import { inLanguage } from '../../../../words/describe.ts';
import type { Language } from '../../../../words/language.ts';
import type { Context } from '../../../context.ts';
import { addressKey } from '../../../domain/address/address-key.ts';
import type { Chain, ChainAddress } from '../../../domain/chain.ts';
import { type Category, isAdverseCategory, isValidAt, type Label } from '../../../domain/label.ts';
import { iso } from '../../../domain/time.ts';
import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import { nullOnTimeout } from '../../../fairness/deadline.ts';
import { timeSlices } from '../../../fairness/time-slices.ts';
import type { HolderRow } from '../../../graph/queries/entities.ts';
import type { KnownHistories } from '../../../graph/queries/histories.ts';
import type { LabelList } from '../../../labels/label-lists.ts';
import { type OwnLabels, openOwnLabels } from '../../../labels/own-labels.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import { findScanned } from '../../../records/scans/scans.ts';
import type { RiskLevel } from '../../../risk/detection.ts';
import type { Summary } from '../../../summary/port.ts';
import { writeSummary } from '../../../summary/rules.ts';
import { FUNDS_LIMIT, paymentsTo } from '../../../tracing/answers/funds/funds-of.ts';
import { rowsOnPlan } from '../../../tracing/answers/funds/plan-funds.ts';
import { type FundsRows, fundsRows } from '../../../tracing/answers/funds/rows.ts';
import { type ExposureAnswer, type ExposureRequest, exposureOf } from '../../../tracing/answers/get-exposure.ts';
import { tracedUsdOfOwn } from '../../../tracing/engine/walk/tainted.ts';
import { holdersOfEnds, joinedByEntity, partyOf } from '../../../tracing/read/by-entity.ts';
import { inquire } from '../../../tracing/read/inquiry.ts';
import { type MoneyTraces, traceMoney } from '../../../tracing/read/trace-money.ts';
import { loadedLists } from '../../check-health.ts';
import { currentLevels, findCurrentScan } from '../../scans/current-level.ts';
import { findNewestScan, windowStart } from '../../scans/list-scans.ts';
import type { ScanAnswer } from '../../scans/record-scan.ts';
import { summarizeScan, summaryFacts } from '../../scans/summarize-scan.ts';
import { gatherHolders, type ReportHolder } from './gather-holders.ts';
import { sawNothing, withinTraceBudget } from './within-trace-budget.ts';

/** The ways by which money came and went. */
export interface TracedMoney {
  /** Holds the answer of one trace within its time; null where that ended before anything was read. */
  exposure: ExposureAnswer | null;
  /** The account of the same traces, on the account's plan; null where exposure is. */
  funds: Record<Direction, FundsRows> | null;
}

/** Everything that the report of one address lays out. */
export interface AddressReportInput extends TracedMoney {
  chain: Chain;
  address: string;
  language: Language;
  /** ISO 8601; the report's own date. */
  madeAt: string;
  /** The account's newest scan; null where it never scanned the address within its history. */
  scan: ScanAnswer | null;
  summary: Summary | null;
  /** Labels of the address itself, best first; those that the account gave it are among them. */
  labels: Label[];
  /** Counterparties of the scan, as labels and own scans know them. */
  parties: KnownParty[];
  /** The lists that labels come from; null where they cannot be read. */
  lists: LabelList[] | null;
  /** Its holder with the money of all its addresses as one party; null without one, absent where it is not asked for. */
  holder?: (ReportHolder & { money: TracedMoney | null }) | null;
  /** ISO 8601: the account's newest decision on a likely match that the money met; null where it met none. */
  decidedAt: string | null;
}

export interface ReportRequest extends Pick<ExposureRequest, 'withPatterns'> {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  language: Language;
  /** Ends of the money with a row of their own; default: none, and all are summed by kind and category. */
  endsMax?: number;
  /** Part of the time of a trace that it has; default: all. */
  tracePart?: number;
  /** Histories that other parts of the same report have read from the graph. */
  histories?: KnownHistories;
  /** Also reads who holds the address, and the money of all that it holds. */
  withHolder?: boolean;
}

/** Members of a holder that are listed. */
const MEMBERS_MAX = 50;
const SUMMARY_BUDGET_MS = 8_000;

/** A report's input, and what its exposure says of each transfer. */
export interface GatheredReport {
  input: AddressReportInput;
  /** US dollars that lead to illicit parties, by transfer id; null where exposure is. */
  tainted: ReadonlyMap<string, number> | null;
}

/** Reads what is known of an address for its report; asks no chain. */
export async function gatherAddressReport(
  ctx: Context,
  tenant: Tenant,
  { chain, address, maxHops, language, endsMax = 0, withPatterns, histories, tracePart, withHolder }: ReportRequest,
): Promise<GatheredReport> {
  const found = await findCurrentScan(ctx, tenant.accountId, { chain, address, from: windowStart(ctx, tenant) });
  const scan = found && { ...found, detections: inLanguage(found.detections, language) };
  const inquiry = await inquire(ctx, tenant.accountId);
  const parties = await findKnownParties(
    ctx,
    tenant,
    { chain, own: inquiry.ownLabels },
    scan?.top_counterparties ?? [],
  );
  const moneyOf = (keys: readonly string[], own?: ReadonlySet<string>) =>
    withinTraceBudget(
      inquiry,
      async (timed) => {
        const search = { directions: ['received', 'sent'] as const, maxHops, limit: FUNDS_LIMIT };
        const traces = await traceMoney(timed, keys, {
          ...{ ...search, exchanges: 'both', histories },
          ...(own && { own, byEntity: true }),
        });
        if (sawNothing(traces)) return null;
        const shown = {
          chain,
          address,
          maxHops,
          limit: FUNDS_LIMIT,
          withPatterns: own ? false : withPatterns,
          lang: language,
        };
        const ends = own && (await holdersOfEnds(timed.graph, traces));
        const funds = (direction: Direction) => fundsIn(traces, direction, { endsMax, plan: tenant.plan, ends });
        return {
          exposure: await exposureOf(timed, shown, ends ? joinedByEntity(traces, ends) : traces, keys),
          funds: { received: await funds('received'), sent: await funds('sent') },
          tainted: taintedTransfers(traces),
        };
      },
      tracePart,
    );
  const [labels, own, loaded, summary, traced, holders] = await Promise.all([
    ctx.labels.find(chain, [address]),
    openOwnLabels(ctx, tenant.accountId, [address]),
    loadedLists(ctx),
    scan ? summaryWithin(ctx, scan, parties, language) : null,
    moneyOf([addressKey(chain, address)]),
    withHolder ? gatherHolders(ctx.graph, { keys: [addressKey(chain, address)], membersMax: MEMBERS_MAX }) : [],
  ]);
  const [holder = null] = holders;
  const party = holder && (await partyOf(ctx.graph, addressKey(chain, address)).catch(nullOnTimeout));
  const held = party?.entity ? await moneyOf(party.keys, party.own) : null;
  const decidedAt = inquiry.policy.decidedAt();
  const input = {
    chain,
    address,
    language,
    madeAt: iso(ctx.now()),
    scan,
    summary,
    labels: own.stated(chain, address, labels.get(address) ?? []),
    parties,
    lists: loaded?.lists ?? null,
    exposure: traced?.exposure ?? null,
    funds: traced?.funds ?? null,
    ...(withHolder && {
      holder: holder && { ...holder, money: held && { exposure: held.exposure, funds: held.funds } },
    }),
    decidedAt: decidedAt === null ? null : iso(decidedAt),
  };
  return { input, tainted: traced?.tainted ?? null };
}

async function fundsIn(
  traces: MoneyTraces,
  direction: Direction,
  {
    endsMax: rowsMax,
    plan,
    ends,
  }: { endsMax: number; plan: Tenant['plan']; ends: ReadonlyMap<string, HolderRow> | undefined },
): Promise<FundsRows> {
  const { totalUsd, rows } = await fundsRows(traces.account[direction], {
    direction,
    pause: timeSlices(),
    paymentsOf: paymentsTo(traces),
    rowsMax,
    ...(ends && { holderOf: (key) => ends.get(key) }),
  });
  return { totalUsd, rows: rowsOnPlan(rows, plan) };
}

/** Summarizes by rules where the model is slow. */
async function summaryWithin(
  ctx: Context,
  scan: ScanAnswer,
  parties: readonly KnownParty[],
  language: Language,
): Promise<Summary> {
  const signal = AbortSignal.timeout(SUMMARY_BUDGET_MS);
  const categories = new Map(parties.map(({ address, category }) => [address, category]));
  return summarizeScan(ctx, scan, language, signal, categories).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { summary: writeSummary(summaryFacts(scan, categories), language), source: 'rules' as const };
  });
}

/** US dollars of each transfer of an address that its traces lead to illicit parties, by transfer id. */
function taintedTransfers(traces: MoneyTraces): ReadonlyMap<string, number> {
  const isIllicit = ({ category }: { category: Category }) => isAdverseCategory(category);
  return new Map(
    (['received', 'sent'] as const).flatMap((direction) => {
      const illicit = traces[direction].parties.filter(isIllicit);
      return [...tracedUsdOfOwn(traces[direction], illicit, direction)];
    }),
  );
}

/** Facts of a counterparty when a report is made, beyond what the scan of the subject recorded. */
interface KnownParty {
  address: string;
  /** Category that the account gives it (`self`, `whitelist`), else its label, else the recorded scan. */
  category: Category;
  /** The best label in force, of a list, of the scam database or of the account itself; null where there is none. */
  label: Pick<Label, 'label' | 'source'> | null;
  /** The account's own newest scan of it; null where it never scanned it within its history. */
  scan: { risk_level: RiskLevel; risk_score: number; created_at: string } | null;
}

/** The counterparties of which a label or a scan of the account knows something, in the order given. */
async function findKnownParties(
  ctx: Context,
  tenant: Tenant,
  { chain, own }: { chain: Chain; own: OwnLabels },
  counterparties: readonly { address: string; category: Category }[],
): Promise<KnownParty[]> {
  if (counterparties.length === 0) return [];
  const addresses = counterparties.map(({ address }) => address);
  const [labels, scanned] = await Promise.all([
    own.over(ctx.labels).find(chain, addresses),
    findScanned(ctx.records, tenant.accountId, chain, addresses),
  ]);
  const now = ctx.now();
  const scans = new Map<string, ScanAnswer>();
  for (const address of scanned) {
    const scan = await findNewestScan(ctx, tenant, chain, address);
    if (scan) scans.set(address, scan);
  }
  const recorded = [...scans].map(([address, scan]) => ({
    chain,
    address,
    level: scan.risk_level,
    at: Date.parse(scan.created_at),
    ruleSet: scan.rule_set_version,
  }));
  // The report is about the subject: its parties are not scored again.
  const levels = await currentLevels(ctx, tenant.accountId, recorded, { scoredMax: 0 });
  const levelOf = new Map(recorded.map(({ address }, place) => [address, levels[place]!.level!]));
  const known: KnownParty[] = [];
  for (const { address, category: recorded } of counterparties) {
    const found = labels.get(address)?.find((one) => isValidAt(one, now));
    const scan = scans.get(address);
    if (!found && !scan) continue;
    const isOwn = recorded === 'self' || recorded === 'whitelist';
    known.push({
      address,
      category: found && !isOwn ? found.category : recorded,
      label: found ? { label: found.label, source: found.source } : null,
      scan: scan ? seenNow(scan, levelOf.get(address)!) : null,
    });
  }
  return known;
}

function seenNow(
  { risk_level, risk_score, created_at }: ScanAnswer,
  level: RiskLevel,
): NonNullable<KnownParty['scan']> {
  return { risk_level: level, risk_score: level === risk_level ? risk_score : 0, created_at };
}

/** Writes into the audit log that a report about an address was made. */
export async function noteAddressReport(ctx: Context, tenant: Tenant, { chain, address }: ChainAddress): Promise<void> {
  await insertAudit(ctx.records, { ...tenant, action: 'report_downloaded', subject: `${chain}:${address}` }, ctx.now());
}
