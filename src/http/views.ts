import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { atMost } from '../domain/at-most.ts';
import { HOUR_MS } from '../domain/time.ts';
import { insertView, type View } from '../records/audit/audit-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answer shows a case, an address, or rows of addresses: the audit log keeps who saw them. */
    views?: 'case' | 'address' | 'rows';
  }
}

const REMEMBERED_MAX = 20_000;

interface OfAddress {
  chain?: unknown;
  address?: unknown;
}

/** Writes who sees a case or an address before the answer goes out; once for each person or key, object and hour. */
export function keepViews(api: FastifyInstance, ctx: Context): void {
  /** Spares the records what this process has written already. */
  const written = new LRUCache<string, true>(atMost(REMEMBERED_MAX));

  api.addHook('onRoute', (route) => {
    if (route.config?.views) route.preSerialization = [route.preSerialization ?? [], keep].flat();
  });

  async function keep(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const { tenant } = request;
    if (!tenant || reply.statusCode !== 200) return payload;
    const now = ctx.now();
    const keyOf = (view: View) => `${tenant.keyId} ${view.subject} ${Math.floor(now / HOUR_MS)}`;
    const views = viewsIn(request, payload).filter((view) => !written.has(keyOf(view)));
    if (views.length === 0) return payload;
    await insertView(ctx.records, tenant, views, now);
    for (const view of views) written.set(keyOf(view), true);
    return payload;
  }
}

function viewsIn({ routeOptions, params }: FastifyRequest, payload: unknown): View[] {
  if (routeOptions.config.views === 'case') {
    const { case_id: caseId } = params as { case_id: string };
    return [{ action: 'case_viewed', subject: caseId, caseId }];
  }
  const { results = [] } = payload as { results?: OfAddress[] };
  const shown = routeOptions.config.views === 'rows' ? results : [payload as OfAddress];
  return shown.flatMap(({ chain, address }) =>
    typeof chain === 'string' && typeof address === 'string'
      ? [{ action: 'address_viewed' as const, subject: `${chain}:${address}` }]
      : [],
  );
}
