import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { RIGHTS } from '../../domain/account/rights.ts';
import { timestamp } from '../../domain/fields.ts';
import { iso } from '../../domain/time.ts';
import { NotFoundError, UnavailableError } from '../../errors.ts';
import { guardAccess } from '../../http/access.ts';
import {
  cookieHeader,
  cookieOf,
  csrfToken,
  findPerson,
  sessionCookie,
  sessionToken,
  signInCookie,
  tenantOf,
} from '../../http/auth.ts';
import { refusals, shownAnswer } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  describeSession,
  endByProvider,
  finishSignIn,
  type RefusedSignIn,
  signOut,
  startSignIn,
} from '../../questions/account/sign-in.ts';
import { SESSION_MS } from '../../records/accounts/sessions.ts';
import { deleted } from '../fields.ts';
import { uuid } from '../schemas.ts';
import { PersonSchema } from './people.ts';

const SIGN_IN_S = 600;
const hidden = { hide: true } as const;

/** Leads browsers to the provider and back, and takes its own call when a session of it ends. */
export async function signInRoutes(app: App, ctx: Context): Promise<void> {
  const { provider } = ctx;
  if (!provider) return;
  guardAccess(app, ctx);
  const toConsole = (reply: FastifyReply, refused: RefusedSignIn) => reply.redirect(`/?sign_in=${refused}`);

  app.get(
    '/auth/sign-in',
    {
      config: { access: 'page' },
      schema: { ...hidden, querystring: z.object({ return_to: z.string().optional(), account: uuid.optional() }) },
    },
    async ({ query: { return_to: returnTo, account: accountId } }, reply) => {
      try {
        const { url, browser } = await startSignIn(ctx, provider, { returnTo, accountId });
        reply.header('set-cookie', cookieHeader(ctx, signInCookie(ctx), browser, SIGN_IN_S));
        return reply.redirect(url);
      } catch (err) {
        if (!(err instanceof UnavailableError)) throw err;
        ctx.log.warn({ err }, 'the sign-in provider cannot be used');
        return toConsole(reply, 'provider_unavailable');
      }
    },
  );

  app.get('/auth/callback', { config: { access: 'page' }, schema: hidden }, async (request, reply) => {
    const browser = cookieOf(request, signInCookie(ctx)) ?? '';
    const query = request.url.split('?')[1] ?? '';
    const finished = await finishSignIn(ctx, provider, { query, browser, earlier: sessionToken(ctx, request) });
    if ('refused' in finished) return toConsole(reply, finished.refused);
    reply.header('set-cookie', [
      cookieHeader(ctx, sessionCookie(ctx), finished.token, SESSION_MS / 1_000),
      cookieHeader(ctx, signInCookie(ctx), '', 0),
    ]);
    return reply.redirect(finished.returnTo);
  });

  app.post(
    '/auth/backchannel-logout',
    { config: { access: 'page', takes: 'application/x-www-form-urlencoded' }, schema: hidden },
    async ({ body }, reply) => {
      const form = new URLSearchParams(body instanceof Buffer ? body.toString('utf8') : '');
      await endByProvider(ctx, provider, form.get('logout_token') ?? '');
      return reply.code(200).send();
    },
  );
}

export const SessionSchema = z
  .object({
    sign_in_url: z
      .string()
      .nullable()
      .describe('Where a browser goes to sign in; null where the operator set no provider'),
    person: PersonSchema.nullable().describe('Who is signed in; null: nobody'),
    rights: z.array(z.enum([...RIGHTS, 'approve'])).describe('What the roles of the person allow'),
    account: z
      .object({ id: z.guid().describe('Its id'), name: z.string().describe('Its name') })
      .nullable()
      .describe('The account that requests of this session speak for'),
    other_accounts: z
      .array(z.object({ name: z.string().describe('Its name'), sign_in_url: z.string().describe('To change to it') }))
      .describe('Others that the same person is a member of or invited to'),
    csrf_token: z
      .string()
      .nullable()
      .describe(
        'Send it as `X-CSRF-Token` with whatever changes or costs something and has the cookie instead of a key',
      ),
    expires_at: timestamp
      .nullable()
      .describe('When the session ends at the latest; an hour without requests ends it too'),
  })
  .meta({ id: 'Session' });

/** Serves pages with who is signed in, and with the way out. */
export async function sessionRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/session',
    {
      config: { access: 'page' },
      schema: {
        operationId: 'getSession',
        summary: 'Who is signed in in this browser',
        description: 'Reads the cookie of the session alone; it never refuses one that has ended.',
        tags: ['Account'],
        response: { 200: SessionSchema },
      },
    },
    async (request) => {
      const token = sessionToken(ctx, request);
      const caller = token === undefined ? undefined : await findPerson(ctx, token);
      const session = caller?.session;
      return {
        ...(await describeSession(ctx, caller)),
        csrf_token: session ? csrfToken(session.token) : null,
        expires_at: session ? iso(session.expiresAt) : null,
      };
    },
  );

  api.delete(
    '/session',
    {
      config: { access: 'key', rights: [] },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out in this browser',
        description: 'Ends the session here, not that of the provider. A request with a key has no session: 404.',
        tags: ['Account'],
        response: {
          ...shownAnswer(200, z.object({ deleted }).meta({ id: 'SignedOut' }), { deleted: true }),
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      const caller = tenantOf(request);
      if (!caller.session) throw new NotFoundError();
      await signOut(ctx, caller, caller.session.token);
      reply.header('set-cookie', cookieHeader(ctx, sessionCookie(ctx), '', 0));
      return { deleted: true as const };
    },
  );
}
