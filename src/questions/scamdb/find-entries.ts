import type { Context } from '../../context.ts';
import { addressHint, looseAddress } from '../../domain/address/loose-address.ts';
import { type Chain, chainFamily } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import type { ScamSeverity, ScamType } from '../../domain/scam.ts';
import { namesAbove, normalDomain } from '../../domain/text/domain-name.ts';
import { iso } from '../../domain/time.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import {
  countScamEntries,
  findScamAddress,
  findScamDomain,
  findScamEntry,
  findScamHistory,
  listScamEntries,
  type ScamEntryRow,
  type ScamHistoryRow,
} from '../../records/scamdb/entries.ts';
import { findLoneDomain } from '../../records/scamdb/lone-domains.ts';
import { searchScamEntries } from '../../records/scamdb/search.ts';

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
 * Whether an address, or a domain or URL, is listed. `normalized` says that the address was given in another form
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
