import { createHmac } from 'node:crypto';

/** One attempt as it is signed: its bytes, and what Standard Webhooks signs with them. */
export interface SignedAttempt {
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
