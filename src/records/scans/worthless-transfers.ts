import type { Chain } from '../../domain/chain.ts';
import { createTransfer, movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { chunksOf, type Records, readerOf } from '../database/database.ts';

/** Newest transfers of one address that are read. */
const READ_MAX = 5_000;

/**
 * Keeps the token transfers of a loaded file that moved nothing: address poisoning is made of them, and the graph holds only what
 * moved value. A chain's own coin moves nothing in most calls of contracts, so those are left out. Idempotent.
 */
export async function saveWorthless(records: Records, transfers: readonly Transfer[]): Promise<void> {
  const worthless = transfers.filter((one) => one.token !== null && !one.failed && !movedValue(one));
  const rows = worthless.flatMap((transfer) =>
    [...new Set([transfer.from, transfer.to])].map((address) => ({
      chain: transfer.chain,
      address,
      id: transfer.id,
      at: transfer.at,
      transfer: JSON.stringify(Object.fromEntries(Object.entries(transfer).filter(([, value]) => value !== null))),
    })),
  );
  for (const chunk of chunksOf(rows)) {
    await records
      .insertInto('worthless_transfers')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['chain', 'address', 'id']).doNothing())
      .execute();
  }
}

/** Finds the worthless transfers of an address: at most 5,000, the newest first. */
export async function findWorthless(records: Records, chain: Chain, address: string): Promise<Transfer[]> {
  const rows = await readerOf(records)
    .selectFrom('worthless_transfers')
    .select('transfer')
    .where('chain', '=', chain)
    .where('address', '=', address)
    .orderBy('at', 'desc')
    .limit(READ_MAX)
    .execute();
  return rows.map(({ transfer }) => createTransfer(JSON.parse(transfer) as Transfer));
}
