import type { Context } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { ADVERSE_CATEGORIES, type Category, type Label } from '../../../domain/label.ts';
import { iso } from '../../../domain/time.ts';
import { tracedUsdOfOwn } from '../../../domain/tracing/tainted.ts';
import type { Graph } from '../../../graph/port.ts';
import type { Tenant } from '../../../http/auth.ts';
import type { LabelList } from '../../../labels/label-lists.ts';
import type { Summary } from '../../../summary/port.ts';
import { writeSummary } from '../../../summary/rules.ts';
import { inLanguage } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import { loadedLists } from '../../check-health.ts';
import { findNewestScan } from '../../scans/list-scans.ts';
import type { ScanAnswer } from '../../scans/record-scan.ts';
import { summarizeScan, summaryFacts } from '../../scans/summarize-scan.ts';
import { accountPolicy } from '../../tracing/bridge-matches/account-policy.ts';
import { type getExposure, traceExposure } from '../../tracing/get-exposure.ts';
import { ALL_TERMINAL_CATEGORIES, getTerminals } from '../../tracing/get-terminals.ts';
import { readByAccount } from '../../tracing/own-readings.ts';
import type { MoneyTraces } from '../../tracing/trace-money.ts';
import { findKnownParties, type KnownParty } from './known-parties.ts';
import { withinTraceBudget } from './within-trace-budget.ts';

export type ExposureAnswer = Awaited<ReturnType<typeof getExposure>>;
export type TerminalsAnswer = Awaited<ReturnType<typeof getTerminals>>;

/** Everything that the report of one address lays out. */
export interface AddressReportInput {
  chain: Chain;
  address: string;
  language: Language;
  /** ISO 8601; the report's own date. */
  madeAt: string;
  /** The account's newest scan; null where it never scanned the address within its history. */
  scan: ScanAnswer | null;
  summary: Summary | null;
  /** What the lists say of the address itself, best label first. */
  labels: Label[];
  /** What labels and own scans know of the counterparties of the scan. */
  parties: KnownParty[];
  /** The lists that labels come from; null where they cannot be read. */
  lists: LabelList[] | null;
  /** Null where the analysis exceeded its budget. */
  exposure: ExposureAnswer | null;
  /** Null where the plan has no terminal search, or it exceeded its budget. */
  terminals: TerminalsAnswer | null;
  /** ISO 8601: the account's newest decision on a likely match that the money met; null where it met none. */
  decidedAt: string | null;
}

export interface ReportRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  language: Language;
}

const SUMMARY_BUDGET_MS = 8_000;
const EXPOSURE_LIMIT = 200;
const TERMINALS_LIMIT = 50;

/** A report's input, and what its exposure says of each transfer. */
export interface GatheredReport {
  input: AddressReportInput;
  /** US dollars that lead to illicit parties, by transfer id; null where exposure exceeded its budget. */
  tainted: ReadonlyMap<string, number> | null;
}

/** Reads what is known of an address for its report; asks no chain. */
export async function gatherAddressReport(
  ctx: Context,
  tenant: Tenant,
  { chain, address, maxHops, language }: ReportRequest,
): Promise<GatheredReport> {
  const found = await findNewestScan(ctx, tenant, chain, address);
  const scan = found && { ...found, detections: inLanguage(found.detections, language) };
  const readBy = readByAccount(ctx, tenant.accountId);
  const policy = await accountPolicy(ctx, tenant.accountId);
  const inBudget = <T>(search: (graph: Graph) => Promise<T>) => withinTraceBudget(ctx, tenant.accountId, search);
  const parties = await findKnownParties(ctx, tenant, chain, scan?.top_counterparties ?? []);
  const [labels, lists, summary, traced, terminals] = await Promise.all([
    ctx.labels.find(chain, [address]),
    loadedLists(ctx),
    scan ? summaryWithin(ctx, scan, parties, language) : null,
    inBudget(async (graph) => {
      const bounds = { maxHops, limit: EXPOSURE_LIMIT, keyless: false, readBy, policy, lang: language };
      const { exposure, traces } = await traceExposure({ ...ctx, graph }, { chain, address, ...bounds });
      return { exposure, tainted: taintedTransfers(traces) };
    }),
    tenant.plan.terminals
      ? inBudget((graph) =>
          getTerminals(
            { ...ctx, graph },
            { chain, address, maxHops, categories: ALL_TERMINAL_CATEGORIES, limit: TERMINALS_LIMIT, readBy, policy },
          ),
        )
      : null,
  ]);
  const decidedAt = policy.decidedAt();
  const input = {
    chain,
    address,
    language,
    madeAt: iso(ctx.now()),
    scan,
    summary,
    labels: labels.get(address) ?? [],
    parties,
    lists,
    exposure: traced?.exposure ?? null,
    terminals,
    decidedAt: decidedAt === null ? null : iso(decidedAt),
  };
  return { input, tainted: traced?.tainted ?? null };
}

/** By rules where the model is slow. */
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
  const isIllicit = ({ category }: { category: Category }) => ADVERSE_CATEGORIES.includes(category);
  return new Map(
    (['received', 'sent'] as const).flatMap((direction) => {
      const illicit = traces[direction].parties.filter(isIllicit);
      return [...tracedUsdOfOwn(traces[direction], illicit, direction, traces.replays)];
    }),
  );
}
