import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { RateLimitError, UnauthenticatedError } from '../errors.ts';
import { FAILED_AUTH_PER_MINUTE, KEYLESS_PER_MINUTE, PLANS, type Plan, type PlanId } from '../plans.ts';
import { findKeyByHash, hashKey, isKeyForm, markKeyUsed } from '../records/accounts/keys.ts';

/** The account that a request speaks for. */
export interface Tenant {
  accountId: string;
  keyId: string;
  planId: PlanId;
  plan: Plan;
}

/**
 * How a route is reached, `config: { access: 'key' }`: with a key; with a key and presign's own bucket;
 * with a key or, by IP, without; by IP without one; or freely.
 */
export type Access = 'key' | 'presign' | 'optional-key' | 'ip' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Null without a key; `tenantOf(request)` where the route demands one. */
    tenant: Tenant | null;
  }
}

export interface KeyCheck {
  /** The holder of a key that was looked up a short while ago: no store is asked. */
  known: (key: string) => Tenant | undefined;
  /** Undefined unless the key is live. */
  find: (key: string) => Promise<Tenant | undefined>;
}

const CACHED_KEYS_MAX = 10_000;
const LAST_USED_STEP_MS = 60_000;

/** The tenant of a request to a route with `access: 'key'` or `'presign'`. */
export function tenantOf(request: FastifyRequest): Tenant {
  if (!request.tenant) throw new UnauthenticatedError('API key required');
  return request.tenant;
}

/**
 * Looks keys up and remembers them until their account changes, for KEY_CACHE_SECONDS at most, the least recently used
 * forgotten first.
 */
export function openKeyCheck(ctx: Context): KeyCheck {
  const cache = new Map<string, { tenant: Tenant; lastUsedAt: number | null; until: number }>();
  ctx.accountChanges.listen((accountId) => {
    if (accountId === null) cache.clear();
    else for (const [hash, { tenant }] of cache) if (tenant.accountId === accountId) cache.delete(hash);
  });

  const look = async (hash: string) => {
    const known = cache.get(hash);
    cache.delete(hash);
    const heardBefore = ctx.accountChanges.heard;
    if (!known || known.until <= ctx.now()) {
      const holder = await findKeyByHash(ctx.records, hash);
      if (!holder) return undefined;
      const { lastUsedAt, ...who } = holder;
      const until = ctx.now() + ctx.config.KEY_CACHE_SECONDS * 1_000;
      const found = { tenant: { ...who, plan: PLANS[who.planId] }, lastUsedAt, until };
      if (ctx.accountChanges.heard === heardBefore) cache.set(hash, found);
      return found;
    }
    cache.set(hash, known);
    return known;
  };

  return {
    known: (key) => {
      const hash = hashKey(key);
      const entry = cache.get(hash);
      const now = ctx.now();
      // Once a minute its use is to be marked, which `find` does, and moves it to the end of those to be forgotten.
      if (!entry || entry.until <= now || isUseToBeMarked(entry.lastUsedAt, now)) return undefined;
      return entry.tenant;
    },
    find: async (key) => {
      const hash = hashKey(key);
      if (!cache.has(hash) && !isKeyForm(key)) return undefined;
      const entry = await look(hash);
      if (!entry) return undefined;
      if (cache.size > CACHED_KEYS_MAX) cache.delete(cache.keys().next().value!);
      const now = ctx.now();
      if (isUseToBeMarked(entry.lastUsedAt, now)) {
        entry.lastUsedAt = now;
        await markKeyUsed(ctx.records, entry.tenant.keyId, now);
      }
      return entry.tenant;
    },
  };
}

function isUseToBeMarked(lastUsedAt: number | null, now: number): boolean {
  return lastUsedAt === null || now - lastUsedAt >= LAST_USED_STEP_MS;
}

/** Asks every route of the scope for what its `access` says, before any body is read. */
export function guardAccess(api: FastifyInstance, ctx: Context, keys: KeyCheck): void {
  api.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (!access) throw new Error(`${route.method} ${route.url} does not say who may use it`);
    if (access === 'public') return;
    const guard = async (request: FastifyRequest, reply: FastifyReply) => {
      const key = keyOf(request);
      if (access === 'ip' || (access === 'optional-key' && key === undefined)) {
        return spend(ctx, reply, `ip:${addressBlock(request.ip)}`, KEYLESS_PER_MINUTE);
      }
      const tenant = (key && keys.known(key)) || (await authenticate(ctx, keys, key, request));
      request.tenant = tenant;
      const { keyId, plan } = tenant;
      if (access === 'presign') return spend(ctx, reply, presignBucket(keyId), plan.presignPerMinute);
      return spend(ctx, reply, `key:${keyId}`, plan.requestsPerMinute);
    };
    route.onRequest = [guard, route.onRequest ?? []].flat();
  });
}

/** Screening has a bucket of its own. */
export function presignBucket(keyId: string): string {
  return `presign:${keyId}`;
}

async function authenticate(
  ctx: Context,
  keys: KeyCheck,
  key: string | undefined,
  request: FastifyRequest,
): Promise<Tenant> {
  const tenant = key === undefined ? undefined : await keys.find(key);
  if (tenant) return tenant;
  const failed = await ctx.limits.take(`failed-auth:${addressBlock(request.ip)}`, FAILED_AUTH_PER_MINUTE);
  if (!failed.allowed) throw new RateLimitError(FAILED_AUTH_PER_MINUTE, failed.retryAfterS);
  throw new UnauthenticatedError(key === undefined ? 'API key required' : 'Invalid API key');
}

async function spend(ctx: Context, reply: FastifyReply, bucket: string, limit: number): Promise<void> {
  const { allowed, remaining, retryAfterS } = await ctx.limits.take(bucket, limit);
  if (!allowed) throw new RateLimitError(limit, retryAfterS);
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', remaining);
}

/** The key that came with a request, under either header. */
export function keyOf({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const { 'x-api-key': header, authorization } = headers;
  if (typeof header === 'string' && header !== '') return header;
  return authorization?.match(/^Bearer +(\S.*)$/i)?.[1]?.trim();
}

/** Whoever has an IPv6 address has its whole /64. */
function addressBlock(ip: string): string {
  if (!isIPv6(ip) || ip.toLowerCase().startsWith('::ffff:')) return ip.replace(/^::ffff:/i, '');
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - after.length }, () => '0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
