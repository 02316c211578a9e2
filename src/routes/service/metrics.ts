import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { NotFoundError, UnauthenticatedError } from '../../errors.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { isFromOperator } from './operator-request.ts';

export async function metricsRoutes(app: App, { config, metrics }: Context): Promise<void> {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Prometheus metrics',
        description:
          'With `METRICS_TOKEN` set, for its bearer. Otherwise for requests of this host that no proxy passed on, unless `METRICS_PUBLIC` is set.',
        tags: ['Service'],
        response: {
          200: { description: 'Prometheus text format', content: { 'text/plain': { schema: z.string() } } },
          ...refusals(401, 404),
        },
      },
    },
    async (request, reply) => {
      refuseStrangers(config, request);
      reply.type(metrics.registry.contentType).serializer(String);
      return metrics.registry.metrics();
    },
  );
}

function refuseStrangers(config: Config, request: FastifyRequest): void {
  const isKnown = isFromOperator(config, request);
  if (config.METRICS_TOKEN !== undefined) {
    if (!isKnown) throw new UnauthenticatedError('Metrics token required');
  } else if (!config.METRICS_PUBLIC && !isKnown) throw new NotFoundError();
}
