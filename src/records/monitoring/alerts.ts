import { hash, randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import {
  ALERT_SEVERITIES,
  type AlertChange,
  type AlertHead,
  type AlertSeverity,
  type AlertState,
  afterEvent,
  DUE_MS,
} from '../../domain/alert.ts';
import type { Chain } from '../../domain/chain.ts';
import { NotFoundError } from '../../errors.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { chunksOf, type Records, readerOf } from '../database/database.ts';
import type { AlertEventRow, AlertRow } from '../database/tables/alerts.ts';
import type { Tables } from '../database/tables/tables.ts';

/** Events of one alert that are kept when it is raised again and again; the others are counted. */
const RAISED_KEPT = 1_000;

export interface NewAlert {
  accountId: string;
  rule: string;
  ruleId?: string;
  ruleVersion?: number;
  isTest?: boolean;
  severity: AlertSeverity;
  title: string;
  chain: Chain | null;
  address: string | null;
  party: string | null;
  reference: string | null;
  /** The event of webhooks that says the same; null for none. */
  eventId: string | null;
  data: object;
  at: number;
}

/** Raises an alert, or joins the open one of the same rule, address and party. Returns whether it is a new one, and its id. */
export async function raiseAlert(records: Records, alert: NewAlert): Promise<{ id: string; isNew: boolean }> {
  const { accountId, rule, ruleId = null, isTest = false, severity, chain, address, party, at } = alert;
  // Whatever changes an account locks the account first.
  await lockAccount(records, accountId);
  const rank = ALERT_SEVERITIES.indexOf(severity);
  const data = JSON.stringify(alert.data);
  const same = [rule, ruleId, isTest, chain, address, party];
  const row = await records
    .insertInto('alerts')
    .values({
      ...{ id: randomUUID(), account_id: accountId, join_key: hash('sha256', JSON.stringify(same)), rule, chain },
      ...{ rule_id: ruleId, rule_version: alert.ruleVersion ?? null, is_test: Number(isTest), severity, rank },
      ...{ title: alert.title, address, party, raised_at: at, last_raised_at: at, count: 1, data, seq: 1 },
      ...{ due_at: at + DUE_MS[severity], assignee: null, case_id: null, muted_until: null, closed_at: null },
      disposition: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'join_key'])
        .where('closed_at', 'is', null)
        .doUpdateSet({
          ...{ last_raised_at: at, data, rule_version: alert.ruleVersion ?? null, title: alert.title },
          count: sql<number>`alerts.count + 1`,
          seq: sql<number>`alerts.seq + case when alerts.count < ${sql.lit(RAISED_KEPT)} then 1 else 0 end`,
          severity: sql<AlertSeverity>`case when alerts.rank < ${rank} then ${severity} else alerts.severity end`,
          due_at: sql<number>`case when alerts.rank < ${rank} and alerts.due_at > ${at + DUE_MS[severity]}
            then cast(${at + DUE_MS[severity]} as bigint) else alerts.due_at end`,
          rank: sql<number>`case when alerts.rank < ${rank} then ${sql.lit(rank)} else alerts.rank end`,
        }),
    )
    .returning(['id', 'seq', 'count'])
    .executeTakeFirstOrThrow();
  if (row.count <= RAISED_KEPT) {
    const { eventId: event_id, reference } = alert;
    await insertEvent(records, {
      alert_id: row.id,
      seq: row.seq,
      kind: 'raised',
      at,
      actor: null,
      reference,
      event_id,
      data,
    });
  }
  const isNew = row.count === 1 && row.seq === 1;
  if (isNew) await assignNext(records, accountId, row.id, at);
  return { id: row.id, isNew };
}

/** Assigns a new alert to the one whose turn it is, where the account has turns. */
async function assignNext(records: Records, accountId: string, id: string, at: number): Promise<void> {
  const assignee = await takeTurnOf(records, accountId);
  if (assignee === null) return;
  const row = await findAlert(records, accountId, id);
  await addAlertEvent(records, row, { kind: 'assigned', assignee }, { at, actor: null, data: { assignee } });
}

/** The name whose turn it is; null where the account has no turns. */
async function takeTurnOf(records: Records, accountId: string): Promise<string | null> {
  const turns = await records
    .updateTable('alert_turns')
    .set((e) => ({ next: e('next', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('in_turns', '=', 1)
    .returningAll()
    .executeTakeFirst();
  const names = turns ? (JSON.parse(turns.assignees) as string[]) : [];
  return names.length > 0 ? names[(turns!.next - 1) % names.length]! : null;
}

async function insertEvent(records: Records, event: AlertEventRow): Promise<void> {
  await records.insertInto('alert_events').values(event).execute();
}

/** Adds an event behind the one that `row` knows; false where another came first. */
export async function addAlertEvent(
  records: Records,
  row: AlertRow,
  change: AlertChange,
  { at, actor, data }: { at: number; actor: string | null; data: object },
): Promise<boolean> {
  const head: AlertHead = row;
  const { assignee, case_id, muted_until, closed_at, disposition } = afterEvent(head, change, at);
  const { numUpdatedRows } = await records
    .updateTable('alerts')
    .set({ assignee, case_id, muted_until, closed_at, disposition, seq: row.seq + 1 })
    .$if(change.kind === 'reopened', (alerts) => alerts.set({ due_at: at + DUE_MS[row.severity] }))
    .where('id', '=', row.id)
    .where('seq', '=', row.seq)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const event = { alert_id: row.id, seq: row.seq + 1, kind: change.kind, at, actor, reference: null, event_id: null };
  await insertEvent(records, { ...event, data: JSON.stringify(data) });
  return true;
}

/** Open alerts that a person or key of this name has. */
export function listAssigned(records: Records, accountId: string, assignee: string): Promise<AlertRow[]> {
  const open = records.selectFrom('alerts').selectAll().where('account_id', '=', accountId);
  return open.where('assignee', '=', assignee).where('closed_at', 'is', null).execute();
}

/** Throws NotFoundError. */
export async function findAlert(records: Records, accountId: string, id: string): Promise<AlertRow> {
  return records
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** The open alert of the same rule, address and party. */
export function findOpenTwin(records: Records, { account_id, join_key }: AlertRow): Promise<AlertRow | undefined> {
  const rows = records.selectFrom('alerts').selectAll().where('account_id', '=', account_id);
  return rows.where('join_key', '=', join_key).where('closed_at', 'is', null).executeTakeFirst();
}

/** The newest events of an alert, in their order. */
export async function listAlertEvents(records: Records, alertId: string, limit: number): Promise<AlertEventRow[]> {
  const events = records.selectFrom('alert_events').selectAll().where('alert_id', '=', alertId);
  return (await events.orderBy('seq', 'desc').limit(limit).execute()).reverse();
}

/** Which alerts to list; each part narrows. */
export interface AlertFilter {
  state?: AlertState;
  severity?: AlertSeverity;
  /** Empty: those without one. */
  assignee?: string;
  rule?: string;
  rule_id?: string;
  chain?: Chain;
  address?: string;
  reference?: string;
  overdue?: boolean;
  /** Left out: only those that are not of a rule that is tried. */
  test?: boolean;
}

/** A place in the list: the alerts behind it are older. */
export interface AlertPlace {
  raisedAt: number;
  id: string;
}

/** The account's alerts that match, newest first, behind a place; and how many match. */
export async function listAlertRows(
  records: Records,
  accountId: string,
  filter: AlertFilter,
  { limit, after, now }: { limit: number; after: AlertPlace | null; now: number },
): Promise<{ rows: AlertRow[]; total: number }> {
  const mine = matching(readerOf(records), accountId, filter, now);
  const { total } = await mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await mine
    .selectAll()
    .$if(after !== null, (alerts) =>
      alerts.where((e) =>
        e.or([
          e('raised_at', '<', after!.raisedAt),
          e.and([e('raised_at', '=', after!.raisedAt), e('id', '<', after!.id)]),
        ]),
      ),
    )
    .orderBy('raised_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return { rows, total: Number(total) };
}

function matching(records: Records, accountId: string, filter: AlertFilter, now: number) {
  const { state, severity, assignee, rule, rule_id, chain, address, reference, overdue, test = false } = filter;
  return records
    .selectFrom('alerts')
    .where('account_id', '=', accountId)
    .where('is_test', '=', Number(test))
    .$if(state !== undefined, (alerts) => alerts.where((e) => isIn(e, state!, now)))
    .$if(severity !== undefined, (alerts) => alerts.where('severity', '=', severity!))
    .$if(assignee === '', (alerts) => alerts.where('assignee', 'is', null))
    .$if(!!assignee, (alerts) => alerts.where('assignee', '=', assignee!))
    .$if(rule !== undefined, (alerts) => alerts.where('rule', '=', rule!))
    .$if(rule_id !== undefined, (alerts) => alerts.where('rule_id', '=', rule_id!))
    .$if(chain !== undefined, (alerts) => alerts.where('chain', '=', chain!))
    .$if(address !== undefined, (alerts) => alerts.where('address', '=', address!))
    .$if(overdue === true, (alerts) => alerts.where('closed_at', 'is', null).where('due_at', '<=', now))
    .$if(reference !== undefined, (alerts) =>
      alerts.where('id', 'in', (e) =>
        e.selectFrom('alert_events').select('alert_id').where('alert_events.reference', '=', reference!),
      ),
    );
}

/** `stateOf` in the words of the store. */
function isIn(e: ExpressionBuilder<Tables, 'alerts'>, state: AlertState, now: number) {
  const isOpen = e('closed_at', 'is', null);
  const isMuted = e.and([e('muted_until', 'is not', null), e('muted_until', '>', now)]);
  const isHeard = e.or([e('muted_until', 'is', null), e('muted_until', '<=', now)]);
  if (state === 'closed') return e('closed_at', 'is not', null);
  if (state === 'muted') return e.and([isOpen, isMuted]);
  if (state === 'escalated') return e.and([isOpen, isHeard, e('case_id', 'is not', null)]);
  const assigned = e('assignee', state === 'open' ? 'is' : 'is not', null);
  return e.and([isOpen, isHeard, e('case_id', 'is', null), assigned]);
}

/** How the account's closed alerts about these addresses (by address key) turned out; open ones count as `open`. */
export async function countDispositions(
  records: Records,
  accountId: string,
  keys: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const key = sql<string>`chain || ':' || address`;
  for (const chunk of chunksOf(keys)) {
    const rows = await records
      .selectFrom('alerts')
      .select((e) => ['disposition', e.fn.countAll<number>().as('count')])
      .where('account_id', '=', accountId)
      .where('is_test', '=', 0)
      .where(key, 'in', chunk)
      .groupBy('disposition')
      .execute();
    for (const { disposition, count } of rows) {
      const name = disposition ?? 'open';
      counts[name] = (counts[name] ?? 0) + Number(count);
    }
  }
  return counts;
}
