import { z } from 'zod';
import { DELIVERY_STATUSES, EVENT_TYPES } from '../../domain/event.ts';
import { longText, timestamp, uuid, wholeNumber } from '../schemas.ts';

const EventType = z.enum(EVENT_TYPES);
const events = z
  .array(EventType)
  .min(1)
  .transform((types) => [...new Set(types)]);
const webhookUrl = z.string().min(1).max(2_000);
const description = longText(500);

export const NewWebhook = z.object({
  webhook_url: webhookUrl,
  description: description.optional(),
  events: events.optional().meta({ description: 'All six where left out' }),
});

export const WebhookChange = z.object({
  webhook_url: webhookUrl.optional(),
  description: description.optional(),
  events: events.optional(),
  is_active: z.boolean().optional(),
});

export const WebhookParams = z.object({ config_id: uuid });
export const DeliveryParams = z.object({ delivery_id: uuid });

export const WebhookConfig = z
  .object({
    id: z.guid(),
    webhook_url: z.string(),
    description: z.string(),
    events: z.array(EventType),
    is_active: z.boolean().meta({ description: 'False too after the answer 410, or 5 days of failure' }),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookConfig' });

export const WebhookWithSecret = z
  .object({ config: WebhookConfig, secret: z.string(), message: z.string() })
  .meta({ id: 'WebhookWithSecret', description: '`secret` is shown this once' });

export const WebhookTest = z
  .object({ success: z.boolean(), status_code: z.int().nullable(), error: z.string().nullable() })
  .meta({ id: 'WebhookTest' });

export const DeliveryQuery = z.object({
  config_id: uuid.optional(),
  status: z
    .string()
    .max(20)
    .optional()
    .meta({ description: DELIVERY_STATUSES.join(', ') }),
  limit: wholeNumber({ min: 1, max: 500, fallback: 50 }),
});

export const WebhookDelivery = z
  .object({
    id: z.guid().meta({ description: 'The same in every attempt, as `X-Service-Delivery`' }),
    config_id: z.guid(),
    event: EventType,
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    created_at: timestamp,
    last_attempt_at: timestamp.nullable(),
    next_attempt_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const EventCatalogue = z
  .object({ events: z.array(z.object({ type: EventType, description: z.string() })) })
  .meta({ id: 'EventCatalogue' });
