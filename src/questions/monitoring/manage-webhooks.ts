import { randomBytes, randomUUID } from 'node:crypto';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import { EVENT_TYPES, type EventType } from '../../domain/event.ts';
import { DAY_MS, iso } from '../../domain/time.ts';
import { ConflictError, InvalidInputError, PlanLimitError } from '../../errors.ts';
import { finishAttempt } from '../../events/deliveries.ts';
import { beginTestDelivery } from '../../events/delivery-log.ts';
import { releaseQueue } from '../../events/delivery-queues.ts';
import type { ScanCompleted } from '../../events/payloads.ts';
import { sendWebhook } from '../../events/webhook/send.ts';
import { ForbiddenUrlError } from '../../outbound/guard.ts';
import { lockAccount, withinStorage } from '../../records/accounts/accounts.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { changesOf, insertAudit } from '../../records/audit/audit-log.ts';
import { type ChangeOf, inTransaction } from '../../records/database/database.ts';
import type { WebhookConfigRow } from '../../records/database/tables/events.ts';
import {
  deleteWebhookConfig,
  findWebhookConfig,
  insertWebhookConfig,
  listWebhookConfigs,
  updateWebhookConfig,
  validPreviousSecrets,
} from '../../records/monitoring/webhook-configs.ts';

/** How long a secret still signs after its rotation. */
const PREVIOUS_SECRET_MS = DAY_MS;
/** Bounds the signatures of a delivery. */
const PREVIOUS_SECRETS_MAX = 4;
const SECRET_BYTES = 32;

export interface WebhookFields {
  webhook_url: string;
  description: string;
  events: EventType[];
}

export type WebhookChange = Partial<WebhookFields & { is_active: boolean }>;

export interface WebhookEndpoint extends WebhookFields {
  id: string;
  is_active: boolean;
  created_at: string;
}

/** The account's endpoints, oldest first. */
export async function listWebhooks(ctx: Context, { accountId }: Tenant): Promise<WebhookEndpoint[]> {
  return (await listWebhookConfigs(ctx.records, accountId)).map(asConfig);
}

/** A new endpoint with its secret, which is shown this once. Throws PlanLimitError, InvalidInputError. */
export async function createWebhook(
  ctx: Context,
  tenant: Tenant,
  { webhook_url, description = '', events = EVENT_TYPES }: Partial<WebhookFields> & { webhook_url: string },
) {
  const { accountId, plan } = tenant;
  const url = await allowedUrl(ctx, webhook_url);
  const id = randomUUID();
  const secret = newSecret();
  const row: WebhookConfigRow = {
    id,
    account_id: accountId,
    webhook_url: url,
    description,
    events: JSON.stringify(events),
    is_active: 1,
    secret: ctx.secrets.seal(secret, id),
    previous_secrets: '[]',
    failing_since: null,
    created_at: ctx.now(),
  };
  return answerWithin(ctx.records, tenant, async (records) => {
    const limit = plan.webhookEndpoints;
    const held = await listWebhookConfigs(records, accountId);
    if (limit !== -1 && held.length >= limit) throw new PlanLimitError(`Webhook limit reached (${limit} endpoints)`);
    await insertWebhookConfig(records, row);
    const detail = `host ${hostOf(url)}`;
    await insertAudit(records, { ...tenant, action: 'webhook_created', subject: id, detail }, row.created_at);
    return { config: asConfig(row), secret, message: messages.secret_once };
  });
}

/** Throws InvalidInputError, NotFoundError. */
export async function updateWebhook(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { webhook_url, description, events, is_active }: WebhookChange,
): Promise<WebhookEndpoint> {
  const { accountId } = tenant;
  const change: ChangeOf<WebhookConfigRow> = {
    ...(webhook_url === undefined ? {} : { webhook_url, failing_since: null }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(is_active === undefined ? {} : { is_active: is_active ? 1 : 0, failing_since: null }),
  };
  await findWebhookConfig(ctx.records, accountId, id);
  if (Object.keys(change).length === 0) throw new InvalidInputError('No fields to update');
  if (webhook_url !== undefined) change.webhook_url = await allowedUrl(ctx, webhook_url);
  const config = await withinStorage(ctx.records, accountId, async (records) => {
    const changed = await updateWebhookConfig(records, accountId, id, change);
    // What an endpoint answered before says nothing of a new URL, nor of one that was switched on again.
    if (change.failing_since === null) await releaseQueue(records, { account_id: accountId, recipient: id });
    const host = change.webhook_url && hostOf(change.webhook_url);
    const detail = changesOf({ host, description, events, is_active }, ['host', 'events', 'is_active']);
    await insertAudit(records, { ...tenant, action: 'webhook_changed', subject: id, detail }, ctx.now());
    return changed;
  });
  return asConfig(config);
}

/** How many were deleted: 0 or 1. */
export function deleteWebhook(ctx: Context, tenant: Tenant, id: string): Promise<number> {
  return inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const deleted = await deleteWebhookConfig(records, tenant.accountId, id);
    if (deleted > 0) await insertAudit(records, { ...tenant, action: 'webhook_deleted', subject: id }, ctx.now());
    return deleted;
  });
}

/** A new secret; each one before it signs too until 24 h after its own rotation. Throws NotFoundError, ConflictError. */
export async function rotateWebhookSecret(ctx: Context, tenant: Tenant, id: string) {
  const { accountId } = tenant;
  const secret = newSecret();
  return answerWithin(ctx.records, tenant, async (records) => {
    const before = await findWebhookConfig(records, accountId, id);
    const now = ctx.now();
    const previous = [{ secret: before.secret, until: now + PREVIOUS_SECRET_MS }, ...validPreviousSecrets(before, now)];
    if (previous.length > PREVIOUS_SECRETS_MAX) {
      throw new ConflictError(
        `${PREVIOUS_SECRETS_MAX} previous secrets are still valid. Rotate again when one has ended.`,
      );
    }
    const change = { secret: ctx.secrets.seal(secret, id), previous_secrets: JSON.stringify(previous) };
    const changed = await updateWebhookConfig(records, accountId, id, change);
    await insertAudit(records, { ...tenant, action: 'webhook_secret_rotated', subject: id }, now);
    return { config: asConfig(changed), secret, message: messages.secret_rotated };
  });
}

/** The URL as it is stored: parsed, so without control characters. Throws InvalidInputError. */
async function allowedUrl(ctx: Context, text: string): Promise<string> {
  try {
    const url = ctx.webhookGuard.parse(text);
    await ctx.webhookGuard.checkHost(url);
    return url.href;
  } catch (error) {
    if (!(error instanceof ForbiddenUrlError)) throw error;
    throw new InvalidInputError(`Invalid webhook URL: ${error.message}`);
  }
}

/** Returns the host of a URL alone: its path may be a secret. */
function hostOf(url: string): string {
  return new URL(url).host;
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function asConfig(row: WebhookConfigRow): WebhookEndpoint {
  return {
    id: row.id,
    webhook_url: row.webhook_url,
    description: row.description,
    events: JSON.parse(row.events),
    is_active: row.is_active === 1,
    created_at: iso(row.created_at),
  };
}

/**
 * Sends a signed sample of `scan.completed` once, even to an endpoint that is switched off. Throws NotFoundError,
 * TooManyError.
 */
export async function testWebhook(ctx: Context, { accountId }: Tenant, configId: string) {
  const config = await findWebhookConfig(ctx.records, accountId, configId);
  const data = sampleScan(ctx);
  const event = { type: 'scan.completed', accountId, subject: data.scan_id ?? '', data, at: ctx.now() } as const;
  const due = await beginTestDelivery(ctx.records, event, configId);
  const result = await sendWebhook(ctx, config, due);
  const once = result.outcome === 'failed' ? { ...result, outcome: 'refused' as const } : result;
  await finishAttempt(ctx.records, due.delivery, once, ctx.now());
  return {
    success: result.outcome === 'delivered',
    status_code: result.statusCode ?? null,
    error: 'error' in result ? result.error : null,
  };
}

function sampleScan(ctx: Context): ScanCompleted {
  const scan_id = randomUUID();
  return {
    scan_id,
    source: 'sync',
    address: '0x000000000000000000000000000000000000dead',
    chain: 'ethereum',
    risk_level: 'LOW',
    risk_score: 0,
    detection_count: 0,
    detections: [],
    detail_url: `${ctx.config.publicUrl}/api/v1/public/scans/${scan_id}`,
    score_semantics: 'risk_0to100',
    test: true,
  };
}
