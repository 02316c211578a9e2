import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { type Right, rightsOf } from '../domain/account/rights.ts';
import { ForbiddenError, UnauthenticatedError } from '../errors.ts';
import { PLANS } from '../plans.ts';
import { hashKey, isKeyForm, markKeyUsed } from '../records/accounts/keys.ts';
import { rolesOf } from '../records/accounts/people.ts';
import { findSession, hashToken, markSeen } from '../records/accounts/sessions.ts';
import type { Tenant } from '../records/accounts/tenant.ts';

/** The tenant of a request, and what its key, or the person who is signed in, may do. */
export interface Caller extends Tenant {
  rights: readonly Right[];
  /** True for an account that the operator suspended: it is refused. */
  isSuspended: boolean;
  /** Networks that the key may be used from; empty: any. */
  allowedIps: readonly string[];
  /** Epoch ms; null: never. */
  expiresAt: number | null;
  /** Set for a person who is signed in. */
  session?: { token: string; expiresAt: number };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a key and without a session; `tenantOf(request)` where the route requires one. */
    tenant: Caller | null;
  }
}

const LAST_USED_STEP_MS = 60_000;

/** The tenant of a request to a route with `access: 'key'`. */
export function tenantOf(request: FastifyRequest): Caller {
  if (!request.tenant) throw new UnauthenticatedError('API key required');
  return request.tenant;
}

/**
 * The tenant of an API key that was not revoked; undefined where there is none. Notes the use of the key, at most once a
 * minute, unless it has expired.
 */
export async function findTenant(ctx: Context, key: string): Promise<Caller | undefined> {
  if (!isKeyForm(key)) return undefined;
  const holder = await ctx.keyCache.find(hashKey(key));
  if (!holder) return undefined;
  const { keyId, accountId, planId, lastUsedAt, scopes: rights, expiresAt, allowedIps, isSuspended } = holder;
  const now = ctx.now();
  const hasEnded = expiresAt !== null && expiresAt <= now;
  if (!hasEnded && (lastUsedAt === null || now - lastUsedAt >= LAST_USED_STEP_MS)) {
    // On the cached holder, so that requests meanwhile do not write it too.
    holder.lastUsedAt = now;
    await markKeyUsed(ctx.records, keyId, now);
  }
  return { keyId, accountId, planId, plan: PLANS[planId], rights, allowedIps, expiresAt, isSuspended };
}

/** The key that came with a request, in either header. */
export function keyFromRequest({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const { 'x-api-key': header, authorization } = headers;
  if (typeof header === 'string' && header !== '') return header;
  return authorization?.match(/^Bearer +(\S.*)$/i)?.[1]?.trim();
}

/** Names the cookie of a session. Where the browser comes by https, no other host can set it. */
export function sessionCookie({ config }: Context): string {
  return `${cookiePrefix(config)}traceflow_session`;
}

/** Names the cookie of a browser that was sent to the provider. */
export function signInCookie({ config }: Context): string {
  return `${cookiePrefix(config)}traceflow_sign_in`;
}

const cookiePrefix = (config: Config) => (isSecure(config) ? '__Host-' : '');
const isSecure = (config: Config) => config.publicUrl.startsWith('https:');

/** Writes a `Set-Cookie` that no script can read; without a value it deletes. */
export function cookieHeader({ config }: Context, name: string, value: string, maxAgeS: number): string {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${value === '' ? 0 : maxAgeS}`];
  return [...parts, ...(isSecure(config) ? ['Secure'] : [])].join('; ');
}

/** Reads a cookie that came once; of one that came more often none is ours for sure. */
export function cookieOf({ headers }: { headers: IncomingHttpHeaders }, name: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    return key === name && TOKEN_FORM.test(value) ? [value] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Reads the token of a session; undefined where there is no provider to sign in with. */
export function sessionToken(ctx: Context, request: { headers: IncomingHttpHeaders }): string | undefined {
  return ctx.provider ? cookieOf(request, sessionCookie(ctx)) : undefined;
}

/** Finds the person of a session that has not ended. Notes its use, at most once a minute. */
export async function findPerson(ctx: Context, token: string): Promise<Caller | undefined> {
  const now = ctx.now();
  const holder = await findSession(ctx.records, token, now);
  if (!holder) return undefined;
  await markSeen(ctx.records, token, holder, now);
  const { personId: keyId, accountId, planId, expiresAt } = holder;
  const session = { token, expiresAt };
  const isSuspended = holder.suspendedAt !== null;
  const limits = { rights: rightsOf(rolesOf(holder)), allowedIps: [], expiresAt: null, isSuspended };
  return { keyId, accountId, planId, plan: PLANS[planId], ...limits, session };
}

/** Makes the token that pages of this service send with each change; other pages cannot read it. */
export function csrfToken(token: string): string {
  return hashToken(`csrf ${token}`);
}

/** Refuses what another page makes a browser send in the name of the person who is signed in there. */
export function refuseForeignPages(ctx: Context, request: FastifyRequest, token: string): void {
  const { origin, 'sec-fetch-site': site = 'none', 'x-csrf-token': sent } = request.headers;
  const isForeign = origin !== undefined && origin !== new URL(ctx.config.publicUrl).origin;
  if (isForeign || !['same-origin', 'none'].includes(String(site))) throw new ForbiddenError(FOREIGN);
  const { cost = 'none' } = request.routeOptions.config;
  if (request.method === 'GET' && cost === 'none') return;
  if (sent !== csrfToken(token)) throw new ForbiddenError('The header X-CSRF-Token is missing or of another session');
}

const FOREIGN = 'A session counts for requests of the pages of this service alone';
const TOKEN_FORM = /^[\w-]{43}$/;
