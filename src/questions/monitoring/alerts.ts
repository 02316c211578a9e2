import type { Context, RecordsContext } from '../../context.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { listAlertRows, markAlertsRead } from '../../events/alerts.ts';
import { recordEvent } from '../../events/outbox.ts';
import { type NewAlert, watchlistAlert } from '../../events/payloads.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { Records } from '../../records/database/database.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';

type ItemAlert = Omit<NewAlert, 'item_id' | 'address' | 'chain' | 'page'> & { page?: string };

/** Records an alert about a watched address, with the level of its last scan unless the alert has another. */
export async function alertOfItem(
  { config, now }: Context,
  records: Records,
  { id, account_id: accountId, chain, address, last_risk_level, last_risk_score }: WatchlistRow,
  alert: ItemAlert,
): Promise<void> {
  const data = watchlistAlert(config.publicUrl, {
    ...{ item_id: id, address, chain, page: 'watchlist' },
    ...(last_risk_level === null ? {} : { risk_level: last_risk_level }),
    ...(last_risk_score === null ? {} : { risk_score: last_risk_score }),
    ...alert,
  });
  await recordEvent(records, { type: 'watchlist.alert', accountId, subject: id, data, at: now() });
}

/** One page of what monitoring found, newest first. */
export async function listAlerts(
  { records }: RecordsContext,
  { accountId }: Tenant,
  query: { unread: boolean; limit: number; offset: number },
) {
  const { alerts, total, unread } = await listAlertRows(records, accountId, query);
  const shown = alerts.map(({ id, type, payload, created_at, read_at }) => ({
    id,
    event: type,
    data: JSON.parse(payload) as Record<string, unknown>,
    created_at: iso(created_at),
    read_at: isoOrNull(read_at),
  }));
  return { alerts: shown, total, unread, limit: query.limit, offset: query.offset };
}

/** Marks alerts as read for the whole account; without `ids` all of them. */
export async function readAlerts(
  { records, now }: RecordsContext,
  { accountId }: Tenant,
  ids: readonly string[] | undefined,
): Promise<number> {
  return markAlertsRead(records, accountId, ids, now());
}
