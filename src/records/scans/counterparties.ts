import type { Counterparty } from '../../domain/transfers/flow.ts';
import type { Records } from '../database/database.ts';
import { unpackJson } from '../packed-json.ts';

/** Keeps all counterparties of a recorded scan, packed by `packJson`, in the transaction that records it. */
export async function insertCounterparties(records: Records, scanId: string, packed: string): Promise<void> {
  await records.insertInto('scan_counterparties').values({ scan_id: scanId, counterparties: packed }).execute();
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
