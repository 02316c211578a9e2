import { z } from 'zod';
import type { Context } from '../../context.ts';
import { keyRights, ROLE_NAMES } from '../../domain/account/rights.ts';
import { timestamp } from '../../domain/fields.ts';
import { ConflictError, InvalidInputError, LimitError } from '../../errors.ts';
import { type Caller, tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  changePerson,
  type Inviter,
  invitePerson,
  listPeople,
  removePerson,
} from '../../questions/account/manage-people.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import { deleted } from '../fields.ts';
import { nameText, uuid, wholeNumber } from '../schemas.ts';

const NAME_LENGTH_MAX = 100;
const EMAIL_LENGTH_MAX = 254;

const RoleSchema = z.enum(ROLE_NAMES).meta({
  id: 'Role',
  description:
    '`viewer`: right `read`; `analyst`: `read`, `scan`, `cases`, `monitor`; `reviewer`: those and `approve`; `admin`: all. ' +
    'Only people have `approve`, never a key',
});
const roles = z.array(RoleSchema).min(1).max(ROLE_NAMES.length);
const StateSchema = z
  .enum(['invited', 'active', 'removed'])
  .describe('`invited`: has not signed in yet; `active`; `removed`: cannot sign in, what they wrote keeps the name');
const email = z.string().trim().toLowerCase().email().max(EMAIL_LENGTH_MAX);
const personId = z.object({ id: uuid.describe('Id of the person, from GET /people') });

export const PersonSchema = z
  .object({
    id: z.guid().describe('For PATCH and DELETE /people/{id}'),
    name: z
      .string()
      .describe('Name in notes, judgements and the audit log; the e-mail address until the first sign-in'),
    email: z.string().describe('Address that was invited'),
    roles: z.array(RoleSchema).describe('A person has the rights of all of them'),
    state: StateSchema,
    invited_by: z.string().describe('Name of the person or key, `operator`, or `system` where the provider said so'),
    invited_at: timestamp.describe('When'),
    joined_at: timestamp.nullable().describe('First sign-in'),
    last_seen_at: timestamp.nullable().describe('About when they last used the service'),
    removed_at: timestamp.nullable().describe('When they were removed'),
  })
  .meta({ id: 'Person' });

export const PeopleSchema = z
  .object({
    people: z.array(PersonSchema).describe('In the order of their invitation'),
    total: z.int().min(0).describe('How many there are'),
    limit: z.int().describe('As asked'),
    offset: z.int().describe('As asked'),
  })
  .meta({ id: 'People' });

const RemovedSchema = z.object({ deleted, id: z.guid().describe('The person') }).meta({ id: 'PersonRemoved' });

export async function peopleRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/people',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listPeople',
        summary: 'People of the account',
        description: 'They sign in with the OpenID provider of the installation and are not counted as keys.',
        tags: ['Account'],
        querystring: z.object({
          state: StateSchema.optional().describe('People in this state; left out: all who are not removed'),
          limit: wholeNumber({ min: 1, max: 500, fallback: 100 }).describe('People of one page'),
          offset: wholeNumber({ min: 0, max: 1_000_000, fallback: 0 }).describe('How many to leave out first'),
        }),
        response: { 200: PeopleSchema },
      },
    },
    async (request) => listPeople(ctx, tenantOf(request).accountId, request.query),
  );

  app.post(
    '/people',
    {
      config: { access: 'key', rights: ['admin'], idempotent: true },
      schema: {
        operationId: 'invitePerson',
        summary: 'Invite a person',
        description:
          'No mail is sent. Whoever first signs in with an address that the provider calls verified joins. At most 500 people.',
        tags: ['Account'],
        body: z.strictObject({
          email: email.describe('As the provider knows it; letter case does not matter'),
          roles: roles.describe('Roles, none with a right that you lack'),
          name: nameText(NAME_LENGTH_MAX)
            .optional()
            .describe('Left out: the name that the provider gives; a mark is added where another has it'),
        }),
        response: {
          201: PersonSchema,
          ...refusals(
            new InvalidInputError('Name is reserved: system'),
            new ConflictError('Person is already here: ana@desk.example'),
            new LimitError('500 people in an account'),
          ),
        },
      },
    },
    async (request, reply) => {
      reply.code(201);
      const tenant = tenantOf(request);
      return answerWithin(ctx.records, tenant, (records) =>
        invitePerson(records, inviterOf(tenant), request.body, ctx.now()),
      );
    },
  );

  app.patch(
    '/people/:id',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'changePerson',
        summary: 'Change the name or the roles of a person',
        description:
          'It holds from the next request on. Where the provider names the roles, its next sign-in sets them again.',
        tags: ['Account'],
        params: personId,
        body: z.strictObject({
          name: nameText(NAME_LENGTH_MAX).optional().describe('In what is written from now on'),
          roles: roles.optional().describe('Replaces the roles'),
        }),
        response: { 200: PersonSchema, ...refusals(new InvalidInputError('No fields to update'), 404) },
      },
    },
    async (request) =>
      changePerson(ctx.records, inviterOf(tenantOf(request)), request.params.id, request.body, ctx.now()),
  );

  app.delete(
    '/people/:id',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'removePerson',
        summary: 'Remove a person',
        description:
          'Ends their sessions at once. What they wrote keeps the name. To come back they need a new invitation.',
        tags: ['Account'],
        params: personId,
        response: { 200: RemovedSchema, ...refusals(404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await removePerson(ctx.records, inviterOf(tenantOf(request)), id, ctx.now());
      return { deleted: true as const, id };
    },
  );
}

function inviterOf(caller: Caller): Inviter {
  const { rights, expiresAt, allowedIps } = caller;
  return { actor: caller, limits: { scopes: keyRights(rights), expiresAt, allowedIps } };
}
