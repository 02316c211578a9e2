import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ordered } from '../../../reports/render.ts';
import { tenantOf } from '../../http/auth.ts';

/** Whose report a request asks for; one that its caller no longer waits for is not drawn. */
export function orderedBy(request: FastifyRequest, reply: FastifyReply): Ordered {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort(new Error('The caller left')));
  return { accountId: tenantOf(request).accountId, signal: left.signal };
}
