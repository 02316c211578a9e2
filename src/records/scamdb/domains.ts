import type { ChainFamily } from '../../domain/chain.ts';
import { chunksOf, type Records } from '../database/database.ts';
import { laterOf } from '../lists/later-load.ts';

export interface ScamDomain {
  domain: string;
  family: ChainFamily;
  address: string;
  source: string;
}

/** Stores the domains that the source names now; a domain that it named before and ended is live again. */
export async function saveScamDomains(records: Records, domains: readonly ScamDomain[], stamp: number): Promise<void> {
  const rows = new Map(
    domains.map((row) => [
      `${row.domain} ${row.family} ${row.address} ${row.source}`,
      { ...row, loaded_at: stamp, ended_at: null },
    ]),
  );
  for (const chunk of chunksOf([...rows.values()])) {
    await records
      .insertInto('scam_domains')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['domain', 'family', 'address', 'source'])
          .doUpdateSet({ loaded_at: laterOf('scam_domains'), ended_at: null }),
      )
      .execute();
  }
}

/**
 * Ends the source's domains that no save since `stamp` named; returns their addresses. A load that names no domain at
 * all says nothing of domains and ends none.
 */
export async function endScamDomains(
  records: Records,
  source: string,
  { stamp, now }: { stamp: number; now: number },
): Promise<{ chain: ChainFamily; address: string }[]> {
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
