import { Readable } from 'node:stream';
import type { Context, GraphContext } from '../../context.ts';
import type { ChainAddress } from '../../domain/chain.ts';
import { formulaCell } from '../../domain/text/formula.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { TRANSFER_CSV_COLUMNS } from '../../domain/transfers/transfer-csv.ts';
import { csvHeader, csvRows, transferRows } from '../../exports/csv.ts';
import { graphHistory, TRANSFERS_MAX } from '../../graph/queries/read-history.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { ScanFilter } from '../../records/scans/scans.ts';
import { readScans } from '../scans/list-scans.ts';

const ROWS_AT_ONCE = 500;

/** The transfers of an address that the graph holds, oldest first, and whether older ones were left out. Throws GraphError. */
export async function transfersTable(ctx: GraphContext, { chain, address }: ChainAddress) {
  const { transfers } = await graphHistory(ctx.graph, chain, address);
  return { content: Readable.from(transferTable(transfers)), truncated: transfers.length >= TRANSFERS_MAX };
}

/** A table of transfers, oldest first, in pieces. */
async function* transferTable(transfers: readonly Transfer[]): AsyncGenerator<string> {
  const ordered = transfers.toSorted(compareTransfers);
  yield csvHeader(TRANSFER_CSV_COLUMNS);
  for await (const rows of transferRows(ordered, ROWS_AT_ONCE)) yield csvRows(rows);
}

const SCAN_COLUMNS = [
  'scan_id',
  'created_at',
  'chain',
  'address',
  'risk_level',
  'risk_score',
  'detection_count',
  'source',
] as const;

/** The recorded scans of the tenant that match, as a table, newest first. */
export function scansTable(ctx: Context, tenant: Tenant, filter: Partial<ScanFilter>): Readable {
  const pieces = async function* () {
    yield csvHeader(SCAN_COLUMNS);
    for await (const scans of readScans(ctx, tenant, filter)) {
      yield csvRows(scans.map((scan) => SCAN_COLUMNS.map((column) => formulaCell(String(scan[column])))));
    }
  };
  return Readable.from(pieces());
}
