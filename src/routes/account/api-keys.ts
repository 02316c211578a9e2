import { z } from 'zod';
import type { Context } from '../../context.ts';
import { InvalidInputError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { createKey, listKeys, revokeKey } from '../../questions/account/manage-keys.ts';
import { uuid } from '../schemas.ts';
import { KeyListSchema, NewKeyBody, NewKeySchema, RevokedSchema } from './account-schemas.ts';

export async function apiKeyRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/api-keys',
    {
      config: { access: 'key', rights: ['admin'] },
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
      config: { access: 'key', rights: ['admin'], idempotent: true },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create a key',
        description:
          'It has at most the rights, the time and the addresses of the key that asks. At most 5 live keys per account, and 20 new ones in 24 hours. All keys of an account together, revoked ones too, may use ' +
          "five times the plan's limits per minute.",
        tags: ['Account'],
        body: NewKeyBody,
        response: { 201: NewKeySchema, ...refusals(new InvalidInputError('Key name is reserved: system'), 403) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createKey(ctx, tenantOf(request), request.body);
    },
  );

  app.delete(
    '/api-keys/:id',
    {
      config: { access: 'key', rights: ['admin'] },
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
      await revokeKey(ctx, tenantOf(request), id);
      return { deleted: true as const, id };
    },
  );
}
