import type { Context } from '../../context.ts';
import type { DeliveryStatus } from '../../domain/event.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { ConflictError } from '../../errors.ts';
import {
  findDeliveredEvent,
  findWebhookDelivery,
  type ListedDelivery,
  listAttempts,
  listWebhookDeliveries,
  replayDelivery,
} from '../../events/delivery-log.ts';
import { webhookBody } from '../../events/webhook/send.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { findWebhookConfig, lookUpWebhookConfig } from '../../records/monitoring/webhook-configs.ts';

/** One page of the log of deliveries, newest first. */
export async function listDeliveries(
  ctx: Context,
  { accountId }: Tenant,
  { config_id, status, limit, offset }: { config_id?: string; status?: DeliveryStatus; limit: number; offset: number },
) {
  const page = { recipient: config_id, status, limit, offset };
  const { deliveries, total } = await listWebhookDeliveries(ctx.records, accountId, page);
  return { deliveries: deliveries.map(asDelivery), total, limit, offset };
}

/** One delivery with every attempt and the body that was sent. Throws NotFoundError. */
export async function getDelivery(ctx: Context, { accountId }: Tenant, id: string) {
  const delivery = await findWebhookDelivery(ctx.records, accountId, id);
  const attempts = await listAttempts(ctx.records, id);
  return {
    delivery: asDelivery(delivery),
    attempts: attempts.map(({ attempt, at, duration_ms, status_code, error }) => ({
      attempt,
      at: iso(at),
      duration_ms,
      status_code,
      error: duration_ms === null ? 'No outcome was recorded' : error,
    })),
    body: webhookBody(
      ctx,
      await lookUpWebhookConfig(ctx.records, accountId, delivery.recipient),
      id,
      await findDeliveredEvent(ctx.records, delivery),
    ),
  };
}

/** Sends one delivery again, under the same id. Throws NotFoundError, ConflictError. */
export async function replay(ctx: Context, { accountId }: Tenant, id: string) {
  const delivery = await findWebhookDelivery(ctx.records, accountId, id);
  const config = await findWebhookConfig(ctx.records, accountId, delivery.recipient);
  if (config.is_active === 0) throw new ConflictError('The endpoint is switched off');
  if (!(await replayDelivery(ctx.records, delivery, ctx.now()))) throw new ConflictError('The delivery is pending');
  return asDelivery(await findWebhookDelivery(ctx.records, accountId, id));
}

function asDelivery(row: ListedDelivery) {
  return {
    id: row.id,
    config_id: row.recipient,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    status_code: row.status_code,
    error: row.error,
    created_at: iso(row.created_at),
    last_attempt_at: isoOrNull(row.last_attempt_at),
    next_attempt_at: isoOrNull(row.next_attempt_at),
  };
}
