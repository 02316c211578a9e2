import type { Chain } from '../../domain/chain.ts';
import type { Records } from '../database/database.ts';

/** Addresses in one query: below the number of values that SQLite binds. */
const ADDRESSES_AT_ONCE = 500;

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
    .values(addresses.map((address) => ({ account_id: accountId, chain, address, at: now })))
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
  const found: string[] = [];
  for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE) {
    const rows = await records
      .selectFrom('traced_addresses')
      .select('address')
      .where('account_id', '=', accountId)
      .where('chain', '=', chain)
      .where('address', 'in', addresses.slice(start, start + ADDRESSES_AT_ONCE))
      .execute();
    found.push(...rows.map(({ address }) => address));
  }
  return found;
}
