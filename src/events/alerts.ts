import type { AlertSeverity } from '../domain/alert.ts';
import type { EventType } from '../domain/event.ts';
import { type Records, readerOf } from '../records/database/database.ts';
import { raiseAlert } from '../records/monitoring/alerts.ts';
import type { RiskLevel } from '../risk/detection.ts';
import { eventTitle } from './event-title.ts';
import type { WatchlistAlert } from './payloads.ts';

/** Events of watched addresses, each happening once: the other `risk.*` events repeat `risk.changed`. */
export const ALERT_TYPES = ['risk.changed', 'watchlist.alert'] as const satisfies readonly EventType[];

type AlertType = (typeof ALERT_TYPES)[number];

const PARTY_MAX = 200;

/** Severity of what monitoring found where its level does not say it. */
const SEVERITIES: Partial<Record<WatchlistAlert['reason'], AlertSeverity>> = {
  sanctioned_counterparty: 'critical',
  movement: 'medium',
  reorganised: 'medium',
  rule_set: 'low',
  live_ended: 'medium',
  live_began: 'low',
  transfer_not_screened: 'medium',
};

/** Raises in the queue what an event says, where its type is an alert; in the transaction that records the event. */
export async function raiseFromEvent(
  transaction: Records,
  event: { type: EventType; accountId: string; data: object; at: number },
  eventId: string,
): Promise<void> {
  const { type, accountId, at } = event;
  if (!(ALERT_TYPES as readonly string[]).includes(type)) return;
  const data = event.data as Partial<WatchlistAlert>;
  const rule = data.reason ?? 'level_changed';
  const severity = data.rule?.severity ?? (data.reason && SEVERITIES[data.reason]) ?? severityOfLevel(levelIn(data));
  const { address = null, chain = null, transfer } = data;
  await raiseAlert(transaction, {
    ...{ accountId, rule, severity, address, chain, at, eventId, data: event.data },
    title: eventTitle(type, event.data) ?? type,
    ...(data.rule ? { ruleId: data.rule.id, ruleVersion: data.rule.version } : {}),
    party: partyIn(data),
    reference: transfer?.reference ?? null,
  });
}

function levelIn({ risk_level, discoveries = [] }: Partial<WatchlistAlert>): RiskLevel | undefined {
  if (risk_level) return risk_level;
  const levels = discoveries.map((one) => one.risk_level);
  return levels.includes('CRITICAL') ? 'CRITICAL' : levels[0];
}

export function severityOfLevel(level: RiskLevel | undefined): AlertSeverity {
  if (level === 'CRITICAL') return 'critical';
  if (level === 'HIGH') return 'high';
  return level === 'LOW' ? 'low' : 'medium';
}

/** Returns who is on the other side; what has none of these joins by its address alone. */
function partyIn({ reason, movement, counterparties, transfer }: Partial<WatchlistAlert>): string | null {
  if (movement) return movement.counterparty.address;
  if (counterparties) return counterparties.toSorted().join(' ').slice(0, PARTY_MAX);
  return reason === 'transfer_not_screened' ? transfer!.id : null;
}

interface ListedAlert {
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
): Promise<{ alerts: ListedAlert[]; total: number; unread: number }> {
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
