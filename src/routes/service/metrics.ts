import { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { NotFoundError } from '../../errors.ts';
import type { Metrics } from '../../http/metrics.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export async function metricsRoutes(app: App, ctx: Context, metrics: Metrics): Promise<void> {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Prometheus metrics',
        description: 'Answers loopback only, unless `METRICS_PUBLIC` is set.',
        tags: ['Service'],
        response: {
          200: { description: 'Prometheus text format', content: { 'text/plain': { schema: z.string() } } },
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      if (!ctx.config.METRICS_PUBLIC && !isLocal(request)) throw new NotFoundError();
      reply.type(metrics.registry.contentType).serializer(String);
      return metrics.registry.metrics();
    },
  );
}

/** A proxy on this machine also comes from loopback: what it passes on is not local. */
function isLocal(request: FastifyRequest): boolean {
  const { headers, socket } = request;
  if (headers['x-forwarded-for'] || headers.forwarded || headers['x-real-ip']) return false;
  const peer = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
  return loopback.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4');
}
