import { createHmac } from 'node:crypto';
import type { Context } from '../../context.ts';
import { ForbiddenUrlError } from '../../outbound/guard.ts';
import { AnswerRefusedError, openAnswer } from '../../outbound/request.ts';
import type { RecordedEvent, WebhookConfigRow } from '../../records/database/tables/events.ts';
import { validPreviousSecrets } from '../../records/monitoring/webhook-configs.ts';
import type { AttemptOutcome, DueDelivery } from '../deliveries.ts';
import { eventPayload } from '../payloads.ts';
import { shapedBody } from './shapes.ts';

/** From the call to the headers of the answer; its body is not read. */
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

const CONNECTION_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was reset',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection timed out',
};

/** Sends one signed event to an endpoint, switched on or not. Never throws. */
export async function sendWebhook(
  ctx: Context,
  config: WebhookConfigRow,
  { delivery, event }: DueDelivery,
): Promise<AttemptOutcome> {
  try {
    const url = new URL(config.webhook_url);
    const body = webhookBody(ctx, config, delivery.id, event);
    const timestamp = Math.floor(ctx.now() / 1_000);
    const answer = await openAnswer(url, {
      headers: {
        'content-type': 'application/json',
        'x-service-event': event.type,
        'x-service-delivery': delivery.id,
        ...signatureHeaders({ id: delivery.id, body, timestamp }, openSecrets(ctx, config)),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
      guard: ctx.webhookGuard,
    });
    answer.close();
    return outcomeOf(answer.status, retryAfterMs(answer.headers['retry-after'], ctx.now()));
  } catch (error) {
    return { outcome: 'failed', error: reasonFor(error) };
  }
}

/** The body for an endpoint as JSON: the payload, or the format that its host reads. */
export function webhookBody(
  { config: { CHAT_WEBHOOK_HOST } }: Context,
  endpoint: WebhookConfigRow | undefined,
  deliveryId: string,
  event: RecordedEvent,
): string {
  const payload = eventPayload(deliveryId, event);
  const shaped = endpoint && shapedBody(payload, new URL(endpoint.webhook_url), CHAT_WEBHOOK_HOST);
  return JSON.stringify(shaped ?? payload);
}

/** The endpoint's secret, and those before it that are still valid. */
function openSecrets(ctx: Context, config: WebhookConfigRow): string[] {
  const { id, secret } = config;
  const valid = [secret, ...validPreviousSecrets(config, ctx.now()).map((previous) => previous.secret)];
  try {
    return valid.map((sealed) => ctx.secrets.open(sealed, id));
  } catch (err) {
    ctx.log.error({ err, config_id: id }, 'a webhook secret cannot be decrypted: all processes need the SECRET_KEY');
    throw new Error('The signing secret cannot be read');
  }
}

function outcomeOf(statusCode: number, retryAfter: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered', statusCode };
  const error =
    statusCode >= 300 && statusCode < 400 ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`;
  if (statusCode === 410) return { outcome: 'refused', error, statusCode };
  return { outcome: 'failed', error, statusCode, retryAfterMs: retryAfter };
}

/** Seconds or a date; 0 for anything else. */
function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

/** For the tenant's log: without addresses of the network behind. */
function reasonFor(error: unknown): string {
  if (error instanceof ForbiddenUrlError) return `The URL is not allowed: ${error.message}`;
  if (error instanceof AnswerRefusedError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (message?.startsWith('timeout')) return `No answer within ${TIMEOUT_MS / 1_000} s`;
  if (message === 'The signing secret cannot be read') return message;
  if (code && CONNECTION_ERRORS[code]) return CONNECTION_ERRORS[code];
  if (code && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return `The TLS connection failed: ${code}`;
  return 'The connection failed';
}

/** One attempt as it is signed: its bytes, and what Standard Webhooks signs with them. */
interface SignedAttempt {
  /** The delivery's id, the same in every attempt. */
  id: string;
  body: string;
  /** Seconds since 1970. */
  timestamp: number;
}

const PREFIX = 'whsec_';

/**
 * The headers that sign an attempt. `secrets`: the valid ones, newest first. `x-service-signature` has one value, the
 * newest secret's, and `x-service-signature-previous` that of the secret before it, each `sha256=` and the hex
 * HMAC-SHA256 of the body keyed with the secret's text. The three of Standard Webhooks list a signature for each secret.
 *
 * @internal
 */
export function signatureHeaders(attempt: SignedAttempt, secrets: readonly string[]): Record<string, string> {
  const { id, body, timestamp } = attempt;
  const [current, previous] = secrets.map(
    (secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  );
  return {
    'x-service-timestamp': String(timestamp),
    'x-service-signature': current!,
    ...(previous === undefined ? {} : { 'x-service-signature-previous': previous }),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(attempt, secret)).join(' '),
  };
}

/** Standard Webhooks, version 1: keyed with the bytes that the secret's text encodes. */
function standardSignature({ id, body, timestamp }: SignedAttempt, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
