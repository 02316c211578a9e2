import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ordered } from '../../../reports/render.ts';
import { tenantOf } from '../../http/auth.ts';

/** Returns the account that a report is drawn for, with a signal that ends the drawing once the caller has left. */
export function orderedBy(request: FastifyRequest, reply: FastifyReply): Ordered {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort(new Error('The caller left')));
  return { accountId: tenantOf(request).accountId, signal: left.signal };
}
