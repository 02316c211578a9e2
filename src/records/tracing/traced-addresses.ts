import type { Chain } from '../../domain/chain.ts';
import type { Records } from '../database/database.ts';
import { readInChunks } from '../database/in-chunks.ts';

/** Notes that scans or traces of the account have opened these addresses. */
export async function saveTraced(
  records: Records,
  accountId: string,
  chain: Chain,
  addresses: readonly string[],
  now: number,
): Promise<void> {
  if (addresses.length === 0) return;
  await records
    .insertInto('traced_addresses')
    .values([...new Set(addresses)].map((address) => ({ account_id: accountId, chain, address, at: now })))
    .onConflict((conflict) => conflict.columns(['account_id', 'chain', 'address']).doUpdateSet({ at: now }))
    .execute();
}

/** Those of the addresses that scans or traces of the account have opened. */
export async function findTraced(
  records: Records,
  accountId: string,
  chain: Chain,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await readInChunks(addresses, (chunk) =>
    records
      .selectFrom('traced_addresses')
      .select('address')
      .where('account_id', '=', accountId)
      .where('chain', '=', chain)
      .where('address', 'in', chunk)
      .execute(),
  );
  return rows.map(({ address }) => address);
}
