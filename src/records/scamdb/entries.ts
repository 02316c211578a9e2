import type { Selectable } from 'kysely';
import type { ChainFamily } from '../../domain/chain.ts';
import { SCAM_SEVERITIES, type ScamSeverity, type ScamType } from '../../domain/scam.ts';
import type { Records } from '../database/database.ts';
import type { ScamEntriesTable, ScamHistoryTable } from '../database/tables/scamdb.ts';

export type ScamEntryRow = Selectable<ScamEntriesTable>;
export type ScamHistoryRow = Selectable<ScamHistoryTable>;

/** A page of verified entries, newest first, and how many match. */
export async function listScamEntries(
  records: Records,
  filter: { type?: ScamType; severity?: ScamSeverity },
  page: { limit: number; offset: number },
): Promise<{ rows: ScamEntryRow[]; total: number }> {
  let matching = records.selectFrom('scam_entries').where('verified', '=', 1);
  if (filter.type) matching = matching.where('type', '=', filter.type);
  if (filter.severity) matching = matching.where('severity', '=', filter.severity);
  const rows = await matching.selectAll().orderBy('seq', 'desc').limit(page.limit).offset(page.offset).execute();
  const { total } = await matching.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** The entry in any state: one that is no longer listed can still be looked up with its reason. */
export function findScamEntry(records: Records, id: string): Promise<ScamEntryRow | undefined> {
  return records.selectFrom('scam_entries').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The verified entry of an address in its address space. */
export function findScamAddress(
  records: Records,
  family: ChainFamily,
  address: string,
): Promise<ScamEntryRow | undefined> {
  return records
    .selectFrom('scam_entries')
    .selectAll()
    .where('family', '=', family)
    .where('address', '=', address)
    .where('verified', '=', 1)
    .executeTakeFirst();
}

/** The gravest verified entry that was met at one of the domains; the first domain that has one decides. */
export async function findScamDomain(records: Records, domains: readonly string[]): Promise<ScamEntryRow | undefined> {
  const rows = await records
    .selectFrom('scam_domains')
    .innerJoin('scam_entries', (join) =>
      join
        .onRef('scam_entries.family', '=', 'scam_domains.family')
        .onRef('scam_entries.address', '=', 'scam_domains.address'),
    )
    .selectAll('scam_entries')
    .select('scam_domains.domain as met_at')
    .where('scam_domains.domain', 'in', domains)
    .where('scam_domains.ended_at', 'is', null)
    .where('scam_entries.verified', '=', 1)
    .orderBy('scam_entries.seq')
    .execute();
  const rank = (row: (typeof rows)[number]) => [domains.indexOf(row.met_at), SCAM_SEVERITIES.indexOf(row.severity)];
  const [best] = rows
    .map((row) => ({ row, rank: rank(row) }))
    .sort((a, b) => a.rank[0]! - b.rank[0]! || a.rank[1]! - b.rank[1]!);
  if (!best) return undefined;
  const { met_at: _, ...row } = best.row;
  return row;
}

/** Reads the changes of entries, oldest first, by entry id. */
export async function findScamHistory(
  records: Records,
  entryIds: readonly string[],
): Promise<Map<string, ScamHistoryRow[]>> {
  const found = new Map<string, ScamHistoryRow[]>(entryIds.map((id) => [id, []]));
  if (entryIds.length === 0) return found;
  const rows = await records
    .selectFrom('scam_history')
    .selectAll()
    .where('entry_id', 'in', entryIds)
    .orderBy('seq')
    .execute();
  for (const row of rows) found.get(row.entry_id)!.push(row);
  return found;
}

/** Counts over the verified entries; `total` counts those no longer listed too. */
export async function countScamEntries(records: Records) {
  const groups = await records
    .selectFrom('scam_entries')
    .select(['verified', 'type', 'severity', 'chains'])
    .select((e) => [
      e.fn.countAll<number>().as('count'),
      e.fn.sum<number>('total_stolen_usd').as('stolen_usd'),
      e.fn.max('updated_at').as('updated_at'),
    ])
    .groupBy(['verified', 'type', 'severity', 'chains'])
    .execute();
  return groups.map((group) => ({
    verified: group.verified === 1,
    type: group.type,
    severity: group.severity,
    chains: JSON.parse(group.chains) as string[],
    count: Number(group.count),
    stolenUsd: Number(group.stolen_usd),
    updatedAt: Number(group.updated_at),
  }));
}
