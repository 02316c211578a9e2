import type { Chain } from '../../domain/chain.ts';
import type { Records } from '../database/database.ts';
import type { ScansTable } from '../database/tables.ts';

export type RecordedScan = ScansTable;

export async function insertScan(records: Records, scan: RecordedScan): Promise<void> {
  await records.insertInto('scans').values(scan).execute();
}

/** True once a scan of any account was recorded. */
export async function hasScans(records: Records): Promise<boolean> {
  return (await records.selectFrom('scans').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The account's newest scan of the address that is not older than `since` (epoch ms). */
export function findLatestScan(
  records: Records,
  accountId: string,
  chain: Chain,
  address: string,
  since: number,
): Promise<RecordedScan | undefined> {
  return records
    .selectFrom('scans')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** One page of the account's scans since `since`, newest first, and how many there are. */
export async function listScans(
  records: Records,
  accountId: string,
  since: number,
  page: { limit: number; offset: number },
): Promise<{ scans: Omit<RecordedScan, 'result'>[]; total: number }> {
  const mine = records.selectFrom('scans').where('account_id', '=', accountId).where('created_at', '>=', since);
  const scans = await mine
    .select(['id', 'account_id', 'chain', 'address', 'source', 'lang', 'risk_level', 'risk_score'])
    .select(['detection_count', 'rule_set_version', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { scans, total: Number(total) };
}

/** The recorded results of some of the account's scans, by id. */
export async function findScanResults(
  records: Records,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await records
    .selectFrom('scans')
    .select(['id', 'result'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.result]));
}

export function findScan(
  records: Records,
  accountId: string,
  id: string,
  since: number,
): Promise<RecordedScan | undefined> {
  return records
    .selectFrom('scans')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .executeTakeFirst();
}
