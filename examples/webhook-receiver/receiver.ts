import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';

const BODY_BYTES_MAX = 1024 * 1024;

export interface WebhookEvent {
  /** The same in every attempt, and signed, unlike the header. */
  id: string;
  event: string;
  /** UTC, without a zone suffix. */
  timestamp: string;
  data: Record<string, unknown>;
}

/** For 24 hours after a rotation the second one holds the signature of the secret before. */
const SIGNATURES = ['x-service-signature', 'x-service-signature-previous'];

/** True when a header signs the raw body. Verify the bytes as they came, not a parsed and serialised copy. */
function isSigned(body: Buffer, headers: IncomingHttpHeaders, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  return SIGNATURES.some((name) => {
    const given = Buffer.from(String(headers[name] ?? ''));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** An endpoint that hands each delivery to `onEvent` once, however often it is sent. */
export function createReceiver(secret: string, onEvent: (event: WebhookEvent) => void): Server {
  // Keep the ids in your database: a repetition may come hours later, to another process.
  const seen = new Set<string>();
  return createServer(async (request, response) => {
    const body = await readBody(request);
    if (body === null || !isSigned(body, request.headers, secret)) {
      response.writeHead(401).end();
      return;
    }
    const event: WebhookEvent = JSON.parse(body.toString('utf8'));
    if (!seen.has(event.id)) {
      onEvent(event);
      seen.add(event.id);
    }
    // Answer quickly with any 2xx; anything else is tried again.
    response.writeHead(204).end();
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

if (process.argv[1]?.endsWith('receiver.ts')) {
  const secret = process.env.WEBHOOK_SECRET;
  if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint');
  const port = Number(process.env.PORT ?? 9000);
  createReceiver(secret, ({ event, timestamp, data }) => {
    console.log(timestamp, event, JSON.stringify(data));
  }).listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/`));
}
