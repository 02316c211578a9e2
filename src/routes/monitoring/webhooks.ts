import { z } from 'zod';
import type { Context } from '../../context.ts';
import { EVENT_TYPES, EVENTS } from '../../domain/event.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../questions/monitoring/manage-webhooks.ts';
import { uuid } from '../schemas.ts';
import {
  EventCatalogueSchema,
  NewWebhookBody,
  WebhookChangeBody,
  WebhookConfigSchema,
  WebhookWithSecretSchema,
} from './webhook-schemas.ts';

const WebhookParams = z.object({ config_id: uuid.describe('Id of the endpoint') });

const tags = ['Webhooks'];

export async function webhookRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/webhooks/events',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'listEventTypes',
        summary: 'The types of events that an endpoint can ask for',
        tags,
        response: { 200: EventCatalogueSchema },
      },
    },
    async () => ({ events: EVENT_TYPES.map((type) => ({ type, description: EVENTS[type] })) }),
  );

  app.get(
    '/webhooks/configs',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'listWebhooks',
        summary: 'Your endpoints, oldest first',
        tags,
        response: {
          200: z.object({ configs: z.array(WebhookConfigSchema).describe('Oldest first') }).meta({ id: 'WebhookList' }),
        },
      },
    },
    async (request) => ({ configs: await listWebhooks(ctx, tenantOf(request)) }),
  );

  app.post(
    '/webhooks/configs',
    {
      config: {
        access: 'key',
        rights: ['admin'],
        feature: 'webhookEndpoints',
        idempotent: true,
      },
      schema: {
        operationId: 'createWebhook',
        summary: 'Add an endpoint',
        description: 'The URL must be https on a public address, port 443 or 8443, unless the operator allows others.',
        tags,
        body: NewWebhookBody,
        response: { 200: WebhookWithSecretSchema, ...refusals(400, 403) },
      },
    },
    async (request) => createWebhook(ctx, tenantOf(request), request.body),
  );

  app.patch(
    '/webhooks/configs/:config_id',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change an endpoint',
        tags,
        params: WebhookParams,
        body: WebhookChangeBody,
        response: {
          200: z.object({ config: WebhookConfigSchema }).meta({ id: 'WebhookUpdated' }),
          ...refusals(400, 404),
        },
      },
    },
    async (request) => ({
      config: await updateWebhook(ctx, tenantOf(request), request.params.config_id, request.body),
    }),
  );

  app.delete(
    '/webhooks/configs/:config_id',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete an endpoint',
        description: 'Answers how many were deleted: 0 where there is none of that id.',
        tags,
        params: WebhookParams,
        response: {
          200: z.object({ deleted: z.int().describe('How many were deleted: 0 or 1') }).meta({ id: 'WebhookDeleted' }),
        },
      },
    },
    async (request) => ({ deleted: await deleteWebhook(ctx, tenantOf(request), request.params.config_id) }),
  );

  app.post(
    '/webhooks/configs/:config_id/rotate-secret',
    {
      config: { access: 'key', rights: ['admin'], idempotent: true },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give an endpoint a new secret',
        description:
          'For 24 hours after its rotation a secret still signs too: `X-Service-Signature` is made with the new secret, `X-Service-Signature-Previous` with the one before it, and `webhook-signature` lists one for every valid secret. 409 while four previous secrets are valid.',
        tags,
        params: WebhookParams,
        response: { 200: WebhookWithSecretSchema, ...refusals(404, 409) },
      },
    },
    async (request) => rotateWebhookSecret(ctx, tenantOf(request), request.params.config_id),
  );
}
