import type { LabelChain } from '../../domain/chain.ts';
import { ConflictError, LimitError, NotFoundError } from '../../errors.ts';
import { OWN_LABELS_PER_ACCOUNT } from '../../plans.ts';
import { type Records, readerOf } from '../database/database.ts';
import type { OwnLabelRow } from '../database/tables/lists.ts';

/** Limits a list of own labels; a missing field limits nothing. */
export interface OwnLabelFilter {
  address?: string;
  chains?: readonly LabelChain[];
  caseId?: string;
}

/** Adds a label; the transaction holds the lock of the account. Throws ConflictError for one that is there, LimitError. */
export async function insertOwnLabel(records: Records, row: OwnLabelRow): Promise<void> {
  const held = records.selectFrom('own_labels').where('account_id', '=', row.account_id);
  const { count } = await held
    .where('removed_at', 'is', null)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= OWN_LABELS_PER_ACCOUNT) throw new LimitError(`${OWN_LABELS_PER_ACCOUNT} labels of an account`);
  const same = await held
    .where('removed_at', 'is', null)
    .where('chain', '=', row.chain)
    .where('address', '=', row.address)
    .where('category', '=', row.category)
    .where('label', '=', row.label)
    .select('id')
    .executeTakeFirst();
  if (same) throw new ConflictError(`You have this label already: ${same.id}. Delete it first`);
  // One that levels rest on says itself when the labels of the address changed last.
  if (row.use_for_levels === 1) {
    await records
      .deleteFrom('own_labels')
      .where('account_id', '=', row.account_id)
      .where('chain', '=', row.chain)
      .where('address', '=', row.address)
      .where('removed_at', 'is not', null)
      .execute();
  }
  await records.insertInto('own_labels').values(row).execute();
}

/**
 * Takes a label away: of one that levels rested on its address stays, so that they are made again, until as many as an account
 * may have were taken away later. Throws NotFoundError.
 */
export async function removeOwnLabel(records: Records, accountId: string, id: string, now: number): Promise<void> {
  const row = await findOwnLabel(records, accountId, id);
  if (row.use_for_levels === 0) {
    await records.deleteFrom('own_labels').where('id', '=', id).execute();
    return;
  }
  await records
    .updateTable('own_labels')
    .set({ label: '', reason: '', author: '', case_id: null, changed_at: now, removed_at: now })
    .where('id', '=', id)
    .execute();
  const removed = records
    .selectFrom('own_labels')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is not', null);
  const oldest = removed
    .select('id')
    .orderBy('removed_at', 'desc')
    .orderBy('id')
    .limit(1_000)
    .offset(OWN_LABELS_PER_ACCOUNT);
  await records.deleteFrom('own_labels').where('id', 'in', oldest).execute();
}

/** Throws NotFoundError. */
export async function findOwnLabel(records: Records, accountId: string, id: string): Promise<OwnLabelRow> {
  const row = await records
    .selectFrom('own_labels')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return row;
}

/** One page of an account's labels, newest first, and how many match. */
export async function pageOwnLabels(
  records: Records,
  accountId: string,
  { address, chains, caseId }: OwnLabelFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: OwnLabelRow[]; total: number }> {
  const matching = records
    .selectFrom('own_labels')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .$if(address !== undefined, (all) => all.where('address', '=', address!))
    .$if(chains !== undefined, (all) => all.where('chain', 'in', chains!))
    .$if(caseId !== undefined, (all) => all.where('case_id', '=', caseId!));
  const { count } = await matching.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const newest = matching.selectAll().orderBy('created_at', 'desc').orderBy('id');
  return { rows: await newest.limit(limit).offset(offset).execute(), total: Number(count) };
}

/** All labels of an account, or those of some addresses, oldest first, with the marks of those that were taken away. */
export function allOwnLabels(
  records: Records,
  accountId: string,
  addresses?: readonly string[],
): Promise<OwnLabelRow[]> {
  return inOrder(records, accountId, addresses).selectAll().execute();
}

/** The same of those that levels rest on, without their reasons: all of them are read for each scan. */
export function levelOwnLabels(
  records: Records,
  accountId: string,
  addresses?: readonly string[],
): Promise<OwnLabelRow[]> {
  return inOrder(records, accountId, addresses)
    .where('use_for_levels', '=', 1)
    .select(['id', 'account_id', 'chain', 'address', 'category', 'label', 'confidence', 'valid_from', 'valid_to'])
    .select((e) => [e.val('').as('reason'), e.val<string | null>(null).as('case_id')])
    .select(['use_for_levels', 'author', 'created_at', 'changed_at', 'removed_at'])
    .execute();
}

function inOrder(records: Records, accountId: string, addresses?: readonly string[]) {
  return readerOf(records)
    .selectFrom('own_labels')
    .where('account_id', '=', accountId)
    .$if(addresses !== undefined, (all) => all.where('address', 'in', addresses!))
    .orderBy('created_at')
    .orderBy('id');
}
