import type { FastifyInstance } from 'fastify';

/** The operations that pages of wallets may call: their requests name an API key and no cookie. */
const OPEN_PATHS = /^\/api\/v1\/(?:public|exposure)\//;
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-api-key, x-request-id',
  'access-control-max-age': '600',
};
const READABLE_HEADERS = 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-request-id';

/** Lets pages of the named origins read the answers of OPEN_PATHS, refusals too. Without origins it does nothing. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (OPEN_PATHS.test(request.url)) {
      reply.header('vary', 'Origin');
      const { origin } = request.headers;
      if (origin !== undefined && origins.includes(origin)) {
        reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READABLE_HEADERS);
        if (request.method === 'OPTIONS') reply.headers(PREFLIGHT_HEADERS);
      }
    }
    done();
  });
}
