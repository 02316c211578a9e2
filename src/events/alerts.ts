import type { EventType } from '../domain/event.ts';
import { type Records, readerOf } from '../records/database/database.ts';

/** Events of watched addresses, each happening once: the other `risk.*` events repeat `risk.changed`. */
export const ALERT_TYPES = ['risk.changed', 'watchlist.alert'] as const satisfies readonly EventType[];

type AlertType = (typeof ALERT_TYPES)[number];

interface AlertRow {
  id: string;
  type: AlertType;
  /** The data of the event, as JSON. */
  payload: string;
  created_at: number;
  read_at: number | null;
}

/** One page of the account's alerts, newest first, with how many there are and how many are not read. */
export async function listAlertRows(
  records: Records,
  accountId: string,
  { unread, limit, offset }: { unread: boolean; limit: number; offset: number },
): Promise<{ alerts: AlertRow[]; total: number; unread: number }> {
  const reader = readerOf(records);
  const all = reader.selectFrom('events').where('account_id', '=', accountId).where('type', 'in', ALERT_TYPES);
  const counted = await all
    .select((eb) => [eb.fn.countAll<number>().as('total'), eb.fn.count<number>('read_at').as('read')])
    .executeTakeFirstOrThrow();
  const notRead = Number(counted.total) - Number(counted.read);
  const alerts = await (unread ? all.where('read_at', 'is', null) : all)
    .select(['id', 'type', 'payload', 'created_at', 'read_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .$narrowType<{ type: AlertType }>()
    .execute();
  return { alerts, total: unread ? notRead : Number(counted.total), unread: notRead };
}

/** Marks these alerts of the account as read, or all; returns how many were not. */
export async function markAlertsRead(
  records: Records,
  accountId: string,
  ids: readonly string[] | undefined,
  now: number,
): Promise<number> {
  let marked = records
    .updateTable('events')
    .set({ read_at: now })
    .where('account_id', '=', accountId)
    .where('type', 'in', ALERT_TYPES)
    .where('read_at', 'is', null);
  if (ids) marked = marked.where('id', 'in', ids);
  const { numUpdatedRows } = await marked.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
