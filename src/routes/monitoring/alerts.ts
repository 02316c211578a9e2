import { z } from 'zod';
import type { Context } from '../../context.ts';
import { timestamp } from '../../domain/fields.ts';
import { ALERT_TYPES } from '../../events/alerts.ts';
import { tenantOf } from '../../http/auth.ts';
import type { App } from '../../http/typed-app.ts';
import { listAlerts, readAlerts } from '../../questions/monitoring/alerts.ts';
import { limit, offset, pageLimit, pageOffset, success, total } from '../fields.ts';
import { flag, uuid } from '../schemas.ts';

const IDS_MAX = 200;

const AlertSchema = z
  .object({
    id: z.guid().describe('Id of the alert'),
    event: z.enum(ALERT_TYPES).describe('Its type, as webhooks name it'),
    data: z.record(z.string(), z.unknown()).describe('What happened: the `data` that webhooks get for this type'),
    created_at: timestamp.describe('When it happened'),
    read_at: timestamp.nullable().describe('When a key of the account marked it as read; null before'),
  })
  .meta({ id: 'Alert', description: 'Something that monitoring found' });

const AlertListSchema = z
  .object({
    alerts: z.array(AlertSchema).describe('Newest first'),
    total,
    unread: z.int().describe('How many are not read, on every page'),
    limit,
    offset,
  })
  .meta({ id: 'AlertList' });

const tags = ['Watchlist'];

export async function alertRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/watchlist/alerts',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listAlerts',
        summary: 'What monitoring found, newest first',
        description: 'Of the last 30 days, with or without a webhook.',
        tags,
        querystring: z.object({
          unread: flag.describe('`true`: only those that are not read'),
          limit: pageLimit({ max: 200, fallback: 50 }),
          offset: pageOffset(),
        }),
        response: { 200: AlertListSchema },
      },
    },
    async (request) => listAlerts(ctx, tenantOf(request), request.query),
  );

  app.post(
    '/watchlist/alerts/read',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'readAlerts',
        summary: 'Mark alerts as read',
        tags,
        body: z.object({ ids: z.array(uuid).max(IDS_MAX).optional().describe('Left out: all of the account') }),
        response: {
          200: z
            .object({ success, read: z.int().describe('How many were not read before') })
            .meta({ id: 'AlertsRead' }),
        },
      },
    },
    async (request) => ({ success: true as const, read: await readAlerts(ctx, tenantOf(request), request.body.ids) }),
  );
}
