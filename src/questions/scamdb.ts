import type { Context, GraphContext, LabelsContext, RecordsContext } from '../context.ts';
import { addressHint, looseAddress } from '../domain/address/loose-address.ts';
import { type Chain, chainFamily } from '../domain/chain.ts';
import { compare } from '../domain/compare.ts';
import type { Label } from '../domain/label.ts';
import { isBlameless } from '../domain/null-addresses.ts';
import type { ScamSeverity, ScamType } from '../domain/scam.ts';
import { namesAbove, normalDomain } from '../domain/text/domain-name.ts';
import { iso, isoOrNull } from '../domain/time.ts';
import { InvalidInputError, NotFoundError } from '../errors.ts';
import { updateNodes } from '../labels/node-labels.ts';
import { answerWithin } from '../records/accounts/idempotency-keys.ts';
import type { Tenant } from '../records/accounts/tenant.ts';
import { insertAudit } from '../records/audit/audit-log.ts';
import type { ScamReport } from '../records/database/tables/scamdb.ts';
import { dropScamDomains, saveScamDomains } from '../records/scamdb/domains.ts';
import {
  countScamEntries,
  findScamAddress,
  findScamDomain,
  findScamEntry,
  findScamHistory,
  listScamEntries,
  type ScamEntryRow,
  type ScamHistoryRow,
} from '../records/scamdb/entries.ts';
import { findLoneDomain } from '../records/scamdb/lone-domains.ts';
import { decideScamReport, findVerifiedReports, insertScamReport, pageOwnReports } from '../records/scamdb/reports.ts';
import { searchScamEntries } from '../records/scamdb/search.ts';
import { refreshScamEntries } from '../records/scamdb/write-entries.ts';

interface Page {
  limit: number;
  offset: number;
}

type Lookup =
  | { found: true; entry: FoundScamEntry; match_type: 'exact' | 'normalized' | 'domain' }
  | { found: true; entry: null; match_type: 'domain'; domain: { name: string; sources: string[] } }
  | { found: false; entry: null; match_type: null };

export type FoundScamEntry = ReturnType<typeof toEntry>;

const NOT_LISTED: Lookup = { found: false, entry: null, match_type: null };

/**
 * Returns whether an address, or a domain or URL, is listed. `normalized` says that the address was given in another form
 * than the listed one. Throws InvalidInputError for what is neither.
 */
export async function lookUpScam(ctx: Context, given: string): Promise<Lookup> {
  const text = given.trim();
  if (text === '') throw new InvalidInputError('Address is required');
  const known = looseAddress(text);
  if (known) {
    const row = await findScamAddress(ctx.records, chainFamily(known.chain), known.address);
    if (!row) return NOT_LISTED;
    return {
      found: true,
      entry: await withHistory(ctx, row),
      match_type: given === known.address ? 'exact' : 'normalized',
    };
  }
  const domain = normalDomain(text);
  if (!domain) throw new InvalidInputError('Unrecognized address format', { hint: addressHint(text) });
  const names = namesAbove(domain);
  const row = await findScamDomain(ctx.records, names);
  if (row) return { found: true, entry: await withHistory(ctx, row), match_type: 'domain' };
  const lone = await findLoneDomain(ctx.records, names);
  return lone ? { found: true, entry: null, match_type: 'domain', domain: lone } : NOT_LISTED;
}

/** A page of verified entries, newest first. */
export async function listScams(ctx: Context, filter: { type?: ScamType; severity?: ScamSeverity }, page: Page) {
  const { rows, total } = await listScamEntries(ctx.records, filter, page);
  return { entries: await withHistories(ctx, rows), total, ...page };
}

/** One entry, also one that is no longer listed. Throws NotFoundError. */
export async function getScam(ctx: Context, id: string): Promise<FoundScamEntry> {
  const row = await findScamEntry(ctx.records, id);
  if (!row) throw new NotFoundError();
  return withHistory(ctx, row);
}

/** Verified entries that hold every word of the query in address, names, methods or domains. */
export async function searchScams(ctx: Context, query: string, page: Page) {
  const { rows, total } = await searchScamEntries(ctx.records, query, page);
  return { results: await withHistories(ctx, rows), total, query };
}

/** Counts of the verified entries; one that holds on eight chains counts on each. */
export async function countScams(ctx: Context) {
  const groups = await countScamEntries(ctx.records);
  const verified = groups.filter((group) => group.verified);
  const counts = (keysOf: (group: (typeof groups)[number]) => string[]) => {
    const sums: Record<string, number> = {};
    for (const group of verified) for (const key of keysOf(group)) sums[key] = (sums[key] ?? 0) + group.count;
    return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => compare(a, b)));
  };
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    total_entries: sum(groups.map((group) => group.count)),
    verified_entries: sum(verified.map((group) => group.count)),
    by_type: counts((group) => [group.type]),
    by_severity: counts((group) => [group.severity]),
    by_chain: counts((group) => group.chains),
    total_stolen_usd: Math.round(100 * sum(verified.map((group) => group.stolenUsd))) / 100,
    updated_at: groups.length > 0 ? iso(Math.max(...groups.map((group) => group.updatedAt))) : null,
  };
}

async function withHistory(ctx: Context, row: ScamEntryRow): Promise<FoundScamEntry> {
  return (await withHistories(ctx, [row]))[0]!;
}

async function withHistories(ctx: Context, rows: readonly ScamEntryRow[]): Promise<FoundScamEntry[]> {
  const histories = await findScamHistory(
    ctx.records,
    rows.map((row) => row.id),
  );
  return rows.map((row) => toEntry(row, histories.get(row.id)!));
}

function toEntry(row: ScamEntryRow, history: readonly ScamHistoryRow[]) {
  return {
    id: row.id,
    address: row.address,
    chains: JSON.parse(row.chains) as Chain[],
    type: row.type,
    severity: row.severity,
    domains: JSON.parse(row.domains) as string[],
    domain_count: row.domain_count,
    method: row.method,
    total_stolen_usd: row.total_stolen_usd,
    verified: row.verified === 1,
    sources: [...new Set((JSON.parse(row.sources) as string[]).map(publicSource))],
    first_seen: iso(row.first_seen),
    last_seen: iso(row.updated_at),
    history: history.map(({ at, action, source, reason }) => ({
      at: iso(at),
      action,
      source: publicSource(source),
      reason,
    })),
  };
}

/** Hides who reported, and under which id. */
function publicSource(source: string): string {
  return source.startsWith('report:') ? 'report' : source;
}

interface ReportInput {
  /** `evm` where the report speaks of all EVM chains. */
  chain: Chain | 'evm';
  /** Canonical. */
  address: string;
  type: ScamType;
  description: string;
  /** Host names in their normal form. */
  domains?: string[] | null;
  evidence_url?: string | null;
  stolen_usd?: number | null;
}

const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Keeps a report for the operator to decide on; nothing else changes. Throws InvalidInputError for an address without a holder. */
export async function reportScam(ctx: Context, tenant: Tenant, input: ReportInput) {
  if (isBlameless(input.address)) throw new InvalidInputError(`Nobody holds ${input.address}: it is not ${input.type}`);
  const report = {
    account_id: tenant.accountId,
    chain: input.chain,
    address: input.address,
    type: input.type,
    description: input.description.replace(BIDI, ''),
    domains: [...new Set(input.domains ?? [])],
    evidence_url: input.evidence_url ?? null,
    stolen_usd: input.stolen_usd ?? null,
  };
  const now = ctx.now();
  return answerWithin(ctx.records, tenant, async (records) => {
    const id = await insertScamReport(records, report, now);
    const subject = `${report.chain}:${report.address}`;
    await insertAudit(records, { ...tenant, action: 'scam_reported', subject, detail: id }, now);
    return { success: true as const, report_id: id, status: 'pending' as const };
  });
}

/** A page of the reports that the account made, newest first, with what the operator decided. */
export async function listOwnReports(ctx: Context, accountId: string, page: { limit: number; offset: number }) {
  const { rows, total } = await pageOwnReports(ctx.records, accountId, page);
  const reports = rows.map(({ id, address, chain, type, description, status, ...row }) => ({
    report_id: id,
    address,
    chain,
    type,
    description,
    status,
    created_at: iso(row.created_at),
    decided_at: isoOrNull(row.decided_at),
    decision_reason: row.decision_reason,
  }));
  return { reports, total, ...page };
}

export interface ScamDecision {
  /** Id of a report. */
  id: string;
  decision: 'verified' | 'rejected';
  /** Name of the person who decided; kept with the report, not shown to the public. */
  by: string;
  /** Shown in the entry's history. */
  reason: string | null;
}

export interface DecidedReport {
  id: string;
  status: 'verified' | 'rejected';
  /** Null where no list and no verified report names the address. */
  entry_id: string | null;
  chain: Chain | 'evm';
  address: string;
}

type Stores = RecordsContext & GraphContext & LabelsContext;

const SOURCE = 'scamdb';
const CONFIDENCE = 90;

/**
 * Verifies or rejects a report, at any time again: entry, labels and graph follow in this order, and a run that was
 * cut short is completed by the same decision given again. Throws NotFoundError.
 */
export async function decideReport(stores: Stores, { id, decision, by, reason }: ScamDecision): Promise<DecidedReport> {
  const { records, now } = stores;
  const report = await decideScamReport(records, id, { status: decision, by, reason }, now());
  const { chain, address, family } = report;
  const source = `report:${id}`;
  if (decision === 'verified') {
    const domains = JSON.parse(report.domains) as string[];
    const rows = domains.map((domain) => ({ domain, family, address, source }));
    await saveScamDomains(records, rows, now());
  } else {
    await dropScamDomains(records, source, now());
  }
  await putOwnLabels(stores, report);
  await refreshScamEntries(records, [{ chain, address }], now());
  const entry = await findScamAddress(records, family, address);
  return { id, status: decision, entry_id: entry?.id ?? null, chain, address };
}

/** One label per chain and kind that a verified report names; what none names any more ends. */
async function putOwnLabels({ records, labels, graph, now }: Stores, report: ScamReport): Promise<void> {
  const verified = await findVerifiedReports(records, report);
  const wanted = new Map(verified.map((one) => [`${one.chain} ${one.type}`, toLabel(one)]));
  const isWanted = (label: Label) => [...wanted.values()].some((one) => sameStatement(one, label));
  const held = (await labels.findOnAllChains([report.address])).get(report.address) ?? [];
  const ended = held
    .filter((label) => label.source === SOURCE && label.validTo === null && !isWanted(label))
    .map((label) => ({ ...label, validTo: now() }));
  const stamp = await labels.beginLoad();
  const changed = await labels.put([...wanted.values(), ...ended], { stamp, list: false });
  await updateNodes({ labels, graph, now }, changed);
}

function toLabel({ chain, address, type }: { chain: Chain | 'evm'; address: string; type: ScamType }): Label {
  return {
    chain,
    address,
    category: type === 'drainer' ? 'drainer' : 'scam',
    label: `Reported: ${type.replaceAll('_', ' ')}`,
    source: SOURCE,
    confidence: CONFIDENCE,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: type === 'malicious_contract',
  };
}

function sameStatement(a: Label, b: Label): boolean {
  return a.chain === b.chain && a.address === b.address && a.category === b.category && a.label === b.label;
}
