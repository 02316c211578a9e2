import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { CrossChain, LikelyMatches } from '../domain/bridges/crossing.ts';
import { callerOf } from '../http/access.ts';
import { countdown, type Inquiry, inquire, withCypher } from '../tracing/read/inquiry.ts';

interface GraphSwitches {
  crossChain?: CrossChain;
  likelyMatches?: LikelyMatches;
  /** True: the answer shows the statements that were asked. */
  cypher?: boolean;
}

/** Asks the graph for who called, in one of the places that callers share. The time of a trace begins in that place. */
export async function askGraph<Answer extends object>(
  ctx: Context,
  request: FastifyRequest,
  { cypher = false, ...bridges }: GraphSwitches,
  question: (asked: Context & Inquiry) => Promise<Answer>,
): Promise<Answer & { cypher?: string }> {
  const inquiry = await inquire(ctx, request.tenant?.accountId ?? null, bridges);
  return ctx.graphQuestions.ask(callerOf(request), (limited) =>
    withCypher(limited, cypher, (graph) =>
      question({ ...inquiry, graph, remainingMs: countdown(ctx.config.TRACE_MS) }),
    ),
  );
}
