import { z } from 'zod';
import type { Context } from '../../context.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { createKey, listKeys, revokeKey } from '../../questions/account/manage-keys.ts';
import { shortText, uuid } from '../schemas.ts';
import { KeyListSchema, NewKeySchema, RevokedSchema } from './account-schemas.ts';

const NAME_LENGTH_MAX = 100;

export async function apiKeyRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/api-keys',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listApiKeys',
        summary: "The account's live keys",
        tags: ['Account'],
        response: { 200: KeyListSchema },
      },
    },
    async (request) => ({ keys: await listKeys(ctx, tenantOf(request).accountId) }),
  );

  app.post(
    '/api-keys',
    {
      config: { access: 'key', idempotent: true },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create a key',
        description:
          'At most 5 live keys per account, and 20 new ones in 24 hours. All keys of an account together, revoked ones too, may use ' +
          "five times the plan's limits per minute.",
        tags: ['Account'],
        body: z.object({ name: shortText(NAME_LENGTH_MAX).describe('Where the key is used, for your own overview') }),
        response: { 201: NewKeySchema, ...refusals(403) },
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
        response: { 200: RevokedSchema, ...refusals(404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await revokeKey(ctx, tenantOf(request).accountId, id);
      return { deleted: true as const, id };
    },
  );
}
