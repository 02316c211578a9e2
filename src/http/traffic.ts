import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { UnavailableError } from '../errors.ts';
import type { Metrics } from './metrics.ts';
import { watchOverload } from './overload.ts';

const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;
const RETRY_AFTER_S = 1;
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

/** A request as its log line tells it. */
export interface Visit {
  id: string;
  method: string;
  /** The pattern, never the path: label values must stay few. */
  route: string;
  startedAt: number;
  /** Known once the key was looked at. */
  accountId: () => string | undefined;
}

/** The requests that are being answered. */
export interface Traffic {
  /**
   * Counts a request until its answer is out or its connection is gone; then come its metrics and one log line, without
   * anything the caller sent but the method. False where there was no room for it. Entering again changes what is told.
   */
  enter(response: ServerResponse, visit: Visit): boolean;
  watch(): void;
  stop(): void;
}

/** The id that the caller sent where it is safe to repeat, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const ENTERED = Symbol('entered');

type Entered = ServerResponse & { [ENTERED]?: { visit: Visit; isAccepted: boolean } };

/** At most `inFlightMax` at once, or fewer while the process is busy. */
export function openTraffic(log: Logger, metrics: Metrics, inFlightMax: number): Traffic {
  const overload = watchOverload(inFlightMax);
  let inFlight = 0;
  metrics.watchInFlight(() => inFlight);

  // What is the same in every line of a route is written once.
  const logs = new Map<string, Logger>();
  const logOf = (method: string, route: string) => {
    const known = logs.get(method + route) ?? log.child({ method, route });
    logs.set(method + route, known);
    return known;
  };

  const leave = ({ id, method, route, startedAt, accountId }: Visit, response: ServerResponse) => {
    const ms = performance.now() - startedAt;
    const status = response.statusCode;
    metrics.observe({ method, route, status, seconds: ms / 1_000 });
    // An answer that is out has let go of its connection.
    const aborted = response.socket?.destroyed || undefined;
    const line = { request_id: id, status, ms: Math.round(ms * 10) / 10, account_id: accountId(), aborted };
    logOf(method, route).info(line, 'request');
  };

  return {
    enter: (response: Entered, visit) => {
      const before = response[ENTERED];
      if (before) {
        before.visit = visit;
        return before.isAccepted;
      }
      const entered = { visit, isAccepted: inFlight < overload.limit() };
      response[ENTERED] = entered;
      inFlight += 1;
      response.on('close', () => {
        inFlight -= 1;
        if (entered.isAccepted) overload.finished();
        leave(entered.visit, response);
      });
      return entered.isAccepted;
    },
    watch: overload.watch,
    stop: overload.stop,
  };
}

/** What holds for every request: it is counted, and answered with its id and the security headers, or 503 without room. */
export function watchTraffic(app: FastifyInstance, traffic: Traffic): void {
  app.addHook('onListen', async () => traffic.watch());
  app.addHook('onClose', async () => traffic.stop());

  // With a callback, not a promise: nothing here waits.
  app.addHook('onRequest', (request, reply, done) => {
    // Asked for once: Fastify makes it anew at each look.
    const { url: route = 'unmatched' } = request.routeOptions;
    const accountId = () => request.tenant?.accountId;
    const visit = { id: request.id, method: request.method, route, startedAt: performance.now(), accountId };
    const hasRoom = traffic.enter(reply.raw, visit) || ALWAYS_SERVED.has(route);
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done(hasRoom ? undefined : new UnavailableError('Service is overloaded', RETRY_AFTER_S));
  });
}
