import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OverloadError } from '../errors.ts';
import { FairQueue, type Leave, type QueuedCaller } from '../fairness/fair-queue.ts';
import { REQUEST_QUEUES } from '../fairness/queues.ts';

/** The kinds of requests; each has places that no other can take. */
export type Turn = keyof typeof REQUEST_QUEUES;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The places that a request takes; by default those of its bucket, `answers` of the bucket `requests`. */
    turn?: Turn;
  }
  interface FastifyRequest {
    /** Waits for the request's turn, once; null where it needs none. */
    takeTurn: (() => Promise<void>) | null;
    turn: Leave | null;
  }
}

/**
 * Lets requests wait for their turn, so that a burst of one account waits behind itself. Places go to others once an
 * answer is made; those of the account itself stay taken until its client has the answer, so that unread ones are few.
 */
export function openTurns(
  app: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply, wanted: { turn: Turn; caller: QueuedCaller }) => void {
  const queues = Object.fromEntries(
    Object.entries(REQUEST_QUEUES).map(([turn, limits]) => [turn, new FairQueue(limits)]),
  ) as Record<Turn, FairQueue>;
  app.decorateRequest('takeTurn', null);
  app.decorateRequest('turn', null);
  app.addHook('preValidation', async (request) => request.takeTurn?.());
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.turn?.share();
    done(null, payload);
  });
  return (request, reply, { turn, caller }) => {
    let taking: Promise<void> | undefined;
    request.takeTurn = () => {
      taking ??= take(queues[turn], caller, request, reply);
      return taking;
    };
  };
}

async function take(
  queue: FairQueue,
  caller: QueuedCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => {
    request.turn?.();
    gone.abort(new OverloadError('The caller has left', 1));
  };
  reply.raw.once('close', leave);
  if (reply.raw.destroyed) leave();
  request.turn = await queue.enter(caller, gone.signal);
}
