import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { App } from '../../http/typed-app.ts';
import { allReachable, checkStores, loadedLists } from '../../questions/check-health.ts';
import { timestamp } from '../schemas.ts';

const Reachable = z.enum(['ok', 'unreachable']);
const PublicHealth = z
  .object({ status: z.enum(['ok', 'degraded']), service: z.literal('traceflow'), cache: z.boolean() })
  .meta({ id: 'PublicHealth', description: '`cache`: whether scan results are cached' });
const Live = z.object({ status: z.literal('ok') }).meta({ id: 'Live' });
const Ready = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    records: Reachable,
    graph: Reachable,
    limits: Reachable,
    labels: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Names of the loaded lists; empty: answers know nobody' }),
    lists: z
      .array(z.object({ source: z.string(), entries: z.int(), as_of: z.iso.date(), loaded_at: timestamp }))
      .nullable()
      .meta({ description: 'The same with labels in force and day of each; null where the records cannot be read' }),
  })
  .meta({ id: 'Ready' });

/** `/public/health`, part of the contract. */
export async function publicHealthRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/public/health',
    {
      config: { access: 'public' },
      exposeHeadRoute: true,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the service answers',
        tags: ['Service'],
        response: { 200: PublicHealth },
      },
    },
    async () => {
      const stores = await checkStores(ctx);
      return {
        status: allReachable(stores) ? ('ok' as const) : ('degraded' as const),
        service: 'traceflow' as const,
        cache: stores.records === 'ok' && ctx.config.CACHE_SCAN_SECONDS > 0,
      };
    },
  );
}

/** For whoever runs the process: is it alive, can it take traffic. */
export async function healthRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/health/live',
    {
      exposeHeadRoute: true,
      schema: {
        operationId: 'getLive',
        summary: 'Whether the process answers',
        tags: ['Service'],
        response: { 200: Live },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/health/ready',
    {
      exposeHeadRoute: true,
      schema: {
        operationId: 'getReady',
        summary: 'Whether the stores can be reached',
        tags: ['Service'],
        response: { 200: Ready, 503: Ready },
      },
    },
    async (_request, reply) => {
      const stores = await checkStores(ctx);
      const ready = allReachable(stores);
      reply.code(ready ? 200 : 503);
      const lists = stores.records === 'ok' ? await loadedLists(ctx) : null;
      const labels = lists?.map(({ source }) => source) ?? null;
      return { status: ready ? ('ready' as const) : ('not_ready' as const), ...stores, labels, lists };
    },
  );
}
