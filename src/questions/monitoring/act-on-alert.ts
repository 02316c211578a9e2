import type { Context } from '../../context.ts';
import { type AlertAction, type AlertDisposition, stateOf } from '../../domain/alert.ts';
import { iso } from '../../domain/time.ts';
import { AppError, ConflictError, InvalidInputError, UnknownAccountError } from '../../errors.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { Records } from '../../records/database/database.ts';
import type { AlertRow } from '../../records/database/tables/alerts.ts';
import { addAlertEvent, findAlert, findOpenTwin } from '../../records/monitoring/alerts.ts';
import { addCaseAddress } from '../cases/case-addresses.ts';
import { addNote } from '../cases/case-notes.ts';
import { createCase } from '../cases/manage-cases.ts';
import { alertRecord } from './list-alerts.ts';

/** An event as its caller gives it. */
export interface GivenEvent {
  kind: AlertAction;
  /** The newest event that the caller knows. */
  seq?: number | null;
  /** Left out: the caller; null: back to the queue. */
  assignee?: string | null;
  comment?: string | null;
  case_id?: string | null;
  case_title?: string | null;
  disposition?: AlertDisposition | null;
  /** Epoch ms. */
  until?: number | null;
}

/**
 * Adds an event in the name of the caller. Where two act at once one wins, and the other gets a ConflictError with what the alert is
 * now; comments never conflict. Throws NotFoundError, InvalidInputError, ConflictError, LimitError.
 */
export async function actOnAlert(ctx: Context, tenant: Tenant, id: string, given: GivenEvent) {
  return answerWithin(ctx.records, tenant, async (records) => {
    const row = await findAlert(records, tenant.accountId, id);
    const actor = await authorName(records, tenant.keyId);
    const at = ctx.now();
    await refuseConflict(records, row, { ...given, actor }, at);
    const change = await changeOf({ ...ctx, records }, tenant, row, { ...given, actor }, at);
    const { kind, until, ...rest } = change;
    const data = {
      ...rest,
      ...(until === undefined ? {} : { until: iso(until) }),
      ...(given.comment ? { comment: given.comment } : {}),
    };
    // Who acts holds the account's lock: only what is raised meanwhile comes between, and is read again.
    if (!(await addAlertEvent(records, row, change, { at, actor, data }))) {
      throw new ConflictError('Alert was raised again meanwhile');
    }
    return { alert: alertRecord(await findAlert(records, tenant.accountId, id), at) };
  });
}

/** The same event on many alerts, each by itself. */
export async function actOnAlerts(ctx: Context, tenant: Tenant, ids: readonly string[], given: GivenEvent) {
  const results = [];
  for (const id of new Set(ids)) {
    try {
      results.push({ id, ...(await actOnAlert(ctx, tenant, id, given)), error: null });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500 || error instanceof UnknownAccountError) throw error;
      results.push({ id, alert: null, error: error.message });
    }
  }
  return { results };
}

type Acting = GivenEvent & { actor: string };

async function refuseConflict(records: Records, row: AlertRow, given: Acting, now: number): Promise<void> {
  const { kind, seq, actor } = given;
  if (kind === 'commented') return;
  const isClosed = stateOf(row, now) === 'closed';
  if (isClosed && kind !== 'reopened') throw new ConflictError('Alert is closed');
  if (!isClosed && kind === 'reopened') throw new ConflictError('Alert is not closed');
  if (kind === 'reopened' && (await findOpenTwin(records, row))) {
    throw new ConflictError('An alert of the same rule, address and party is open');
  }
  const isStale = seq !== undefined && seq !== null && seq !== row.seq;
  if (isStale && kind !== 'assigned') throw new ConflictError('Alert has changed: read it again');
  const assignee = given.assignee === undefined ? actor : given.assignee;
  const isOthers = row.assignee !== null && row.assignee !== assignee && row.assignee !== actor;
  if (kind === 'assigned' && isOthers && seq !== row.seq) {
    throw new ConflictError(`Alert is assigned to ${row.assignee}`);
  }
}

async function changeOf(ctx: Context, tenant: Tenant, row: AlertRow, given: Acting, now: number) {
  const { kind, assignee, comment, disposition, until, actor } = given;
  switch (kind) {
    case 'assigned':
      return { kind, assignee: assignee === undefined ? actor : assignee };
    case 'commented':
      if (!comment) throw new InvalidInputError('comment is required');
      return { kind };
    case 'closed':
      if (!disposition) throw new InvalidInputError('disposition is required');
      if (!comment) throw new InvalidInputError('comment is required: the reason');
      return { kind, disposition };
    case 'muted':
      if (!until || until <= now) throw new InvalidInputError('until must be in the future');
      return { kind, until };
    case 'escalated':
      return { kind, case_id: await caseFor(ctx, tenant, row, given) };
    case 'reopened':
      return { kind };
  }
}

/** The named case, with a note of the alert; or a new one with its address. */
async function caseFor(ctx: Context, tenant: Tenant, row: AlertRow, { case_id, case_title, comment }: Acting) {
  const content = [`Alert: ${row.title}`, comment].filter(Boolean).join('\n');
  if (case_id) {
    await addNote(ctx, tenant, case_id, { content, note_type: 'finding' });
    return case_id;
  }
  const priority = row.severity;
  const { id } = await createCase(ctx, tenant, { title: case_title ?? row.title.slice(0, 200), priority });
  if (row.address && row.chain) {
    await addCaseAddress(ctx, tenant, id, { address: row.address, chain: row.chain, role: 'subject' });
  }
  await addNote(ctx, tenant, id, { content, note_type: 'finding' });
  return id;
}
