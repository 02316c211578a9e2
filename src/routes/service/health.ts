import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { timestamp } from '../../domain/fields.ts';
import { LIST_GAPS } from '../../domain/label.ts';
import { LISTENER_STATES, LIVE_REASONS } from '../../domain/watch.ts';
import type { App } from '../../http/typed-app.ts';
import { LabelListSchema } from '../../labels/label-lists.ts';
import { allReachable, checkStores, listsInTrouble, loadedLists, sourcesInUse } from '../../questions/check-health.ts';
import { listenersOrNull } from '../../questions/monitoring/live-now.ts';
import { checkSecrets, SECRETS_STATES } from '../../questions/secrets.ts';
import type { WriteProbe } from '../../questions/write-probe.ts';
import { isFromOperator } from './operator-request.ts';

const StoreStateSchema = z.enum(['ok', 'unreachable', 'read_only']).meta({
  id: 'StoreState',
  description: '`read_only`: the store answers and takes no writes, as on a full disk',
});
const PublicHealthSchema = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('`degraded`: a store cannot be used'),
    service: z.literal('traceflow').describe('The name of the product'),
    cache: z.boolean().describe('Whether scan results are cached'),
  })
  .meta({ id: 'PublicHealth' });
const LiveSchema = z.object({ status: z.literal('ok').describe('The process answers') }).meta({ id: 'Live' });
const Details = z.object({
  records: StoreStateSchema.describe('Store of accounts, scans and cases'),
  graph: StoreStateSchema.describe('Store of the graph'),
  limits: StoreStateSchema.describe('Store of rate limits'),
  secrets: z
    .enum(SECRETS_STATES)
    .nullable()
    .describe(
      'Whether this process has the key of the records; `rotation_due`: as `SECRET_KEY_PREVIOUS`; null where they cannot be read',
    ),
  labels: z.array(z.string()).nullable().meta({ description: 'Names of the loaded lists; empty: answers know nobody' }),
  lists: z
    .array(LabelListSchema)
    .nullable()
    .meta({ description: 'The same with labels in force and day of each; null where the records cannot be read' }),
  list_gap: z
    .enum(LIST_GAPS)
    .nullable()
    .describe('Why scans cannot be LOW: no list of sanctions is loaded, or one is older than twice its interval'),
  sources: z
    .array(
      z.object({
        chain: z.enum(CHAINS),
        last_success_at: timestamp.nullable().describe('When a source last answered this process'),
      }),
    )
    .describe('Chains with a configured source'),
  lists_in_trouble: z
    .array(
      z.object({
        source: z.string().describe('As in `traceflow load`'),
        state: z.enum(['failed', 'waiting']).describe('`waiting`: it lost more than a tenth'),
      }),
    )
    .nullable()
    .describe('Kept lists that could not be refreshed, or wait for a decision of the operator'),
  listeners: z
    .array(
      z.object({
        chain: z.enum(CHAINS),
        state: z.enum(LISTENER_STATES).describe('`catching_up`: it has not reached the newest block'),
        since: timestamp.describe('Since when'),
        last_block: z.int().nullable().describe('The newest block that was listened to'),
        lag_blocks: z.int().nullable().describe('Blocks between that and the newest one of its source'),
        reason: z.enum(LIVE_REASONS).nullable().describe('Why it does not listen'),
        touches: z.int().describe('Heard of live addresses since it first listened'),
        scans: z.int().describe('Scans that these caused'),
      }),
    )
    .nullable()
    .describe('Chains that are listened to for live addresses; null where the records cannot be read'),
});
const ReadySchema = z
  .object({
    status: z.enum(['ready', 'not_ready']).describe('Whether it can take requests'),
    ...Details.partial().shape,
  })
  .meta({ id: 'Ready' });

/** `/public/health`, part of the contract. */
export async function publicHealthRoutes(app: App, ctx: Context, probe: WriteProbe): Promise<void> {
  app.get(
    '/public/health',
    {
      config: { access: 'public' },
      exposeHeadRoute: true,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the service answers',
        tags: ['Service'],
        response: { 200: PublicHealthSchema },
      },
    },
    async () => {
      const stores = await checkStores(ctx, probe);
      return {
        status: allReachable(stores) ? ('ok' as const) : ('degraded' as const),
        service: 'traceflow' as const,
        cache: stores.records === 'ok' && ctx.config.CACHE_SCAN_SECONDS > 0,
      };
    },
  );
}

/** For whoever runs the process: is it alive, can it take traffic. */
export async function healthRoutes(app: App, ctx: Context, probe: WriteProbe): Promise<void> {
  app.get(
    '/health/live',
    {
      exposeHeadRoute: true,
      schema: {
        operationId: 'getLive',
        summary: 'Whether the process answers',
        tags: ['Service'],
        response: { 200: LiveSchema },
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
        summary: 'Whether the stores can be reached and take writes',
        description:
          'All fields but `status` are for the operator: a request of this host that no proxy passed on, or, with `METRICS_TOKEN` ' +
          'set, its bearer.',
        tags: ['Service'],
        response: { 200: ReadySchema, 503: ReadySchema },
      },
    },
    async (request, reply) => {
      const stores = await checkStores(ctx, probe);
      const secrets = stores.records === 'ok' ? await checkSecrets(ctx) : null;
      const ready = allReachable(stores) && secrets !== 'wrong_key' && !ctx.leaving.signal.aborted;
      reply.code(ready ? 200 : 503);
      const status = ready ? ('ready' as const) : ('not_ready' as const);
      if (!isFromOperator(ctx.config, request)) return { status };
      const loaded = stores.records === 'ok' ? await loadedLists(ctx) : null;
      const lists = loaded?.lists ?? null;
      const lists_in_trouble = stores.records === 'ok' ? await listsInTrouble(ctx) : null;
      const listeners = stores.records === 'ok' ? await listenersOrNull(ctx) : null;
      const labels = lists?.map(({ source }) => source) ?? null;
      const list_gap = loaded?.gap ?? null;
      return {
        status,
        ...stores,
        secrets,
        labels,
        lists,
        list_gap,
        sources: sourcesInUse(ctx),
        lists_in_trouble,
        listeners,
      };
    },
  );
}
