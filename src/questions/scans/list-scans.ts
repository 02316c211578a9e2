import type { Language } from '../../../words/language.ts';
import type { Context, RecordsContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { DAY_MS, iso } from '../../domain/time.ts';
import { NotFoundError } from '../../errors.ts';
import { openOwnLabels } from '../../labels/own-labels.ts';
import type { Payer, Tenant } from '../../records/accounts/tenant.ts';
import type { RecordedScan } from '../../records/database/tables/scans.ts';
import {
  findCounterparties,
  findLatestScan,
  findScan,
  findScanResults,
  type ListedScan,
  listRecordedScans as listRecorded,
  readRecordedScans,
  type ScanFilter,
} from '../../records/scans/scans.ts';
import { type TenantOverrides, tenantOverrides } from '../account/risk-settings.ts';
import type { ScanAnswer } from './record-scan.ts';
import { tenantView, withOverrides, withOwnLabels, withTrusted } from './risk-settings-applied.ts';
import { translateScan } from './score-address.ts';

/** Start of the plan's history window, epoch ms. */
export function windowStart(ctx: RecordsContext, { plan }: Payer): number {
  const days = plan.historyDays;
  return days === -1 ? 0 : ctx.now() - days * DAY_MS;
}

/** Their results are read too where the account has settings of its own. */
const SCANS_AT_ONCE = 200;

interface Page {
  limit: number;
  offset: number;
}

/** One page of the tenant's recorded scans that match, inside the plan's history window, newest first. */
export async function listScans(ctx: Context, tenant: Tenant, filter: Partial<ScanFilter>, page: Page) {
  const from = Math.max(filter.from ?? 0, windowStart(ctx, tenant));
  const { scans, total } = await listRecorded(ctx.records, tenant.accountId, { ...filter, from }, page);
  const overrides = await tenantOverrides(ctx, tenant.accountId);
  return {
    scans: (overrides ? await asTenantSees(ctx, tenant.accountId, scans, overrides) : scans).map(listedScan),
    total,
    ...page,
    score_semantics: 'risk_0to100' as const,
  };
}

/** The same scans without their number, all of them, some at a time. */
export async function* readScans(ctx: Context, tenant: Tenant, filter: Partial<ScanFilter>) {
  const from = Math.max(filter.from ?? 0, windowStart(ctx, tenant));
  // What is scanned meanwhile is not of the table.
  const to = Math.min(filter.to ?? ctx.now(), ctx.now());
  const overrides = await tenantOverrides(ctx, tenant.accountId);
  for await (const scans of readRecordedScans(ctx.records, tenant.accountId, { ...filter, from, to }, SCANS_AT_ONCE)) {
    yield (overrides ? await asTenantSees(ctx, tenant.accountId, scans, overrides) : scans).map(listedScan);
  }
}

function listedScan(scan: ListedScan) {
  return {
    scan_id: scan.id,
    address: scan.address,
    chain: scan.chain,
    risk_level: scan.risk_level,
    risk_score: scan.risk_score,
    detection_count: scan.detection_count,
    source: scan.source,
    created_at: iso(scan.created_at),
  };
}

/** Levels of the list as the account's settings of today see them. */
async function asTenantSees<Scan extends ListedScan>(
  ctx: Context,
  accountId: string,
  scans: Scan[],
  overrides: TenantOverrides,
): Promise<Scan[]> {
  const ids = scans.map((scan) => scan.id);
  const results = await findScanResults(ctx.records, accountId, ids);
  return scans.map((scan) => {
    const answer = JSON.parse(results.get(scan.id)!) as ScanAnswer;
    const { risk_level, risk_score, detection_count } = withOverrides(answer, scan.chain, overrides);
    return { ...scan, risk_level, risk_score, detection_count };
  });
}

/**
 * One recorded scan in the words of today, in the language it was recorded in unless another is named. NotFoundError for an
 * unknown one, another tenant's, or one outside the window.
 */
export async function getScan(ctx: Context, tenant: Tenant, scanId: string, lang?: Language): Promise<ScanAnswer> {
  const scan = await findOwnScan(ctx, tenant, scanId);
  return translateScan(await asSeen(ctx, tenant, scan), lang ?? (scan.lang as Language));
}

/** A page of what `top_counterparties` of a recorded scan begins, largest first. Throws NotFoundError like `getScan`. */
export async function listScanCounterparties(ctx: Context, tenant: Tenant, scanId: string, { limit, offset }: Page) {
  const scan = await findOwnScan(ctx, tenant, scanId);
  const answer = JSON.parse(scan.result) as ScanAnswer;
  const all = (await findCounterparties(ctx.records, scanId)) ?? answer.top_counterparties;
  const overrides = await tenantOverrides(ctx, tenant.accountId);
  const page = withTrusted(all.slice(offset, offset + limit), scan.chain, overrides);
  const own = await openOwnLabels(
    ctx,
    tenant.accountId,
    page.map(({ address }) => address),
  );
  return {
    scan_id: scanId,
    counterparties: withOwnLabels(page, scan.chain, own),
    total: answer.metadata.counterparty_count ?? all.length,
    limit,
    offset,
  };
}

async function findOwnScan(ctx: Context, tenant: Tenant, scanId: string): Promise<RecordedScan> {
  const scan = await findScan(ctx.records, tenant.accountId, scanId, windowStart(ctx, tenant));
  if (!scan) throw new NotFoundError();
  return scan;
}

/** The tenant's newest scan of an address inside the history window; null where there is none. */
export async function findNewestScan(
  ctx: Context,
  tenant: Tenant,
  chain: Chain,
  address: string,
): Promise<ScanAnswer | null> {
  const scan = await findLatestScan(ctx.records, tenant.accountId, { chain, address });
  if (!scan || scan.created_at < windowStart(ctx, tenant)) return null;
  return asSeen(ctx, tenant, scan);
}

async function asSeen(ctx: Context, tenant: Tenant, scan: RecordedScan): Promise<ScanAnswer> {
  const answer = JSON.parse(scan.result) as ScanAnswer;
  return (await tenantView(ctx, tenant.accountId, answer))(answer);
}
