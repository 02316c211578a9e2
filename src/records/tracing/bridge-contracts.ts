import { inTransaction, type Records, readerOf } from '../database/database.ts';
import { chunksOf } from '../database/in-chunks.ts';
import type { BridgeContractsTable } from '../database/tables/bridges.ts';

/** Makes the given contracts the operator's whole additions: what was loaded before is dropped. */
export async function replaceBridgeContracts(records: Records, rows: readonly BridgeContractsTable[]): Promise<void> {
  await inTransaction(records, async (transaction) => {
    await transaction.deleteFrom('bridge_contracts').execute();
    for (const chunk of chunksOf(rows)) await transaction.insertInto('bridge_contracts').values(chunk).execute();
  });
}

/** The contracts that the operator added. */
export async function readBridgeContracts(records: Records): Promise<BridgeContractsTable[]> {
  return readerOf(records).selectFrom('bridge_contracts').selectAll().execute();
}
