import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Right } from '../../domain/account/rights.ts';
import { type Chain, isChain, type LabelChain } from '../../domain/chain.ts';
import { type Category, isAdverseCategory } from '../../domain/label.ts';
import { isBlameless } from '../../domain/null-addresses.ts';
import { foldForSearch, searchWords } from '../../domain/text/search-words.ts';
import { InvalidInputError } from '../../errors.ts';
import { tagOf, tagpackHead } from '../../exports/tagpack.ts';
import { noteLabelChange } from '../../labels/label-changes.ts';
import { chainsOf } from '../../labels/label-store.ts';
import { claimedLabel, ownLabel } from '../../labels/own-labels.ts';
import { isShared } from '../../labels/signed-labels.ts';
import { findAccount, lockAccount } from '../../records/accounts/accounts.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import { refuseRights } from '../../records/accounts/keys.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { findCase, refuseOnHold } from '../../records/cases/cases.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { OwnLabelRow } from '../../records/database/tables/lists.ts';
import {
  allOwnLabels,
  findOwnLabel,
  insertOwnLabel,
  type OwnLabelFilter,
  pageOwnLabels,
  removeOwnLabel,
} from '../../records/lists/own-labels.ts';
import { hastenItems } from '../../records/monitoring/watch-queue.ts';
import { findItemOf } from '../../records/monitoring/watchlist.ts';

/** A label as its client gives it, with a canonical address. */
export interface GivenLabel {
  chain: LabelChain;
  address: string;
  label: string;
  category: Category;
  confidence: number;
  reason: string;
  valid_from: number | null;
  valid_to: number | null;
  case_id: string | null;
  use_for_levels: boolean;
}

type Labeller = Tenant & { rights: readonly Right[] };

/**
 * Gives an address a label that only the account sees. Throws ForbiddenError where levels are to rest on it and the caller may
 * not change settings, ConflictError for one that is there, NotFoundError for an unknown case, InvalidInputError, LimitError.
 */
export async function addOwnLabel(ctx: Context, tenant: Labeller, given: GivenLabel) {
  const { address, category, valid_from, valid_to, use_for_levels: isForLevels } = given;
  if (isAdverseCategory(category) && isBlameless(address))
    throw new InvalidInputError(`Nobody holds ${address}: it is not ${category}`);
  if (valid_from !== null && valid_to !== null && valid_to <= valid_from)
    throw new InvalidInputError('valid_to must lie after valid_from');
  if (isForLevels) refuseRights(tenant.rights, ['admin']);
  if (isForLevels && !isShared(category))
    throw new InvalidInputError('Levels rest on no self and no whitelist: trust an address by PUT /risk-settings');
  const { accountId, keyId } = tenant;
  const now = ctx.now();
  return answerWithin(ctx.records, tenant, async (records) => {
    if (given.case_id !== null) await findCase(records, accountId, given.case_id);
    const row: OwnLabelRow = {
      ...given,
      id: randomUUID(),
      account_id: accountId,
      use_for_levels: isForLevels ? 1 : 0,
      author: await authorName(records, keyId),
      created_at: now,
      changed_at: now,
      removed_at: null,
    };
    await insertOwnLabel(records, row);
    const entry = {
      action: 'label_added',
      subject: row.id,
      detail: `${row.category} ${row.chain} ${row.address}`,
    } as const;
    await insertAudit(records, { ...tenant, ...entry, ...(row.case_id && { caseId: row.case_id }) }, now);
    await noteForLevels(records, row, now);
    return { label: ownLabelRecord(row) };
  });
}

/** Throws NotFoundError, HeldError, or ForbiddenError where levels rest on it and the caller may not change settings. */
export async function deleteOwnLabel(ctx: Context, tenant: Labeller, id: string): Promise<void> {
  const now = ctx.now();
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const row = await findOwnLabel(records, tenant.accountId, id);
    if (row.use_for_levels === 1) refuseRights(tenant.rights, ['admin']);
    if (row.case_id !== null) refuseOnHold(await findCase(records, tenant.accountId, row.case_id));
    await removeOwnLabel(records, tenant.accountId, id, now);
    const detail = `${row.category} ${row.chain} ${row.address}`;
    await insertAudit(records, { ...tenant, action: 'label_removed', subject: id, detail }, now);
    await noteForLevels(records, row, now);
  });
}

export async function listOwnLabels(
  { records }: Context,
  accountId: string,
  filter: OwnLabelFilter,
  page: { limit: number; offset: number },
) {
  const { rows, total } = await pageOwnLabels(records, accountId, filter, page);
  return { labels: rows.map(ownLabelRecord), total, ...page };
}

/** The account's labels as one TagPack. */
export async function ownTagpack({ records }: Context, accountId: string): Promise<string> {
  const rows = (await allOwnLabels(records, accountId)).filter((row) => row.removed_at === null);
  const { name } = await findAccount(records, accountId);
  const head = tagpackHead(`Labels of ${name}`, { creator: name, about: 'Labels that the account wrote itself' });
  return head + (rows.length === 0 ? '  []\n' : rows.map((row) => tagOf(ownLabel(row))).join(''));
}

/** The account's labels whose name holds each word of a query, newest first; at most `limit`, as a search of lists shows them. */
export async function searchOwnLabels({ records }: Context, accountId: string, query: string, limit: number) {
  const words = searchWords(query);
  const rows = (await allOwnLabels(records, accountId)).toReversed();
  const isFound = ({ label, removed_at }: OwnLabelRow) =>
    removed_at === null && words.every((word) => foldForSearch(label).includes(word));
  return rows
    .filter(isFound)
    .slice(0, limit)
    .map((row) => {
      const { chain, address, label, category, entity, source } = ownLabel(row);
      return { address, chains: [...chainsOf(chain)], label, category, entity, source, own: claimedLabel(row) };
    });
}

function ownLabelRecord(row: OwnLabelRow) {
  return { ...claimedLabel(row), chain: row.chain as Chain | 'evm', address: row.address, case_id: row.case_id };
}

/** Ends verdicts that are kept, and has the address scanned again where the account watches it. */
async function noteForLevels(records: Records, row: OwnLabelRow, now: number): Promise<void> {
  if (row.use_for_levels === 0) return;
  for (const chain of chainsOf(row.chain).filter(isChain)) {
    const item = await findItemOf(records, row.account_id, { chain, address: row.address });
    if (item) await hastenItems(records, [item.id], now);
  }
  await noteLabelChange(records);
}
