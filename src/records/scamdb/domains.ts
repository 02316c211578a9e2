import type { ChainFamily } from '../../domain/scam.ts';
import type { Records } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';

export interface ScamDomain {
  domain: string;
  family: ChainFamily;
  address: string;
  source: string;
}

/** Says that the source names the domains now; what it named before begins anew. */
export async function saveScamDomains(records: Records, domains: readonly ScamDomain[], stamp: number): Promise<void> {
  const rows = new Map(
    domains.map((row) => [
      `${row.domain} ${row.family} ${row.address} ${row.source}`,
      { ...row, loaded_at: stamp, ended_at: null },
    ]),
  );
  await insertRows(records, 'scam_domains', [...rows.values()], {
    key: ['domain', 'family', 'address', 'source'],
    update: ['loaded_at', 'ended_at'],
  });
}

/**
 * Ends the source's domains that no save since `stamp` named; returns their addresses. A load that names no domain at
 * all says nothing of domains and ends none.
 */
export async function endScamDomains(
  records: Records,
  source: string,
  { stamp, now }: { stamp: number; now: number },
): Promise<{ chain: 'evm' | Exclude<ChainFamily, 'evm'>; address: string }[]> {
  const named = await records
    .selectFrom('scam_domains')
    .select('domain')
    .where('source', '=', source)
    .where('loaded_at', '>=', stamp)
    .limit(1)
    .executeTakeFirst();
  if (!named) return [];
  return records
    .updateTable('scam_domains')
    .set({ ended_at: now })
    .where('source', '=', source)
    .where('loaded_at', '<', stamp)
    .where('ended_at', 'is', null)
    .returning(['family as chain', 'address'])
    .execute();
}

/** Ends every domain of the source: a report that was rejected. */
export async function dropScamDomains(records: Records, source: string, now: number): Promise<void> {
  await records
    .updateTable('scam_domains')
    .set({ ended_at: now })
    .where('source', '=', source)
    .where('ended_at', 'is', null)
    .execute();
}
