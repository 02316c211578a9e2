import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { ConflictError, LimitError, NotFoundError } from '../../errors.ts';
import { CASE_LIMITS } from '../../plans.ts';
import { type Records, readerOf, readInChunks } from '../database/database.ts';
import type { CaseAddressChange, CaseAddressRow, CaseRow } from '../database/tables/cases.ts';
import type { RecordedScan } from '../database/tables/scans.ts';
import { requireTextRoom } from './case-text.ts';

/** Rows of one answer about where addresses are held. */
const ROWS_MAX = 500;

/** A case address with the account's newest scan of it; nulls where there is none. */
export interface ScannedCaseAddress extends CaseAddressRow {
  last_scan_id: string | null;
  last_risk_level: RecordedScan['risk_level'] | null;
  last_rule_set: string | null;
  last_scanned_at: number | null;
}

/**
 * Adds an address. The transaction holds the lock of the case. Throws LimitError, or ConflictError when the case already
 * has the address.
 */
export async function insertCaseAddress(records: Records, row: CaseAddressRow): Promise<void> {
  if ((await countCaseAddresses(records, row.case_id)) >= CASE_LIMITS.addresses) {
    throw new LimitError(`${CASE_LIMITS.addresses} addresses in a case`);
  }
  await requireTextRoom(records, row.case_id, [row.investigator_notes, row.label]);
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('case_addresses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['case_id', 'chain', 'address']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) throw new ConflictError('Address already in case');
}

/** True where a case of the account holds the address. */
export async function isInCase(
  records: Records,
  accountId: string,
  { chain, address }: ChainAddress,
): Promise<boolean> {
  const held = await records
    .selectFrom('case_addresses')
    .innerJoin('cases', 'cases.id', 'case_addresses.case_id')
    .select('case_addresses.id')
    .where('cases.account_id', '=', accountId)
    .where('case_addresses.chain', '=', chain)
    .where('case_addresses.address', '=', address)
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}

/** The cases of the account that hold one of the addresses, with its part in each; those that changed last come first. */
export async function casesWith(
  records: Records,
  accountId: string,
  places: readonly ChainAddress[],
): Promise<{ id: string; title: string; status: CaseRow['status']; role: CaseAddressRow['role'] }[]> {
  const addresses = [...new Set(places.map(({ address }) => address))];
  const rows = await readerOf(records)
    .selectFrom('case_addresses')
    .innerJoin('cases', 'cases.id', 'case_addresses.case_id')
    .select(['cases.id', 'cases.title', 'cases.status', 'role', 'chain', 'address'])
    .where('cases.account_id', '=', accountId)
    .where('case_addresses.address', 'in', addresses)
    .orderBy('cases.updated_at', 'desc')
    .orderBy('cases.id')
    .limit(ROWS_MAX)
    .execute();
  const held = rows.filter((row) =>
    places.some(({ chain, address }) => row.chain === chain && row.address === address),
  );
  // Several addresses of one holder may lie in one case.
  const byCase = new Map(held.toReversed().map(({ id, title, status, role }) => [id, { id, title, status, role }]));
  return [...byCase.values()].reverse();
}

export async function countCaseAddresses(records: Records, caseId: string): Promise<number> {
  const { count } = await records
    .selectFrom('case_addresses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** All of them, in the order in which they were added. */
export function listCaseAddresses(records: Records, accountId: string, caseId: string): Promise<ScannedCaseAddress[]> {
  return scannedAddresses(records, accountId, caseId)
    .orderBy('case_addresses.created_at')
    .orderBy('case_addresses.id')
    .limit(CASE_LIMITS.addresses)
    .execute();
}

/** One page, newest first. */
export function pageCaseAddresses(
  records: Records,
  accountId: string,
  caseId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ScannedCaseAddress[]> {
  return scannedAddresses(records, accountId, caseId)
    .orderBy('case_addresses.created_at', 'desc')
    .orderBy('case_addresses.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Throws NotFoundError. */
export async function findCaseAddress(
  records: Records,
  accountId: string,
  caseId: string,
  id: string,
): Promise<ScannedCaseAddress> {
  return scannedAddresses(records, accountId, caseId)
    .where('case_addresses.id', '=', id)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Changes an address. The transaction holds the lock of the case. Throws LimitError. */
export async function updateAddressRow(
  records: Records,
  before: CaseAddressRow,
  change: CaseAddressChange,
): Promise<void> {
  const after = { ...before, ...change };
  const replaced = [before.investigator_notes, before.label];
  await requireTextRoom(records, before.case_id, [after.investigator_notes, after.label], replaced);
  await records.updateTable('case_addresses').set(change).where('id', '=', before.id).execute();
}

/** Keeps a distance that was unknown until now. */
export async function keepHops(records: Records, id: string, hops: number): Promise<void> {
  await records
    .updateTable('case_addresses')
    .set({ hop_distance: hops })
    .where('id', '=', id)
    .where('hop_distance', 'is', null)
    .execute();
}

/** Throws NotFoundError. */
export async function deleteCaseAddress(records: Records, caseId: string, id: string): Promise<CaseAddressRow> {
  return records
    .deleteFrom('case_addresses')
    .where('id', '=', id)
    .where('case_id', '=', caseId)
    .returningAll()
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

function scannedAddresses(records: Records, accountId: string, caseId: string) {
  return records
    .selectFrom('case_addresses')
    .leftJoin('scans', (join) =>
      join.on('scans.id', '=', (eb) =>
        eb
          .selectFrom('scans as newest')
          .select('newest.id')
          .where('newest.account_id', '=', accountId)
          .whereRef('newest.chain', '=', 'case_addresses.chain')
          .whereRef('newest.address', '=', 'case_addresses.address')
          .orderBy('newest.created_at', 'desc')
          .orderBy('newest.id', 'desc')
          .limit(1),
      ),
    )
    .selectAll('case_addresses')
    .select(['scans.id as last_scan_id', 'scans.risk_level as last_risk_level', 'scans.created_at as last_scanned_at'])
    .select('scans.rule_set_version as last_rule_set')
    .where('case_addresses.case_id', '=', caseId);
}

/** Finds some addresses in the account's cases. */
export function findInCases(
  records: Records,
  accountId: string,
  addresses: readonly string[],
): Promise<{ case_id: string; chain: Chain; address: string }[]> {
  return readInChunks(addresses, (chunk) =>
    records
      .selectFrom('case_addresses')
      .innerJoin('cases', 'cases.id', 'case_addresses.case_id')
      .select(['case_addresses.case_id', 'case_addresses.chain', 'case_addresses.address'])
      .where('cases.account_id', '=', accountId)
      .where('case_addresses.address', 'in', chunk)
      .execute(),
  );
}
