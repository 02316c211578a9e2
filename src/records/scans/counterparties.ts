import type { Chain } from '../../domain/chain.ts';
import type { Counterparty, FlowSummary } from '../../domain/transfers/flow.ts';
import type { Records } from '../database/database.ts';
import { unpackJson } from '../packed-json.ts';

/** Keeps all counterparties of a recorded scan, packed by `packJson`, in the transaction that records it. */
export async function insertCounterparties(
  records: Records,
  scanId: string,
  { packed, moved }: { packed: string; moved: FlowSummary['moved'] },
): Promise<void> {
  const sums = { moved_usd: moved.usd, labelled_usd: moved.labelledUsd };
  await records
    .insertInto('scan_counterparties')
    .values({ scan_id: scanId, counterparties: packed, ...sums })
    .execute();
}

/** Sums by chain what the scans of an account since then (epoch ms) saw move, and what of it with labelled counterparties. */
export async function sumMoved(
  records: Records,
  accountId: string,
  since: number,
): Promise<Map<Chain, FlowSummary['moved']>> {
  const rows = await records
    .selectFrom('scans')
    .innerJoin('scan_counterparties', 'scan_id', 'id')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .groupBy('chain')
    .select(({ fn }) => ['chain', fn.sum('moved_usd').as('usd'), fn.sum('labelled_usd').as('labelled')])
    .execute();
  return new Map(rows.map(({ chain, usd, labelled }) => [chain, { usd: Number(usd), labelledUsd: Number(labelled) }]));
}

/** The counterparties of a recorded scan; undefined for a scan that was recorded without them. */
export async function findCounterparties(records: Records, scanId: string): Promise<Counterparty[] | undefined> {
  const row = await records
    .selectFrom('scan_counterparties')
    .select('counterparties')
    .where('scan_id', '=', scanId)
    .executeTakeFirst();
  return row && unpackJson<Counterparty[]>(row.counterparties);
}
