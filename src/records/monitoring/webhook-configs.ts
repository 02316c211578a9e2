import { NotFoundError } from '../../errors.ts';
import type { Records } from '../database/database.ts';
import type { WebhookConfigsTable } from '../database/event-tables.ts';

export type WebhookConfigRow = WebhookConfigsTable;

export async function insertWebhookConfig(records: Records, row: WebhookConfigRow): Promise<void> {
  await records.insertInto('webhook_configs').values(row).execute();
}

/** The account's endpoints, oldest first. */
export function listWebhookConfigs(records: Records, accountId: string): Promise<WebhookConfigRow[]> {
  return records
    .selectFrom('webhook_configs')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Throws NotFoundError. */
export async function findWebhookConfig(records: Records, accountId: string, id: string): Promise<WebhookConfigRow> {
  const row = await records
    .selectFrom('webhook_configs')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return row;
}

/** Throws NotFoundError. */
export async function updateWebhookConfig(
  records: Records,
  accountId: string,
  id: string,
  change: Partial<WebhookConfigRow>,
): Promise<WebhookConfigRow> {
  const row = await records
    .updateTable('webhook_configs')
    .set(change)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return row;
}

/** How many were deleted: 0 or 1. */
export async function deleteWebhookConfig(records: Records, accountId: string, id: string): Promise<number> {
  const { numDeletedRows } = await records
    .deleteFrom('webhook_configs')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Remembers that an attempt succeeded, or since when all have failed. */
export async function keepWebhookHealth(records: Records, id: string, failingSince: number | null): Promise<void> {
  await records.updateTable('webhook_configs').set({ failing_since: failingSince }).where('id', '=', id).execute();
}

/** False when it was switched off before. */
export async function switchOffWebhook(records: Records, id: string): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('webhook_configs')
    .set({ is_active: 0 })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
