import { randomUUID } from 'node:crypto';
import type { Language } from '../../../../words/language.ts';
import type { Context } from '../../../context.ts';
import { APPROVED_ACTIONS, type ApprovedAction } from '../../../domain/account/approvals.ts';
import { lacksRight, rightsOf } from '../../../domain/account/rights.ts';
import { iso, isoOrNull } from '../../../domain/time.ts';
import { ConflictError, ForbiddenError } from '../../../errors.ts';
import { lockAccount } from '../../../records/accounts/accounts.ts';
import { answerWithin } from '../../../records/accounts/idempotency-keys.ts';
import { findPersonRow, personBehind, rolesOf } from '../../../records/accounts/people.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import * as approvals from '../../../records/cases/approvals.ts';
import { lockCase } from '../../../records/cases/cases.ts';
import { inTransaction } from '../../../records/database/database.ts';
import type { StoredJob } from '../../../records/database/tables/jobs.ts';
import type { ApprovalRow } from '../../../records/database/tables/people.ts';
import { setDisposition } from '../dispositions.ts';
import { updateCase } from '../manage-cases.ts';
import { queuePackage } from './start-package.ts';

/** The action that is asked for, with all that doing it needs. */
type ApprovalRequest =
  | { action: 'package'; language: Language; from: number | null; to: number | null; proofs: boolean }
  | { action: 'close'; status: 'closed' | 'archived' }
  | { action: 'dismiss_critical'; address_id: string; detector_id: string; disposition: 'dismissed'; reason: string };

export type ApprovalSettings = Record<ApprovedAction, boolean>;

export async function getApprovalSettings(ctx: Context, accountId: string): Promise<ApprovalSettings> {
  const on = await approvals.readApprovals(ctx.records, accountId);
  return Object.fromEntries(APPROVED_ACTIONS.map((action) => [action, on.includes(action)])) as ApprovalSettings;
}

/** Sets what is given and keeps the rest. */
export async function putApprovalSettings(
  ctx: Context,
  tenant: Tenant,
  change: Partial<ApprovalSettings>,
): Promise<ApprovalSettings> {
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const before = await approvals.readApprovals(records, tenant.accountId);
    const after = APPROVED_ACTIONS.filter((action) => change[action] ?? before.includes(action));
    await approvals.saveApprovals(records, tenant.accountId, after);
    const entry = { action: 'settings_changed', subject: 'approvals', detail: after.join(', ') } as const;
    await insertAudit(records, { ...tenant, ...entry }, ctx.now());
  });
  return getApprovalSettings(ctx, tenant.accountId);
}

/** Asks for an action that another person is to approve. Throws NotFoundError, ConflictError, ForbiddenError. */
export async function askApproval(ctx: Context, tenant: Tenant, caseId: string, request: ApprovalRequest) {
  const now = ctx.now();
  const { accountId } = tenant;
  return answerWithin(ctx.records, tenant, async (records) => {
    await lockCase(records, accountId, caseId, now);
    const asker = await personBehind(records, tenant.keyId);
    if (!asker) throw new ForbiddenError('Approval is asked for by a person, or with a key that a person made');
    const subject = request.action === 'dismiss_critical' ? `${request.address_id} ${request.detector_id}` : '';
    const row: ApprovalRow = {
      ...{ id: randomUUID(), account_id: accountId, case_id: caseId, action: request.action, subject },
      ...{ request: JSON.stringify(request), state: 'open', asked_by: asker, asked_at: now },
      ...{ decided_by: null, decided_at: null, reason: '' },
    };
    if (!(await approvals.insertApproval(records, row))) throw new ConflictError('Approval is already asked for');
    const entry = { action: 'approval_asked', subject: row.id, detail: request.action } as const;
    await insertAudit(records, { ...tenant, caseId, ...entry }, now);
    return approvalEntry(await approvals.findApproval(records, accountId, row.id));
  });
}

/** Reads a page of approvals, newest first. */
export async function listApprovals(ctx: Context, accountId: string, page: approvals.ApprovalPage) {
  const rows = await approvals.pageApprovals(ctx.records, accountId, page);
  return { approvals: rows.map(approvalEntry), limit: page.limit, offset: page.offset };
}

/**
 * Approves, which does what was asked for in the name of the asker, or rejects. Of two at once one wins. Throws
 * NotFoundError, ConflictError, ForbiddenError for the asker, or what the action throws; then it stays open.
 */
export async function decideApproval(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { decision, reason }: { decision: 'approved' | 'rejected'; reason: string },
) {
  const now = ctx.now();
  const { accountId, keyId } = tenant;
  const { entry, job } = await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, accountId);
    const found = await approvals.findApproval(records, accountId, id);
    if (found.state !== 'open') throw new ConflictError(`Already ${found.state} by ${found.decider}`);
    if (found.asked_by === keyId) throw new ForbiddenError('Another person than the one who asked decides');
    await approvals.decideRow(records, id, { state: decision, decided_by: keyId, decided_at: now, reason });
    const done = { action: decision === 'approved' ? 'approval_given' : 'approval_rejected', subject: id } as const;
    await insertAudit(records, { ...tenant, caseId: found.case_id, ...done, detail: found.action }, now);
    const decided = await approvals.findApproval(records, accountId, id);
    const begun = decision === 'approved' ? await act({ ...ctx, records }, tenant, decided) : undefined;
    return { entry: approvalEntry(decided), job: begun };
  });
  if (job) await ctx.jobs.offer(job);
  return { ...entry, generation_id: job?.id ?? null };
}

/**
 * Takes back what the caller, or the person behind their key, asked for; the log keeps it. Throws NotFoundError, ForbiddenError
 * for others, ConflictError once it is decided.
 */
export async function withdrawApproval(ctx: Context, tenant: Tenant, id: string): Promise<void> {
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const found = await approvals.findApproval(records, tenant.accountId, id);
    const asker = await personBehind(records, tenant.keyId);
    if (asker !== found.asked_by) throw new ForbiddenError('Only the person who asked withdraws it');
    if (found.state !== 'open') throw new ConflictError(`Already ${found.state} by ${found.decider}`);
    await records.deleteFrom('approvals').where('id', '=', id).where('state', '=', 'open').execute();
    const entry = { action: 'approval_withdrawn', subject: id, detail: found.action } as const;
    await insertAudit(records, { ...tenant, caseId: found.case_id, ...entry }, ctx.now());
  });
}

/** Does what was approved, as the person who asked. Returns the job of a package. */
async function act(
  ctx: Context,
  { accountId, planId, plan }: Tenant,
  { case_id: caseId, request, asked_by: keyId, decider }: approvals.NamedApproval,
): Promise<StoredJob | undefined> {
  const asker = await findPersonRow(ctx.records, keyId);
  if (asker?.state !== 'active') throw new ConflictError('The person who asked is not a member any more');
  if (!rightsOf(rolesOf(asker)).includes('cases'))
    throw new ConflictError(lacksRight('cases', 'The person who asked lacks'));
  const as: Tenant = { accountId, keyId, planId, plan };
  const given = JSON.parse(request) as ApprovalRequest;
  if (given.action === 'package') {
    const { action: _, ...wanted } = given;
    return queuePackage(ctx, as, caseId, { ...wanted, approvedBy: decider! });
  }
  if (given.action === 'close') await updateCase(ctx, as, caseId, { status: given.status }, { isApproved: true });
  else await setDisposition(ctx, as, caseId, given, { isApproved: true });
  return undefined;
}

function approvalEntry({
  id,
  case_id,
  request,
  state,
  asker,
  asked_at,
  decider,
  decided_at,
  reason,
}: approvals.NamedApproval) {
  const given = JSON.parse(request) as ApprovalRequest;
  return {
    ...{ id, case_id, action: given.action, request: given, state, asked_by: asker, asked_at: iso(asked_at) },
    ...{ decided_by: decider, decided_at: isoOrNull(decided_at), reason },
  };
}
