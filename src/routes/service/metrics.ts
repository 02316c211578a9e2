import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { NotFoundError, UnauthenticatedError } from '../../errors.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Headers by which proxies say for whom they ask. */
const FORWARDING =
  /^(forwarded|via|x-forwarded-.+|x-original-.+|x-real-ip|(x-|true-|x-cluster-|fastly-)?client-ip|cf-.+|x-envoy-.+)$/;

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
  const { METRICS_TOKEN: token, METRICS_PUBLIC: isPublic, TRUST_PROXY: proxies } = config;
  if (token !== undefined) {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined || !isSame(given, token)) throw new UnauthenticatedError('Metrics token required');
  } else if (!isPublic && (!/^(false)?$/.test(proxies) || !isLocal(request))) throw new NotFoundError();
}

/** Hashes are of one length, so that the comparison takes the same time whatever was sent. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** A proxy on this machine, or a page in its browser, also comes from loopback: what they pass on is not local. */
function isLocal({ headers, hostname, socket }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return isLoopback(socket.remoteAddress ?? '') && (host === 'localhost' || isLoopback(host));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  const version = isIP(plain);
  return version !== 0 && loopback.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
