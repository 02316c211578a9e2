import type { RecordsContext } from '../../context.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { listAlertRows, markAlertsRead } from '../../events/alerts.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';

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
