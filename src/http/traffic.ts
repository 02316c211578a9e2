import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { OverloadError } from '../errors.ts';
import { callerHasLeft, closeWithConnection, makeWithoutLimit, sendWithin } from './connections.ts';
import type { HttpMetrics } from './metrics/metrics.ts';

const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;
const RETRY_AFTER_S = 1;
/** Part of the open requests that checks before signing may take: three times those answered at once. */
const PRESIGN_PART = 0.1;
/** On every answer, also on those before any hook runs. */
export const SECURITY_HEADERS = {
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

export interface TrafficLimits {
  /** Requests open at once, of which a tenth, but at least one, are for checks before signing alone. */
  inFlightMax: number;
  /** How long a client may take nothing of its answer. */
  sendMs: number;
}

/**
 * Writes metrics and one log line for each request, which holds nothing that the caller sent but the method. Above `inFlightMax`
 * requests get 503. A burst of others cannot take the part of the checks before signing, nor these that of the others: the
 * room is taken before a key is known. Every answer carries its id and the security headers.
 */
export function watchTraffic(
  app: FastifyInstance,
  log: Logger,
  metrics: HttpMetrics,
  { inFlightMax, sendMs }: TrafficLimits,
): void {
  const inFlight = { presign: 0, others: 0 };
  const presignMax = Math.ceil(inFlightMax * PRESIGN_PART);
  const most = { presign: presignMax, others: inFlightMax - presignMax };
  const running = new WeakSet<IncomingMessage>();
  let runningCount = 0;
  const run = (request: IncomingMessage) => {
    running.add(request);
    runningCount += 1;
  };
  metrics.watchRequests({ inFlight: () => inFlight.presign + inFlight.others, running: () => runningCount });

  // The fields that all lines of a route share are serialized once.
  const logs = new Map<string, Logger>();
  const logOf = (method: string, route: string): Logger => {
    const known = logs.get(method + route) ?? log.child({ method, route });
    logs.set(method + route, known);
    return known;
  };

  // With a callback, not a promise: nothing here waits.
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    // The pattern, never the path: metric labels must stay few. Read once, since Fastify builds the object each time.
    const { url: route = 'unmatched', config } = request.routeOptions;
    const kind = config?.bucket === 'presign' ? 'presign' : 'others';
    const { method, id } = request;
    const isAccepted = inFlight[kind] < most[kind];
    inFlight[kind] += 1;
    // A request runs once its body is there.
    if (!hasBody(request.raw)) run(request.raw);
    closeWithConnection(reply.raw, request.raw.socket);
    makeWithoutLimit(reply.raw);
    reply.raw.once('close', () => {
      inFlight[kind] -= 1;
      if (running.delete(request.raw)) runningCount -= 1;
      const ms = performance.now() - startedAt;
      const status = reply.raw.statusCode;
      metrics.observe({ method, route, status, seconds: ms / 1_000 });
      const account_id = request.tenant?.accountId;
      const aborted = (callerHasLeft(request) && !reply.raw.writableFinished) || undefined;
      logOf(method, route).info(
        { request_id: id, status, ms: Math.round(ms * 10) / 10, account_id, aborted },
        'request',
      );
    });
    reply.headers(SECURITY_HEADERS).header('x-request-id', id);
    done(isAccepted || ALWAYS_SERVED.has(route) ? undefined : overloaded());
  });

  app.addHook('preValidation', (request, _reply, done) => {
    if (!running.has(request.raw)) run(request.raw);
    done();
  });

  app.addHook('onSend', (_request, reply, payload, done) => {
    // An answer that nobody takes would keep its place, and its memory, for ever.
    sendWithin(sendMs, reply.raw);
    done(null, payload);
  });
}

function overloaded(): OverloadError {
  return new OverloadError('Service is overloaded', RETRY_AFTER_S);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
