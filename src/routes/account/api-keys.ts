import { z } from 'zod';
import type { Context } from '../../context.ts';
import { RIGHTS } from '../../domain/account/rights.ts';
import { InvalidInputError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { isNetwork } from '../../outbound/networks.ts';
import { createKey, listKeys, revokeKey } from '../../questions/account/manage-keys.ts';
import { deleted } from '../fields.ts';
import { momentField, nameText, uuid } from '../schemas.ts';
import { KeyListSchema, NewKeySchema, RightSchema } from './account-schemas.ts';

const NAME_LENGTH_MAX = 100;
const ALLOWED_IPS_MAX = 20;
/** Strict: a misspelled limit must not give a key without it. */
const NewKeyBody = z.strictObject({
  name: nameText(NAME_LENGTH_MAX).describe(
    'Stands for the analyst in notes, judgements and the audit log; not `system`, `operator` or `recipient`, which stand there for what no key did. Where another live key or a person has it, a number is added',
  ),
  scopes: z
    .array(RightSchema)
    .min(1)
    .max(RIGHTS.length)
    .optional()
    .describe('Rights of the key, none that the asking key lacks; left out: those of that key'),
  expires_at: momentField
    .nullish()
    .describe('From when on it is refused, not later than the asking key; left out: with that key'),
  allowed_ips: z
    .array(z.string().refine(isNetwork, 'Input should be an IP address or a network such as 10.0.0.0/8'))
    .max(ALLOWED_IPS_MAX)
    .optional()
    .describe('Addresses and networks that it may be used from, within those of the asking key; left out: as that key'),
});

const RevokedSchema = z.object({ deleted, id: z.guid().describe('The revoked key') }).meta({ id: 'ApiKeyRevoked' });

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
