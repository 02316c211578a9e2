import type { Records } from '../database/database.ts';
import { saveScamDomains } from './domains.ts';

/** A stamp greater than that of every earlier load of domains. */
export async function beginDomainLoad(records: Records, now: number): Promise<number> {
  const newest = records.selectFrom('scam_domains').select((e) => e.fn.max('loaded_at').as('last'));
  const row = await newest.where('address', '=', '').executeTakeFirst();
  return Math.max(now, Number(row?.last ?? 0) + 1);
}

/** Stores the domains that lists name without an address. */
export async function saveLoneDomains(
  records: Records,
  domains: readonly { domain: string; source: string }[],
  stamp: number,
): Promise<void> {
  await saveScamDomains(
    records,
    domains.map((row) => ({ ...row, family: 'evm', address: '' })),
    stamp,
  );
}

/** Domains in force of a list; with `stamp`, those that no load since named. */
export async function countLoneDomains(records: Records, source: string, stamp?: number): Promise<number> {
  const row = await records
    .selectFrom('scam_domains')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('source', '=', source)
    .where('address', '=', '')
    .where('ended_at', 'is', null)
    .$if(stamp !== undefined, (query) => query.where('loaded_at', '<', stamp!))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function endLoneDomains(
  records: Records,
  source: string,
  { stamp, now }: { stamp: number; now: number },
): Promise<void> {
  await records
    .updateTable('scam_domains')
    .set({ ended_at: now })
    .where('source', '=', source)
    .where('address', '=', '')
    .where('loaded_at', '<', stamp)
    .where('ended_at', 'is', null)
    .execute();
}

/** The first of the names that lists have without an address, with the lists; null for none. */
export async function findLoneDomain(
  records: Records,
  names: readonly string[],
): Promise<{ name: string; sources: string[] } | null> {
  const rows = await records
    .selectFrom('scam_domains')
    .select(['domain', 'source'])
    .where('domain', 'in', names)
    .where('address', '=', '')
    .where('ended_at', 'is', null)
    .orderBy('source')
    .execute();
  const name = names.find((one) => rows.some(({ domain }) => domain === one));
  return name === undefined
    ? null
    : { name, sources: rows.filter(({ domain }) => domain === name).map(({ source }) => source) };
}
