import type { Chain } from '../../domain/chain.ts';
import type { TransferDirection, TransferState } from '../../domain/screened-transfer.ts';
import { NotFoundError } from '../../errors.ts';
import { type ChangeOf, type Records, readerOf } from '../database/database.ts';
import type { ScreenedTransferRow } from '../database/tables/transfers.ts';

export async function insertTransfer(records: Records, row: ScreenedTransferRow): Promise<void> {
  await records.insertInto('screened_transfers').values(row).execute();
}

/** The same transfer under the same reference, where it waits or is screened. */
export function findSameTransfer(
  records: Records,
  { account_id, chain, tx_hash, direction, asset, amount, address, reference }: ScreenedTransferRow,
): Promise<ScreenedTransferRow | undefined> {
  const rows = records
    .selectFrom('screened_transfers')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('tx_hash', '=', tx_hash)
    .where('chain', '=', chain)
    .where('direction', '=', direction)
    .where('reference', '=', reference)
    .where('state', 'in', ['waiting', 'screened'])
    .where('asset', 'is not distinct from', asset)
    .where('amount', 'is not distinct from', amount)
    .where('address', 'is not distinct from', address);
  return rows.orderBy('created_at').limit(1).executeTakeFirst();
}

/** Throws NotFoundError. */
export async function findTransfer(records: Records, accountId: string, id: string): Promise<ScreenedTransferRow> {
  return records
    .selectFrom('screened_transfers')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Reads a screened transfer of any account; it must exist. */
export function readTransfer(records: Records, id: string): Promise<ScreenedTransferRow> {
  return records.selectFrom('screened_transfers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Writes to a transfer that still waits; false where it has ended. */
export async function updateWaiting(
  records: Records,
  id: string,
  change: ChangeOf<ScreenedTransferRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('screened_transfers')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Which transfers of an account to list; times are epoch ms, both inclusive. */
export interface TransferFilter {
  customerRef?: string;
  reference?: string;
  state?: TransferState;
  direction?: TransferDirection;
  chain?: Chain;
  riskLevel?: ScreenedTransferRow['risk_level'];
  from?: number;
  to?: number;
}

/** One page of the account's transfers that match, newest first, how many match, and their sums. */
export async function listTransferRows(
  records: Records,
  accountId: string,
  filter: TransferFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const mine = matching(readerOf(records), accountId, filter);
  const rows = await mine.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute();
  const sums = await mine
    .select((e) => [
      'direction',
      'risk_level',
      'category',
      e.fn.countAll<number>().as('transfers'),
      e.fn.sum<number | null>('usd').as('usd'),
      e.fn.count<number>('usd').as('priced'),
    ])
    .groupBy(['direction', 'risk_level', 'category'])
    .execute();
  const total = sums.reduce((sum, one) => sum + Number(one.transfers), 0);
  return { rows, sums, total };
}

function matching(records: Records, accountId: string, filter: TransferFilter) {
  const { customerRef, reference, state, direction, chain, riskLevel, from, to } = filter;
  return records
    .selectFrom('screened_transfers')
    .where('account_id', '=', accountId)
    .$if(customerRef !== undefined, (rows) => rows.where('customer_ref', '=', customerRef!))
    .$if(reference !== undefined, (rows) => rows.where('reference', '=', reference!))
    .$if(state !== undefined, (rows) => rows.where('state', '=', state!))
    .$if(direction !== undefined, (rows) => rows.where('direction', '=', direction!))
    .$if(chain !== undefined, (rows) => rows.where('chain', '=', chain!))
    .$if(riskLevel !== undefined, (rows) => rows.where('risk_level', '=', riskLevel!))
    .$if(from !== undefined, (rows) => rows.where('created_at', '>=', from!))
    .$if(to !== undefined, (rows) => rows.where('created_at', '<=', to!));
}
