import { z } from 'zod';
import type { Context } from '../../context.ts';
import { DELIVERY_STATUSES } from '../../domain/event.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { testWebhook } from '../../questions/monitoring/manage-webhooks.ts';
import { getDelivery, listDeliveries, replay } from '../../questions/monitoring/webhook-deliveries.ts';
import { pageLimit, pageOffset } from '../fields.ts';
import { uuid } from '../schemas.ts';
import {
  WebhookDeliveryDetailSchema,
  WebhookDeliveryListSchema,
  WebhookDeliverySchema,
  WebhookTestSchema,
} from './webhook-schemas.ts';

const DeliveryParams = z.object({ delivery_id: uuid.describe('From GET /webhooks/deliveries') });
const DeliveryQuery = z.object({
  config_id: uuid.optional().describe('Deliveries to this endpoint alone'),
  status: z.enum(DELIVERY_STATUSES).optional().describe('Deliveries of this status alone'),
  limit: pageLimit({ max: 500, fallback: 50 }),
  offset: pageOffset(),
});

const tags = ['Webhooks'];

export async function webhookDeliveryRoutes(app: App, ctx: Context): Promise<void> {
  app.post(
    '/webhooks/test',
    {
      config: { turn: 'waits', access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a sample event to an endpoint',
        description:
          'Sends one signed `scan.completed`, waits up to 10 s for the answer, and does not try again. Two tests of an account may run at once; 429 says when to try again.',
        tags,
        body: z.object({ webhook_config_id: uuid.describe('Id of the endpoint') }),
        response: { 200: WebhookTestSchema, ...refusals(404) },
      },
    },
    async (request) => testWebhook(ctx, tenantOf(request), request.body.webhook_config_id),
  );

  app.get(
    '/webhooks/deliveries',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'What was sent to your endpoints, newest first',
        description: 'Kept for 30 days.',
        tags,
        querystring: DeliveryQuery,
        response: { 200: WebhookDeliveryListSchema },
      },
    },
    async (request) => listDeliveries(ctx, tenantOf(request), request.query),
  );

  app.get(
    '/webhooks/deliveries/:delivery_id',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'One delivery with every attempt and the body that was sent',
        description: 'Kept for 30 days.',
        tags,
        params: DeliveryParams,
        response: { 200: WebhookDeliveryDetailSchema, ...refusals(404) },
      },
    },
    async (request) => getDelivery(ctx, tenantOf(request), request.params.delivery_id),
  );

  app.post(
    '/webhooks/deliveries/:delivery_id/replay',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'replayWebhookDelivery',
        summary: 'Send a delivery again',
        description: 'At once, under the same id, and by the whole schedule if it fails.',
        tags,
        params: DeliveryParams,
        response: {
          200: z.object({ delivery: WebhookDeliverySchema }).meta({ id: 'WebhookReplayed' }),
          ...refusals(404, 409),
        },
      },
    },
    async (request) => ({ delivery: await replay(ctx, tenantOf(request), request.params.delivery_id) }),
  );
}
