import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { AddressHistory } from '../../chains/port.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Records } from '../database/database.ts';

/** A larger history costs more to keep than to read again. */
const TRANSFERS_MAX = 20_000;

export interface CachedRead {
  history: AddressHistory;
  /** Epoch ms of the read. */
  readAt: number;
}

/** Keeps what a chain source said of an address, for whichever tenant asks next. */
export async function saveRead(
  records: Records,
  chain: Chain,
  address: string,
  read: CachedRead,
  expiresAt: number,
): Promise<void> {
  await deleteExpiredReads(records, read.readAt);
  if (read.history.transfers.length > TRANSFERS_MAX) return;
  const packed = await promisify(gzip)(JSON.stringify(read.history), { level: 1 });
  const row = { result: packed.toString('base64'), created_at: read.readAt, expires_at: expiresAt };
  await records
    .insertInto('scan_cache')
    .values({ chain, address, ...row })
    .onConflict((conflict) => conflict.columns(['chain', 'address']).doUpdateSet(row))
    .execute();
}

export async function deleteExpiredReads(records: Records, now: number): Promise<void> {
  await records.deleteFrom('scan_cache').where('expires_at', '<', now).execute();
}

export async function findRead(
  records: Records,
  chain: Chain,
  address: string,
  now: number,
): Promise<CachedRead | undefined> {
  const row = await records
    .selectFrom('scan_cache')
    .selectAll()
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return undefined;
  const text = await promisify(gunzip)(Buffer.from(row.result, 'base64'));
  return { history: JSON.parse(text.toString('utf8')) as AddressHistory, readAt: row.created_at };
}
