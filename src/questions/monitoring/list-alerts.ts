import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { stateOf } from '../../domain/alert.ts';
import { pageWithin } from '../../domain/first-within.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { recipientState } from '../../records/accounts/mail-recipients.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction } from '../../records/database/database.ts';
import type { AlertEventRow, AlertRow, AlertViewRow } from '../../records/database/tables/alerts.ts';
import { listAlertMails, saveAlertMails } from '../../records/monitoring/alert-mails.ts';
import {
  deleteView,
  findTurns,
  findView,
  listViews,
  saveTurns,
  saveView,
} from '../../records/monitoring/alert-views.ts';
import {
  type AlertFilter,
  type AlertPlace,
  findAlert,
  listAlertEvents,
  listAlertRows,
} from '../../records/monitoring/alerts.ts';
import { askForConsent } from '../account/mail-recipients.ts';

/** Events of one alert that an answer shows. */
const EVENTS_SHOWN = 200;

/** A page of the queue, newest first; a view gives the filter that the query does not name. Throws InvalidInputError, NotFoundError. */
export async function listQueue(
  { records, now }: Context,
  { accountId }: Tenant,
  { view, cursor, limit, ...given }: AlertFilter & { view?: string; cursor?: string; limit: number },
) {
  const saved =
    view === undefined ? {} : (JSON.parse((await findView(records, accountId, view)).filter) as AlertFilter);
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const after = cursor === undefined ? null : placeOf(cursor);
  const at = now();
  const { rows, total } = await listAlertRows(records, accountId, { ...saved, ...named }, { limit, after, now: at });
  const { page } = pageWithin(
    rows.map((row) => alertRecord(row, at)),
    { offset: 0, total: rows.length },
  );
  const last = rows[page.length - 1];
  const hasMore = last !== undefined && (page.length < rows.length || rows.length === limit);
  return {
    alerts: page,
    total,
    limit,
    next_cursor: hasMore ? cursorOf({ raisedAt: last.raised_at, id: last.id }) : null,
  };
}

/** One alert with its newest events. Throws NotFoundError. */
export async function getAlert({ records, now }: Context, { accountId }: Tenant, id: string) {
  const row = await findAlert(records, accountId, id);
  const events = await listAlertEvents(records, id, EVENTS_SHOWN);
  const { page } = pageWithin(events.map(alertEventRecord).reverse(), { offset: 0, total: events.length });
  return { alert: alertRecord(row, now()), events: page.reverse() };
}

export async function listAlertViews({ records }: Context, { accountId }: Tenant) {
  return { views: (await listViews(records, accountId)).map(viewRecord) };
}

/** Throws LimitError. */
export function saveAlertView(
  { records, now }: Context,
  tenant: Tenant,
  { name, filter }: { name: string; filter: AlertFilter },
) {
  const { accountId } = tenant;
  const at = now();
  const view = { id: randomUUID(), account_id: accountId, name, filter: JSON.stringify(filter), created_at: at };
  return inTransaction(records, async (transaction) => {
    const saved = viewRecord(await saveView(transaction, view));
    await insertAudit(transaction, { ...tenant, action: 'view_saved', subject: saved.id, detail: name }, at);
    return saved;
  });
}

/** Throws NotFoundError. */
export async function deleteAlertView({ records, now }: Context, tenant: Tenant, id: string) {
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, tenant.accountId);
    const { name } = await findView(transaction, tenant.accountId, id);
    await deleteView(transaction, tenant.accountId, id);
    await insertAudit(transaction, { ...tenant, action: 'view_deleted', subject: id, detail: name }, now());
  });
  return { deleted: true as const, id };
}

export async function getTurns({ records }: Context, { accountId }: Tenant) {
  const turns = await findTurns(records, accountId);
  const assignees = turns ? (JSON.parse(turns.assignees) as string[]) : [];
  return { assignees, in_turns: turns?.in_turns === 1 };
}

/** Decides who takes new alerts in turns. */
export async function setTurns(
  ctx: Context,
  tenant: Tenant,
  { assignees, in_turns }: { assignees: readonly string[]; in_turns: boolean },
) {
  const named = [...new Set(assignees)];
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    await saveTurns(records, tenant.accountId, { assignees: named, inTurns: in_turns });
    const detail = `in_turns: ${in_turns}; assignees: ${named.join(', ')}`;
    await insertAudit(records, { ...tenant, action: 'turns_changed', subject: 'alerts', detail }, ctx.now());
  });
  return getTurns(ctx, tenant);
}

/** The recipients of mails about alerts, and whether each gets them. */
export async function getAlertMails(ctx: Context, { accountId }: Tenant) {
  const recipients = [];
  for (const { address, rhythm } of await listAlertMails(ctx.records, accountId)) {
    const state = await recipientState(ctx.records, { accountId, address });
    const getsMails = ctx.mail !== null && state === 'confirmed';
    const blocked = ctx.mail === null ? ('not_configured' as const) : ('not_confirmed' as const);
    recipients.push({ address, rhythm, state: getsMails ? ('active' as const) : blocked });
  }
  return { recipients };
}

/** Replaces the recipients of mails about alerts. Those that never answered are asked for consent. */
export async function setAlertMails(
  ctx: Context,
  tenant: Tenant,
  { recipients }: { recipients: readonly { address: string; rhythm: 'at_once' | 'daily' }[] },
) {
  const { accountId } = tenant;
  const each = [...new Map(recipients.map((one) => [one.address, one])).values()];
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, accountId);
    await saveAlertMails(records, accountId, each, ctx.now());
    const entry = { action: 'settings_changed', subject: 'alert mails', detail: `${each.length} recipients` } as const;
    await insertAudit(records, { ...tenant, ...entry }, ctx.now());
  });
  for (const { address } of each) {
    if ((await recipientState(ctx.records, { accountId, address })) !== 'confirmed') {
      await askForConsent(ctx, { accountId, address });
    }
  }
  return getAlertMails(ctx, tenant);
}

function viewRecord({ id, name, filter, created_at }: AlertViewRow) {
  return { id, name, filter: JSON.parse(filter) as Record<string, unknown>, created_at: iso(created_at) };
}

function cursorOf({ raisedAt, id }: AlertPlace): string {
  return Buffer.from(`${raisedAt}.${id}`).toString('base64url');
}

function placeOf(cursor: string): AlertPlace {
  const [, at, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at === undefined || id === undefined) throw new InvalidInputError('Invalid cursor');
  return { raisedAt: Number(at), id };
}

/** An alert as answers show it. */
export function alertRecord(row: AlertRow, now: number) {
  const { raised_at, last_raised_at, due_at, muted_until, closed_at } = row;
  const state = stateOf(row, now);
  return {
    id: row.id,
    state,
    severity: row.severity,
    title: row.title,
    rule: row.rule,
    rule_id: row.rule_id,
    rule_version: row.rule_version,
    test: row.is_test === 1,
    chain: row.chain,
    address: row.address,
    party: row.party,
    count: row.count,
    raised_at: iso(raised_at),
    last_raised_at: iso(last_raised_at),
    due_at: iso(due_at),
    overdue: state !== 'closed' && due_at <= now,
    assignee: row.assignee,
    case_id: row.case_id,
    muted_until: isoOrNull(muted_until),
    closed_at: isoOrNull(closed_at),
    disposition: row.disposition,
    seq: row.seq,
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}

function alertEventRecord({ seq, kind, at, actor, reference, data }: AlertEventRow) {
  return { seq, kind, at: iso(at), actor, reference, data: JSON.parse(data) as Record<string, unknown> };
}
