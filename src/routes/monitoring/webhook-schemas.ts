import { z } from 'zod';
import { DELIVERY_STATUSES, EVENT_TYPES } from '../../domain/event.ts';
import { timestamp } from '../../domain/fields.ts';
import { limit, offset, total } from '../fields.ts';
import { longText } from '../schemas.ts';

const EventTypeSchema = z
  .enum(EVENT_TYPES)
  .meta({ id: 'EventType', description: 'GET /webhooks/events says when each is sent' });
const events = z
  .array(EventTypeSchema)
  .min(1)
  .transform((types) => [...new Set(types)]);
const webhookUrl = z
  .string()
  .min(1)
  .max(2_000)
  .describe('Where events are sent: https on a public address, port 443 or 8443');
const description = longText(500).describe('Your own words');

export const NewWebhookBody = z.object({
  webhook_url: webhookUrl,
  description: description.optional(),
  events: events.optional().describe('What to send; left out: all six'),
});

export const WebhookChangeBody = z.object({
  webhook_url: webhookUrl.optional(),
  description: description.optional(),
  events: events.optional().describe('Replaces the list'),
  is_active: z.boolean().optional().describe('False stops deliveries; true starts them again'),
});

export const WebhookConfigSchema = z
  .object({
    id: z.guid().describe('Id of the endpoint'),
    webhook_url: z.string().describe('Where events are sent'),
    description: z.string().describe('Your own words; empty without any'),
    events: z.array(EventTypeSchema).describe('What is sent to it'),
    is_active: z.boolean().meta({ description: 'False too after the answer 410, or 5 days of failure' }),
    created_at: timestamp.describe('When it was added'),
  })
  .meta({ id: 'WebhookConfig', description: 'An endpoint that events are sent to' });

export const WebhookWithSecretSchema = z
  .object({
    config: WebhookConfigSchema,
    secret: z.string().describe('Key of the signatures; shown this once'),
    message: z.string().describe('What to do with the secret'),
  })
  .meta({ id: 'WebhookWithSecret', description: '`secret` is shown this once' });

export const WebhookTestSchema = z
  .object({
    success: z.boolean().describe('Whether the endpoint answered 2xx'),
    status_code: z.int().nullable().describe('What it answered; null without an answer'),
    error: z.string().nullable().describe('Why there was no success; null otherwise'),
  })
  .meta({ id: 'WebhookTest' });

export const WebhookDeliverySchema = z
  .object({
    id: z.guid().meta({ description: 'The same in every attempt, as `X-Service-Delivery`' }),
    config_id: z.guid().describe('The endpoint'),
    event: EventTypeSchema,
    status: z
      .enum(DELIVERY_STATUSES)
      .describe(
        '`failed` is not tried again; `exhausted`: every attempt of the schedule failed, or too many deliveries of the account waited',
      ),
    attempts: z.int().describe('How often it was sent'),
    status_code: z.int().nullable().describe('Last answer of the endpoint; null without one'),
    error: z.string().nullable().describe('Why the last attempt failed; null otherwise'),
    created_at: timestamp.describe('When the event happened'),
    last_attempt_at: timestamp.nullable().describe('Null before the first attempt'),
    next_attempt_at: timestamp.nullable().describe('Null where no further attempt is due'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event, sent to one endpoint' });

export const WebhookDeliveryListSchema = z
  .object({ deliveries: z.array(WebhookDeliverySchema).describe('Newest first'), total, limit, offset })
  .meta({ id: 'WebhookDeliveryList' });

const DeliveryAttemptSchema = z
  .object({
    attempt: z.int().describe('1 for the first'),
    at: timestamp.describe('When it began'),
    duration_ms: z.int().nullable().describe('Until its outcome; null while it runs, or where its process ended'),
    status_code: z.int().nullable().describe('Answer of the endpoint; null without one'),
    error: z.string().nullable().describe('Why it failed; null otherwise'),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });

export const WebhookDeliveryDetailSchema = z
  .object({
    delivery: WebhookDeliverySchema,
    attempts: z.array(DeliveryAttemptSchema).describe('Every attempt, in order'),
    body: z.string().describe('The body of every attempt, byte for byte, as the URL of now gets it'),
  })
  .meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with every attempt and its body' });

export const EventCatalogueSchema = z
  .object({
    events: z
      .array(
        z
          .object({ type: EventTypeSchema, description: z.string().describe('When it is sent') })
          .meta({ id: 'EventDescription' }),
      )
      .describe('Every type of event'),
  })
  .meta({ id: 'EventCatalogue' });
