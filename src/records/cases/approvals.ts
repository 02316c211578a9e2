import type { ApprovalState, ApprovedAction } from '../../domain/account/approvals.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Records } from '../database/database.ts';
import type { ApprovalRow } from '../database/tables/people.ts';

/** An approval with the names of those who asked and decided. */
export interface NamedApproval extends ApprovalRow {
  asker: string;
  decider: string | null;
}

/** Actions of an account that need a second person. */
export async function readApprovals(records: Records, accountId: string): Promise<ApprovedAction[]> {
  const row = await records.selectFrom('accounts').select('approvals').where('id', '=', accountId).executeTakeFirst();
  return (row?.approvals ?? '').split(' ').filter(Boolean) as ApprovedAction[];
}

/** Throws ConflictError where the account wants a second person for the action. */
export async function requireNoApproval(records: Records, accountId: string, action: ApprovedAction): Promise<void> {
  if (!(await readApprovals(records, accountId)).includes(action)) return;
  throw new ConflictError(`Another person must approve this: POST /cases/{case_id}/approvals asks for it (${action})`);
}

export async function saveApprovals(records: Records, accountId: string, actions: readonly ApprovedAction[]) {
  await records
    .updateTable('accounts')
    .set({ approvals: actions.join(' ') })
    .where('id', '=', accountId)
    .execute();
}

/** Returns false where the same is asked for already. */
export async function insertApproval(transaction: Records, row: ApprovalRow): Promise<boolean> {
  const inserted = await transaction
    .insertInto('approvals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(inserted.numInsertedOrUpdatedRows) > 0;
}

export interface ApprovalPage {
  caseId?: string;
  id?: string;
  state?: ApprovalState;
  limit: number;
  offset: number;
}

/** Reads a page of the approvals of an account, newest first. */
export function pageApprovals(
  records: Records,
  accountId: string,
  { caseId, id, state, limit, offset }: ApprovalPage,
): Promise<NamedApproval[]> {
  return records
    .selectFrom('approvals')
    .innerJoin('people as asker', 'asker.id', 'approvals.asked_by')
    .leftJoin('people as decider', 'decider.id', 'approvals.decided_by')
    .selectAll('approvals')
    .select(['asker.name as asker', 'decider.name as decider'])
    .where('approvals.account_id', '=', accountId)
    .$if(caseId !== undefined, (query) => query.where('case_id', '=', caseId!))
    .$if(id !== undefined, (query) => query.where('approvals.id', '=', id!))
    .$if(state !== undefined, (query) => query.where('approvals.state', '=', state!))
    .orderBy('asked_at', 'desc')
    .orderBy('approvals.id')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Throws NotFoundError. */
export async function findApproval(records: Records, accountId: string, id: string): Promise<NamedApproval> {
  const [found] = await pageApprovals(records, accountId, { id, limit: 1, offset: 0 });
  if (!found) throw new NotFoundError();
  return found;
}

export interface Decision {
  state: 'approved' | 'rejected';
  decided_by: string;
  decided_at: number;
  reason: string;
}

/** Returns false where it was decided before. */
export async function decideRow(transaction: Records, id: string, decision: Decision): Promise<boolean> {
  const decided = await transaction
    .updateTable('approvals')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return Number(decided.numUpdatedRows) > 0;
}
