import { createHmac } from 'node:crypto';

/**
 * The value of `X-Service-Signature`: `sha256=` and the hex HMAC-SHA256 of the body's bytes with the secret's text as
 * key. While several secrets are valid there is one for each, the newest first, separated by commas.
 */
export function signatureHeader(body: string, secrets: readonly string[]): string {
  return secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`).join(',');
}
