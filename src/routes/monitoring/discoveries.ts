import { z } from 'zod';
import type { Context } from '../../context.ts';
import { DISCOVERY_STATUSES } from '../../domain/watch.ts';
import { PlanLimitError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { dismissDiscovery, listDiscoveries, promoteDiscovery } from '../../questions/monitoring/manage-discoveries.ts';
import { success } from '../fields.ts';
import { uuid } from '../schemas.ts';
import { DiscoveryListSchema, DiscoverySchema, ItemParams, WatchlistItemSchema } from './watchlist-schemas.ts';

const DiscoveryParams = z.object({ discovery_id: uuid.describe('From GET /watchlist/{item_id}/discoveries') });
const DiscoveryQuery = z.object({
  status: z
    .string()
    .max(20)
    .default('active')
    .meta({ description: DISCOVERY_STATUSES.join(', ') }),
});

const tags = ['Watchlist'];

export async function discoveryRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/watchlist/:item_id/discoveries',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listDiscoveries',
        summary: 'What Follow Mode found, newest first',
        tags,
        params: ItemParams,
        querystring: DiscoveryQuery,
        response: {
          200: DiscoveryListSchema,
          ...refusals(404),
        },
      },
    },
    (request) => listDiscoveries(ctx, tenantOf(request), request.params.item_id, request.query.status),
  );

  app.post(
    '/watchlist/discoveries/:discovery_id/dismiss',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'dismissDiscovery',
        summary: 'Dismiss a discovery',
        tags,
        params: DiscoveryParams,
        response: {
          200: z.object({ success, discovery: DiscoverySchema }).meta({ id: 'DiscoveryDismissed' }),
          ...refusals(400, 404),
        },
      },
    },
    async (request) => ({
      success: true as const,
      discovery: await dismissDiscovery(ctx, tenantOf(request), request.params.discovery_id),
    }),
  );

  app.post(
    '/watchlist/discoveries/:discovery_id/promote',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'promoteDiscovery',
        summary: 'Watch a discovered address',
        tags,
        params: DiscoveryParams,
        response: {
          200: z
            .object({ success, item: WatchlistItemSchema, discovery: DiscoverySchema })
            .meta({ id: 'DiscoveryPromoted' }),
          ...refusals(400, new PlanLimitError('Watchlist limit reached (50 items)'), 404),
        },
      },
    },
    async (request) => ({
      success: true as const,
      ...(await promoteDiscovery(ctx, tenantOf(request), request.params.discovery_id)),
    }),
  );
}
