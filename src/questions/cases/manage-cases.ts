import { randomUUID } from 'node:crypto';
import type { Context, RecordsContext } from '../../context.ts';
import { lacksRight } from '../../domain/account/rights.ts';
import { CASE_PRIORITIES, CASE_STATUSES, type CasePriority, type CaseStatus } from '../../domain/case.ts';
import { pageWithin } from '../../domain/first-within.ts';
import { ForbiddenError, InvalidInputError } from '../../errors.ts';
import { lockAccount, withinStorage } from '../../records/accounts/accounts.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { changesOf, insertAudit } from '../../records/audit/audit-log.ts';
import { requireNoApproval } from '../../records/cases/approvals.ts';
import * as cases from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import type { CaseChange } from '../../records/database/tables/cases.ts';
import { listCaseJobs } from '../../records/jobs/jobs.ts';
import { releaseUnits } from '../jobs/job-units.ts';
import { type CaseRecord, caseRecord } from './case-records.ts';

/** Fields of a case that a client sets; `status` and `priority` are checked here, by the texts of the contract. */
export interface CaseFields {
  title?: string;
  description?: string | null;
  status?: string;
  priority?: string;
  assignee?: string | null;
}

export interface CaseUpdateFields extends CaseFields {
  legal_hold?: boolean;
}

/** One page of the account's cases, newest first; it ends at 1 MiB. */
export async function listCases(
  ctx: Context,
  tenant: Tenant,
  query: { status?: CaseStatus; limit: number; offset: number },
) {
  const found = await cases.listCaseRows(ctx.records, tenant.accountId, query);
  const { limit, offset } = query;
  const { page, next } = pageWithin(found.cases.map(caseRecord), { offset, total: found.total });
  return { cases: page, count: page.length, total: found.total, limit, offset, next };
}

/** Throws InvalidInputError for a priority or status that does not exist, or LimitError. */
export async function createCase(ctx: RecordsContext, tenant: Tenant, fields: CaseFields & { title: string }) {
  const now = ctx.now();
  const row = {
    id: randomUUID(),
    account_id: tenant.accountId,
    title: fields.title,
    description: fields.description ?? '',
    status: parseStatus(fields.status ?? 'open'),
    priority: parsePriority(fields.priority ?? 'medium'),
    assignee: fields.assignee ?? null,
    created_at: now,
    updated_at: now,
    legal_hold: 0,
  };
  await withinStorage(ctx.records, tenant.accountId, async (records) => {
    await cases.insertCase(records, row);
    await insertAudit(records, { ...tenant, caseId: row.id, action: 'case_created', subject: row.title }, now);
  });
  return caseRecord({ ...row, address_count: 0 });
}

/**
 * Changes what is given; changes of status and hold are written into the timeline. Throws NotFoundError, then
 * InvalidInputError for nothing to change, or for a status or priority that does not exist, ForbiddenError for the end of a
 * hold, or LimitError for a full timeline.
 */
export async function updateCase(
  ctx: RecordsContext,
  tenant: Tenant,
  id: string,
  fields: CaseUpdateFields,
  { isApproved = false, mayEndHold = false } = {},
): Promise<CaseRecord> {
  const now = ctx.now();
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    const before = await cases.lockCase(records, tenant.accountId, id, now);
    const change: CaseChange = {
      ...(fields.title === undefined ? {} : { title: fields.title }),
      ...(fields.description === undefined ? {} : { description: fields.description ?? '' }),
      ...(fields.assignee === undefined ? {} : { assignee: fields.assignee }),
      ...(fields.status === undefined ? {} : { status: parseStatus(fields.status) }),
      ...(fields.priority === undefined ? {} : { priority: parsePriority(fields.priority) }),
      ...(fields.legal_hold === undefined ? {} : { legal_hold: Number(fields.legal_hold) }),
    };
    if (Object.keys(change).length === 0) throw new InvalidInputError('No fields to update');
    const ends = isEnd(change.status) && !isEnd(before.status);
    if (ends && !isApproved) await requireNoApproval(records, tenant.accountId, 'close');
    const isHoldMoved = change.legal_hold !== undefined && change.legal_hold !== before.legal_hold;
    if (isHoldMoved && !fields.legal_hold && !mayEndHold)
      throw new ForbiddenError(lacksRight('admin', 'A legal hold is ended with'));
    await cases.updateCaseRow(records, id, change);
    const { keyId } = tenant;
    if (change.status && change.status !== before.status) {
      const event = { kind: 'status_changed', from: before.status, to: change.status } as const;
      await insertEventNote(records, { caseId: id, event, keyId, now });
    }
    if (isHoldMoved) {
      const by = await authorName(records, keyId);
      const event = { kind: fields.legal_hold ? 'hold_set' : 'hold_ended', by } as const;
      await insertEventNote(records, { caseId: id, event, keyId, now });
    }
    const detail = changesOf(change, ['status', 'priority', 'assignee', 'legal_hold']);
    await insertAudit(records, { ...tenant, caseId: id, action: 'case_updated', subject: id, detail }, now);
    return caseRecord(await cases.findCase(records, tenant.accountId, id));
  });
}

/** Deletes the case with everything in it, its jobs too; the audit log keeps that it was there. Throws NotFoundError, HeldError. */
export async function deleteCase(ctx: Context, tenant: Tenant, id: string): Promise<void> {
  await ctx.records.transaction().execute(async (records) => {
    await lockAccount(records, tenant.accountId);
    const found = await cases.findCase(records, tenant.accountId, id);
    cases.refuseOnHold(found);
    for (const job of await listCaseJobs(records, id)) await releaseUnits(records, job);
    await cases.deleteCaseRow(records, tenant.accountId, id);
    await insertAudit(records, { ...tenant, caseId: id, action: 'case_deleted', subject: found.title }, ctx.now());
  });
}

function isEnd(status: CaseStatus | undefined): boolean {
  return status === 'closed' || status === 'archived';
}

function parseStatus(value: string): CaseStatus {
  const status = CASE_STATUSES.find((known) => known === value);
  if (!status) throw new InvalidInputError(`Invalid status: ${value}`);
  return status;
}

function parsePriority(value: string): CasePriority {
  const priority = CASE_PRIORITIES.find((known) => known === value);
  if (!priority) throw new InvalidInputError(`Invalid priority: ${value}`);
  return priority;
}
