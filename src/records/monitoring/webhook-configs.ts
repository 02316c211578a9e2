import { NotFoundError } from '../../errors.ts';
import type { ChangeOf, Records } from '../database/database.ts';
import type { WebhookConfigRow } from '../database/tables/events.ts';

/** A secret before a rotation, encrypted; it signs too until its end (epoch ms). */
export interface PreviousSecret {
  secret: string;
  until: number;
}

/** Returns the earlier secrets that still sign, newest first. */
export function validPreviousSecrets({ previous_secrets }: WebhookConfigRow, now: number): PreviousSecret[] {
  return (JSON.parse(previous_secrets) as PreviousSecret[]).filter(({ until }) => until > now);
}

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

/** Endpoints of all accounts, some at a time. */
export async function* allWebhookConfigs(records: Records): AsyncGenerator<WebhookConfigRow> {
  for (let after = ''; ; ) {
    const some = records.selectFrom('webhook_configs').selectAll().where('id', '>', after);
    const rows = await some.orderBy('id').limit(READ_AT_ONCE).execute();
    yield* rows;
    if (rows.length < READ_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

const READ_AT_ONCE = 100;

/** Undefined once it was deleted. */
export function lookUpWebhookConfig(
  records: Records,
  accountId: string,
  id: string,
): Promise<WebhookConfigRow | undefined> {
  return records
    .selectFrom('webhook_configs')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Throws NotFoundError. */
export async function findWebhookConfig(records: Records, accountId: string, id: string): Promise<WebhookConfigRow> {
  const row = await lookUpWebhookConfig(records, accountId, id);
  if (!row) throw new NotFoundError();
  return row;
}

/** Throws NotFoundError. */
export async function updateWebhookConfig(
  records: Records,
  accountId: string,
  id: string,
  change: ChangeOf<WebhookConfigRow>,
): Promise<WebhookConfigRow> {
  return records
    .updateTable('webhook_configs')
    .set(change)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow(() => new NotFoundError());
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

/** An endpoint as it was when an attempt began. What came of the attempt counts only while its URL is still the same. */
export type TriedEndpoint = Pick<WebhookConfigRow, 'id' | 'webhook_url'>;

/** Remembers that an attempt succeeded. */
export async function clearFailure(records: Records, { id, webhook_url }: TriedEndpoint): Promise<void> {
  await records
    .updateTable('webhook_configs')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('webhook_url', '=', webhook_url)
    .execute();
}

/** Remembers that an attempt failed, unless one before it did. */
export async function markFailing(records: Records, { id, webhook_url }: TriedEndpoint, now: number): Promise<void> {
  await records
    .updateTable('webhook_configs')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('webhook_url', '=', webhook_url)
    .where('failing_since', 'is', null)
    .execute();
}

/** With `failingSince`, only an endpoint that has failed since then or longer. False when nothing was switched off. */
export async function switchOffWebhook(
  records: Records,
  { id, webhook_url }: TriedEndpoint,
  failingSince?: number,
): Promise<boolean> {
  let endpoint = records
    .updateTable('webhook_configs')
    .set({ is_active: 0 })
    .where('id', '=', id)
    .where('webhook_url', '=', webhook_url)
    .where('is_active', '=', 1);
  if (failingSince !== undefined) endpoint = endpoint.where('failing_since', '<=', failingSince);
  const { numUpdatedRows } = await endpoint.executeTakeFirst();
  return numUpdatedRows > 0n;
}
