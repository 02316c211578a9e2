import { createServer } from 'node:http';
import fastify from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Context } from './context.ts';
import { guardAccess, openKeyCheck } from './http/auth.ts';
import { BODY_BYTES_MAX, readJsonBodies } from './http/body.ts';
import { answerBadConnection, answerBadPath, answerErrors } from './http/errors.ts';
import { answerOnce } from './http/idempotency.ts';
import { validatorCompiler } from './http/issues.ts';
import { recordRoutes, type ServedRoute } from './http/methods.ts';
import { createMetrics } from './http/metrics.ts';
import { documentRefusals, documentRoutes } from './http/openapi.ts';
import { readQuery } from './http/query.ts';
import { openTraffic, requestId, watchTraffic } from './http/traffic.ts';
import type { App } from './http/typed-app.ts';
import { openPresignCheck } from './questions/presign/check-presign.ts';
import { apiKeyRoutes } from './routes/account/api-keys.ts';
import { riskSettingsRoutes } from './routes/account/risk-settings.ts';
import { usageRoutes } from './routes/account/usage.ts';
import { caseContentRoutes } from './routes/cases/case-contents.ts';
import { caseRoutes } from './routes/cases/cases.ts';
import { presignRoutes } from './routes/presign/presign.ts';
import { isPresignRequest, openPresignLane } from './routes/presign/presign-lane.ts';
import { scamdbRoutes } from './routes/scamdb/scamdb.ts';
import { jobRoutes } from './routes/scans/jobs.ts';
import { scanRoutes } from './routes/scans/scan.ts';
import { transactionRoutes } from './routes/scans/transactions.ts';
import { docsRoutes } from './routes/service/docs.ts';
import { healthRoutes, publicHealthRoutes } from './routes/service/health.ts';
import { metricsRoutes } from './routes/service/metrics.ts';
import { transferRoutes } from './routes/tokens/transfers.ts';
import { exposureRoutes } from './routes/tracing/exposure.ts';
import { graphRoutes } from './routes/tracing/graph.ts';

declare module 'fastify' {
  interface FastifyInstance {
    servedRoutes: ServedRoute[];
  }
}

export interface AppOptions {
  /** Requests answered at once; more are refused with 503. */
  inFlightMax?: number;
}

const IN_FLIGHT_MAX = 1_000;
const PARAM_LENGTH_MAX = 1_024;
const SERVER_OPTIONS = {
  // Calldata comes in the query of the check before signing: 60 kB of it are twice as many characters.
  maxHeaderSize: 128 * 1024,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
};

/** The HTTP service over the context's stores; the caller listens and closes it before the context. */
export async function buildApp(ctx: Context, { inFlightMax = IN_FLIGHT_MAX }: AppOptions = {}): Promise<App> {
  const metrics = createMetrics();
  const traffic = openTraffic(ctx.log, metrics, inFlightMax);
  const keys = openKeyCheck(ctx);
  const presign = openPresignCheck(ctx);
  const lane = openPresignLane(ctx, { traffic, keys, presign });
  const app: App = fastify({
    // It gets no logger: what that costs each request is more than the one line that traffic.ts writes.
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: trustedProxies(ctx.config.TRUST_PROXY),
    serverFactory: (handle) => {
      const server = createServer(SERVER_OPTIONS, (request, response) => {
        // A service that is closing says so in its answers, which the framework sees to.
        if (!isPresignRequest(request) || !server.listening) return handle(request, response);
        void lane(request, response).then((isAnswered) => isAnswered || handle(request, response));
      });
      return server;
    },
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
  app.setSerializerCompiler(serializerCompiler);
  readJsonBodies(app);
  watchTraffic(app, traffic);
  answerErrors(app, ctx.log, served.methodsOf);
  await documentRoutes(app, ctx.config);

  await healthRoutes(app, ctx);
  await metricsRoutes(app, ctx, metrics);
  await docsRoutes(app);
  await app.register(
    async (scope) => {
      const api: App = scope.withTypeProvider<ZodTypeProvider>();
      guardAccess(api, ctx, keys);
      answerOnce(api, ctx);
      documentRefusals(api);
      await publicHealthRoutes(api, ctx);
      await scanRoutes(api, ctx);
      await presignRoutes(api, presign);
      await jobRoutes(api, ctx);
      await exposureRoutes(api, ctx);
      await graphRoutes(api, ctx);
      await transactionRoutes(api, ctx);
      await transferRoutes(api, ctx);
      await usageRoutes(api, ctx);
      await scamdbRoutes(api, ctx);
      await riskSettingsRoutes(api, ctx);
      await caseRoutes(api, ctx);
      await caseContentRoutes(api, ctx);
      await apiKeyRoutes(api, ctx);
    },
    { prefix: '/api/v1' },
  );
  return app;
}

/** Nobody; everybody (`true`); a number of proxies; or a comma-separated list of addresses and networks. */
function trustedProxies(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
  if (setting === '' || setting === 'false') return false;
  if (setting === 'true') return true;
  const proxies = /^\d+$/.test(setting) ? Number(setting) : undefined;
  return proxies === undefined ? setting : (_address, hop) => hop < proxies;
}
