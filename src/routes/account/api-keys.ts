import { z } from 'zod';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { createKey, listKeys, revokeKey } from '../../questions/account/manage-keys.ts';
import { deleted } from '../fields.ts';
import { shortText, timestamp, uuid } from '../schemas.ts';

const NAME_LENGTH_MAX = 100;

const keyFields = {
  id: z.guid().describe('For DELETE /api-keys/{id}'),
  prefix: z.string().describe('First characters of the key, by which to recognize it'),
  name: z.string().describe('The name that you gave it'),
  created_at: timestamp.describe('When it was created'),
};
const KeyEntry = z.object({
  ...keyFields,
  last_used_at: timestamp.nullable().describe('About when it was last used; null before the first request'),
});
const KeyList = z
  .object({ keys: z.array(KeyEntry.meta({ id: 'ApiKey' })).describe('Live keys, oldest first') })
  .meta({ id: 'ApiKeyList' });
const NewKey = z
  .object({ ...keyFields, key: z.string().describe('The key itself, `tfk_…`; shown this once') })
  .meta({ id: 'NewApiKey', description: '`key` is shown this once; only its hash is kept' });
const Revoked = z.object({ deleted, id: z.guid().describe('The revoked key') }).meta({ id: 'ApiKeyRevoked' });

export async function apiKeyRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/api-keys',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listApiKeys',
        summary: "The account's live keys",
        tags: ['Account'],
        response: { 200: KeyList },
      },
    },
    async (request) => ({ keys: await listKeys(ctx, tenantOf(request).accountId) }),
  );

  app.post(
    '/api-keys',
    {
      config: { access: 'key', idempotent: true, example: { body: { name: 'laptop' } } },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create a key',
        description: 'At most 5 live keys per account.',
        tags: ['Account'],
        body: z.object({ name: shortText(NAME_LENGTH_MAX).describe('Where the key is used, for your own overview') }),
        response: { 201: NewKey, ...refusals(403) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createKey(ctx, tenantOf(request).accountId, request.body.name);
    },
  );

  app.delete(
    '/api-keys/:id',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke a key',
        description: 'It is refused at once.',
        tags: ['Account'],
        params: z.object({ id: uuid.describe('Id of the key, from GET /api-keys') }),
        response: { 200: Revoked, ...refusals(404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await revokeKey(ctx, tenantOf(request).accountId, id);
      return { deleted: true as const, id };
    },
  );
}
