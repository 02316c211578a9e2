import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { UnavailableError } from '../errors.ts';
import type { Metrics } from './metrics.ts';
import { watchOverload } from './overload.ts';

const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;
const RETRY_AFTER_S = 1;
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
/** Must answer even when everything else is refused. */
const ALWAYS_SERVED = new Set(['/health/live', '/health/ready', '/metrics']);

/** The id that the caller sent where it is safe to repeat, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * What holds for every request: its id and the security headers in the answer, one log line without
 * anything the caller sent but the method, metrics, and 503 above `inFlightMax` requests at once, or fewer while
 * the process is busy.
 */
export function watchTraffic(
  app: FastifyInstance,
  { log, metrics, inFlightMax }: { log: Logger; metrics: Metrics; inFlightMax: number },
): void {
  let inFlight = 0;
  metrics.watchInFlight(() => inFlight);
  const overload = watchOverload(inFlightMax);
  app.addHook('onListen', async () => overload.watch());
  app.addHook('onClose', async () => overload.stop());

  // With a callback, not a promise: nothing here waits.
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    inFlight += 1;
    const refused = inFlight > overload.limit() && !ALWAYS_SERVED.has(request.routeOptions.url ?? '');
    let ended = false;
    const end = (aborted: boolean) => {
      if (ended) return;
      ended = true;
      inFlight -= 1;
      const ms = performance.now() - startedAt;
      if (!refused) overload.finished();
      const { method } = request;
      const route = request.routeOptions.url ?? 'unmatched';
      const status = reply.statusCode;
      metrics.observe({ method, route, status, seconds: ms / 1_000 });
      log.info(
        {
          request_id: request.id,
          method,
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          account_id: request.tenant?.accountId,
          aborted: aborted || undefined,
        },
        'request',
      );
    };
    reply.raw.on('finish', () => end(false)).on('close', () => end(true));

    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done(refused ? new UnavailableError('Service is overloaded', RETRY_AFTER_S) : undefined);
  });
}
