import { parse } from 'node:querystring';
import fastify, { type FastifyInstance } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Context } from './context.ts';
import { guardAccess } from './http/access.ts';
import { BODY_BYTES_MAX, readJsonBodies } from './http/body.ts';
import { closeUnusedConnections } from './http/connections.ts';
import { documentRefusals, documentRoutes } from './http/document-routes.ts';
import { answerBadConnection, answerBadPath, answerErrors } from './http/errors.ts';
import { answerOnce } from './http/idempotency.ts';
import { validatorCompiler } from './http/issues.ts';
import { addQuestionGauges, createHttpMetrics } from './http/metrics/metrics.ts';
import { addRecordGauges } from './http/metrics/record-gauges.ts';
import { requestId, watchTraffic } from './http/traffic.ts';
import type { App } from './http/typed-app.ts';
import { keepViews } from './http/views.ts';
import { openWriteProbe } from './questions/write-probe.ts';
import { apiKeyRoutes } from './routes/account/api-keys.ts';
import { auditRoutes } from './routes/account/audit.ts';
import { ownLabelRoutes } from './routes/account/own-labels.ts';
import { peopleRoutes } from './routes/account/people.ts';
import { riskSettingsRoutes } from './routes/account/risk-settings.ts';
import { sessionRoutes, signInRoutes } from './routes/account/sign-in.ts';
import { usageRoutes } from './routes/account/usage.ts';
import { approvalRoutes } from './routes/cases/approvals.ts';
import { boardRoutes } from './routes/cases/boards.ts';
import { bulkScanRoutes } from './routes/cases/bulk-scan.ts';
import { caseContentRoutes } from './routes/cases/case-contents.ts';
import { caseExportRoutes } from './routes/cases/case-exports.ts';
import { caseRoutes } from './routes/cases/cases.ts';
import { reportRoutes } from './routes/cases/reports.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { alertQueueRoutes } from './routes/monitoring/alert-queue.ts';
import { alertRoutes } from './routes/monitoring/alerts.ts';
import { discoveryRoutes } from './routes/monitoring/discoveries.ts';
import { eventWebhooks } from './routes/monitoring/event-webhooks.ts';
import { ruleRoutes } from './routes/monitoring/rules.ts';
import { watchlistRoutes } from './routes/monitoring/watchlist.ts';
import { webhookDeliveryRoutes } from './routes/monitoring/webhook-deliveries.ts';
import { webhookRoutes } from './routes/monitoring/webhooks.ts';
import { jobRoutes } from './routes/scans/jobs.ts';
import { presignRoutes } from './routes/scans/presign.ts';
import { scanRoutes } from './routes/scans/scan.ts';
import { screenedTransferRoutes } from './routes/scans/screened-transfers.ts';
import { transferRoutes } from './routes/scans/token-transfers.ts';
import { transactionRoutes } from './routes/scans/transactions.ts';
import { consoleRoutes } from './routes/service/console.ts';
import { docsRoutes } from './routes/service/docs.ts';
import { healthRoutes, publicHealthRoutes } from './routes/service/health.ts';
import { labelRoutes } from './routes/service/labels.ts';
import { mailRoutes } from './routes/service/mail.ts';
import { metricsRoutes } from './routes/service/metrics.ts';
import { scamdbRoutes } from './routes/service/scamdb.ts';
import { sourceRoutes } from './routes/service/sources.ts';
import { activityRoutes } from './routes/tracing/activity.ts';
import { addressProfileRoutes } from './routes/tracing/address-profile.ts';
import { bridgeMatchRoutes } from './routes/tracing/bridge-matches.ts';
import { counterpartyRoutes } from './routes/tracing/counterparties.ts';
import { entityRoutes } from './routes/tracing/entities.ts';
import { exposureRoutes } from './routes/tracing/exposure.ts';
import { fundsRoutes } from './routes/tracing/funds.ts';
import { graphRoutes } from './routes/tracing/graph.ts';
import { openTransactionRoutes } from './routes/tracing/open-transaction.ts';
import { ownStatementRoutes } from './routes/tracing/own-statements.ts';
import { pairTransferRoutes } from './routes/tracing/pair-transfers.ts';
import { proofRoutes } from './routes/tracing/proofs.ts';
import { traceRoutes } from './routes/tracing/trace.ts';

declare module 'fastify' {
  interface FastifyInstance {
    servedRoutes: ServedRoute[];
  }
}

export interface AppOptions {
  /** Requests open at once, a tenth of them checks before signing; more are refused with 503. */
  inFlightMax?: number;
  /** A client who takes nothing of its answer for so long is disconnected, at the latest after twice as long. */
  sendMs?: number;
  /** How answers of a schema are written; default: as they are, since schemas are held by tests, which check each answer. */
  writeAnswers?: FastifySerializerCompiler<z.ZodType>;
}

const IN_FLIGHT_MAX = 1_000;
const SEND_MS = 30_000;
const PARAM_LENGTH_MAX = 1_024;
const SERVER_OPTIONS = {
  // The check before signing takes calldata in its query: 60 kB of it are twice as many characters.
  // Node looks for requests past their time this often. It takes the longer of both times for a whole request.
  http: { maxHeaderSize: 128 * 1024, connectionsCheckingInterval: 5_000, headersTimeout: 30_000 },
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
};

/** The HTTP service over the context's stores; the caller listens and closes it before the context. */
export async function buildApp(
  ctx: Context,
  { inFlightMax = IN_FLIGHT_MAX, sendMs = SEND_MS, writeAnswers = () => JSON.stringify }: AppOptions = {},
): Promise<App> {
  const metrics = createHttpMetrics(ctx.metrics.registry);
  addRecordGauges(ctx.metrics.registry, ctx);
  addQuestionGauges(ctx.metrics.registry, ctx.graphQuestions);
  const probe = openWriteProbe(ctx);
  const app: App = fastify({
    // No logger: traffic.ts writes one line for each request, which costs less.
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: trustedProxies(ctx.config.TRUST_PROXY),
    ...SERVER_OPTIONS,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    frameworkErrors: answerBadPath(ctx.log),
    clientErrorHandler: answerBadConnection,
    routerOptions: {
      maxParamLength: PARAM_LENGTH_MAX,
      querystringParser: readQuery,
    },
  }).withTypeProvider<ZodTypeProvider>();

  const served = recordRoutes(app);
  app.decorate('servedRoutes', served.list);
  app.decorateRequest('tenant', null);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(writeAnswers);
  readJsonBodies(app);
  // First, so that a page can read every refusal.
  allowOrigins(app, ctx.config.CORS_ORIGINS);
  watchTraffic(app, ctx.log, metrics, { inFlightMax, sendMs });
  answerErrors(app, ctx.log, served.methodsOf);
  await documentRoutes(app, ctx.config, eventWebhooks());

  const closeUnused = closeUnusedConnections(app.server);
  app.addHook('preClose', async () => closeUnused());
  app.addHook('onListen', async () => probe.start());
  app.addHook('onClose', async () => probe.stop());
  await healthRoutes(app, ctx, probe);
  await metricsRoutes(app, ctx);
  await consoleRoutes(app);
  await app.register(async (scope) => docsRoutes(scope.withTypeProvider<ZodTypeProvider>(), ctx));
  await app.register(async (scope) => signInRoutes(scope.withTypeProvider<ZodTypeProvider>(), ctx));
  await app.register(async (scope) => mailRoutes(scope.withTypeProvider<ZodTypeProvider>(), ctx));
  await app.register(
    async (scope) => {
      const api: App = scope.withTypeProvider<ZodTypeProvider>();
      guardAccess(api, ctx);
      answerOnce(api, ctx);
      keepViews(api, ctx);
      documentRefusals(api);
      await publicHealthRoutes(api, ctx, probe);
      await scanRoutes(api, ctx);
      await presignRoutes(api, ctx);
      await jobRoutes(api, ctx);
      await exposureRoutes(api, ctx);
      await counterpartyRoutes(api, ctx);
      await pairTransferRoutes(api, ctx);
      await openTransactionRoutes(api, ctx);
      await proofRoutes(api, ctx);
      await activityRoutes(api, ctx);
      await entityRoutes(api, ctx);
      await addressProfileRoutes(api, ctx);
      await labelRoutes(api, ctx);
      await fundsRoutes(api, ctx);
      await graphRoutes(api, ctx);
      await ownStatementRoutes(api, ctx);
      await traceRoutes(api, ctx);
      await bridgeMatchRoutes(api, ctx);
      await transactionRoutes(api, ctx);
      await transferRoutes(api, ctx);
      await screenedTransferRoutes(api, ctx);
      await usageRoutes(api, ctx);
      await scamdbRoutes(api, ctx);
      await ownLabelRoutes(api, ctx);
      await riskSettingsRoutes(api, ctx);
      await caseRoutes(api, ctx);
      await caseContentRoutes(api, ctx);
      await caseExportRoutes(api, ctx);
      await approvalRoutes(api, ctx);
      await boardRoutes(api, ctx);
      await bulkScanRoutes(api, ctx);
      await reportRoutes(api, ctx);
      await watchlistRoutes(api, ctx);
      await alertRoutes(api, ctx);
      await alertQueueRoutes(api, ctx);
      await ruleRoutes(api, ctx);
      await discoveryRoutes(api, ctx);
      await webhookRoutes(api, ctx);
      await webhookDeliveryRoutes(api, ctx);
      await apiKeyRoutes(api, ctx);
      await peopleRoutes(api, ctx);
      await sessionRoutes(api, ctx);
      await sourceRoutes(api, ctx);
      await auditRoutes(api, ctx);
      await mcpRoutes(api);
    },
    { prefix: '/api/v1' },
  );
  return app;
}

/** Returns nobody; everybody (`true`); a number of proxies; or a comma-separated list of addresses and networks. */
function trustedProxies(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
  if (setting === '' || setting === 'false') return false;
  if (setting === 'true') return true;
  const proxies = /^\d+$/.test(setting) ? Number(setting) : undefined;
  return proxies === undefined ? setting : (_address, hop) => hop < proxies;
}

/** The parameters of a query string, decoded. A repeated one is a list, which no schema of a parameter accepts. */
function readQuery(text: string): Record<string, string | string[] | undefined> {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** The operations that pages of wallets may call: their requests name an API key and no cookie. */
const OPEN_PATHS = /^\/api\/v1\/(?:public|exposure)\//;
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-api-key, x-request-id',
  'access-control-max-age': '600',
};
const READABLE_HEADERS = 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-request-id';

/** Lets pages of the named origins read the answers of OPEN_PATHS, refusals too. Without origins it does nothing. */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
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

interface ServedRoute {
  method: string;
  /** Fastify's pattern: `/api/v1/public/scans/:scan_id`. */
  url: string;
}

interface ServedRoutes {
  list: ServedRoute[];
  /** The methods that a path answers to, `OPTIONS` included; empty for an unknown path. */
  methodsOf: (path: string) => string[];
}

/** Keeps a list of the routes as they are added, for `Allow` headers and for the test that compares it with OpenAPI. */
function recordRoutes(app: FastifyInstance): ServedRoutes {
  const list: ServedRoute[] = [];
  const patterns = new Map<string, RegExp>();
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) list.push({ method, url: route.url });
    patterns.set(route.url, patternOf(route.url));
  });
  return {
    list,
    methodsOf: (path) => {
      // As in OpenAPI, a path that is served by its own name is not one of a pattern with a parameter in its place.
      const serves = (url: string) => (patterns.has(path) ? url === path : patterns.get(url)?.test(path));
      const methods = list.filter(({ url }) => serves(url)).map(({ method }) => method);
      return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
    },
  };
}

function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`);
}
