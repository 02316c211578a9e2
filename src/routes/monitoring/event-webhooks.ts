import { z } from 'zod';
import { EVENT_TYPES, EVENTS, type EventType } from '../../domain/event.ts';
import { EVENT_DATA } from '../../events/payloads.ts';

/** The body of a delivery, by type. */
const BODIES = EVENT_TYPES.map((type) => {
  const body = z.object({
    id: z.string().describe("The delivery's id, the same in every attempt: handle each once"),
    event: z.literal(type).describe('The type, as in `X-Service-Event`'),
    timestamp: z.string().describe('When it happened: ISO 8601 in UTC, without a zone'),
    data: EVENT_DATA[type].describe('What happened'),
  });
  return { type, schema: body.meta({ id: nameOf(type), description: EVENTS[type] }) };
});

/** `Event` and the words of the type: `EventRiskChanged`. */
function nameOf(type: EventType): string {
  return `Event${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

const HEADERS: Record<string, string> = {
  'X-Service-Signature': '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret of the endpoint',
  'X-Service-Signature-Previous': 'The same with the secret before, for 24 hours after a rotation',
  'X-Service-Event': 'The type of the event',
  'X-Service-Delivery': 'The `id` of the body',
  'X-Service-Timestamp': 'When this attempt was made, seconds since 1970',
  'webhook-id': 'The `id` of the body, for receivers of Standard Webhooks',
  'webhook-timestamp': 'When this attempt was made, seconds since 1970',
  'webhook-signature': '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each valid secret',
};

/** The section `webhooks` of the API document: what an endpoint receives, by type of event. */
export function eventWebhooks() {
  const parameters = Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: name !== 'X-Service-Signature-Previous',
    description,
    schema: { type: 'string' as const },
  }));
  return Object.fromEntries(
    BODIES.map(({ type, schema }) => {
      const ref = { $ref: `#/components/schemas/${z.globalRegistry.get(schema)?.id}` };
      const post = {
        operationId: `receive${nameOf(type)}`,
        summary: EVENTS[type],
        tags: ['Webhooks'],
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema: ref } } },
        responses: { '2XX': { description: 'Taken: anything else is tried again' } },
      };
      return [type, { post }];
    }),
  );
}
