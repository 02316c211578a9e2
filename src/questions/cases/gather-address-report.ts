import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Label } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import type { Graph } from '../../graph/port.ts';
import type { Tenant } from '../../http/auth.ts';
import type { LabelList } from '../../labels/label-lists.ts';
import { inLanguage } from '../../risk/texts/texts.ts';
import type { Summary, SummaryLang } from '../../summary/port.ts';
import { writeSummary } from '../../summary/rules.ts';
import { loadedLists } from '../check-health.ts';
import { findNewestScan } from '../scans/list-scans.ts';
import type { ScanAnswer } from '../scans/scan-address.ts';
import { summarizeScan, summaryFacts } from '../scans/summarize-scan.ts';
import { accountPolicy } from '../tracing/bridge-matches/account-policy.ts';
import { getExposure } from '../tracing/get-exposure.ts';
import { ALL_TERMINAL_CATEGORIES, getTerminals } from '../tracing/get-terminals.ts';
import { readByAccount } from '../tracing/own-readings.ts';
import { findKnownParties, type KnownParty } from './known-parties.ts';
import { withinTraceBudget } from './within-trace-budget.ts';

export type Exposure = Awaited<ReturnType<typeof getExposure>>;
export type Terminals = Awaited<ReturnType<typeof getTerminals>>;

/** Everything that the report of one address lays out. */
export interface AddressReportInput {
  chain: Chain;
  address: string;
  language: SummaryLang;
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
  exposure: Exposure | null;
  /** Null where the plan has no terminal search, or it exceeded its budget. */
  terminals: Terminals | null;
  /** ISO 8601: the account's newest decision on a likely match that the money met; null where it met none. */
  decidedAt: string | null;
}

export interface ReportRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  language: SummaryLang;
}

const SUMMARY_BUDGET_MS = 8_000;
const EXPOSURE_LIMIT = 200;
const TERMINALS_LIMIT = 50;

/** Reads what is known of an address for its report; asks no chain. */
export async function gatherAddressReport(
  ctx: Context,
  tenant: Tenant,
  { chain, address, maxHops, language }: ReportRequest,
): Promise<AddressReportInput> {
  const found = await findNewestScan(ctx, tenant, chain, address);
  const scan = found && { ...found, detections: inLanguage(found.detections, language) };
  const readBy = readByAccount(ctx, tenant.accountId);
  const policy = await accountPolicy(ctx, tenant.accountId);
  const inBudget = <T>(search: (graph: Graph) => Promise<T>) => withinTraceBudget(ctx, tenant.accountId, search);
  const parties = await findKnownParties(ctx, tenant, chain, scan?.top_counterparties ?? []);
  const [labels, lists, summary, exposure, terminals] = await Promise.all([
    ctx.labels.find(chain, [address]),
    loadedLists(ctx),
    scan ? summaryWithin(ctx, scan, parties, language) : null,
    inBudget((graph) =>
      getExposure(
        { ...ctx, graph },
        { chain, address, maxHops, limit: EXPOSURE_LIMIT, keyless: false, readBy, policy, lang: language },
      ),
    ),
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
  return {
    chain,
    address,
    language,
    madeAt: iso(ctx.now()),
    scan,
    summary,
    labels: labels.get(address) ?? [],
    parties,
    lists,
    exposure,
    terminals,
    decidedAt: decidedAt === null ? null : iso(decidedAt),
  };
}

/** By rules where the model is slow. */
async function summaryWithin(
  ctx: Context,
  scan: ScanAnswer,
  parties: readonly KnownParty[],
  language: SummaryLang,
): Promise<Summary> {
  const signal = AbortSignal.timeout(SUMMARY_BUDGET_MS);
  const categories = new Map(parties.map(({ address, category }) => [address, category]));
  return summarizeScan(ctx, scan, language, signal, categories).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { summary: writeSummary(summaryFacts(scan, categories), language), source: 'rules' as const };
  });
}
