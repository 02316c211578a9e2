import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { inTransaction, type Records, readInChunks } from '../database/database.ts';

/**
 * Notes that scans or traces of the account have opened these addresses. They count to what is stored of it, but a full account
 * refuses scans before they begin, and never the answer of one that it took.
 */
export async function saveTraced(
  records: Records,
  accountId: string,
  opened: readonly ChainAddress[],
  now: number,
): Promise<void> {
  if (opened.length === 0) return;
  const unique = new Map(opened.map(({ chain, address }) => [`${chain}:${address}`, { chain, address }]));
  const rows = [...unique.values()].map((one) => ({ account_id: accountId, ...one, at: now }));
  await inTransaction(records, async (transaction) => {
    // Rows count to their account: it is locked before them, as in the transactions of jobs.
    await lockAccount(transaction, accountId);
    await transaction
      .insertInto('traced_addresses')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['account_id', 'chain', 'address']).doUpdateSet({ at: now }))
      .execute();
  });
}

/** Counts the addresses that scans and traces of an account opened before a moment (epoch ms), and not since. */
export async function countTraced(records: Records, accountId: string, before: number): Promise<number> {
  const { count } = await records
    .selectFrom('traced_addresses')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('at', '<', before)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns which of the addresses the account has read: scanned itself, or opened by a scan or trace. */
export async function findRead(
  records: Records,
  accountId: string,
  chain: Chain,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await readInChunks(addresses, (chunk) => {
    const listedIn = (table: 'scans' | 'traced_addresses') =>
      records
        .selectFrom(table)
        .select('address')
        .where('account_id', '=', accountId)
        .where('chain', '=', chain)
        .where('address', 'in', chunk);
    return listedIn('scans').union(listedIn('traced_addresses')).execute();
  });
  return new Set(rows.map(({ address }) => address));
}
