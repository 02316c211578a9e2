import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { UnauthenticatedError } from '../errors.ts';
import { PLANS, type Plan, type PlanId } from '../plans.ts';
import { findKeyByHash, hashKey, isKeyForm, markKeyUsed } from '../records/accounts/keys.ts';

/** The account that a request speaks for. */
export interface Tenant {
  accountId: string;
  keyId: string;
  planId: PlanId;
  plan: Plan;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a key; `tenantOf(request)` where the route requires one. */
    tenant: Tenant | null;
  }
}

/** The tenant of an API key, at once where it is cached; undefined unless the key is live. */
export type KeyCheck = (key: string) => Tenant | undefined | Promise<Tenant | undefined>;

interface CachedKey {
  tenant: Tenant;
  lastUsedAt: number | null;
}

const CACHED_KEYS_MAX = 10_000;
const LAST_USED_STEP_MS = 60_000;

/** The tenant of a request to a route with `access: 'key'`. */
export function tenantOf(request: FastifyRequest): Tenant {
  if (!request.tenant) throw new UnauthenticatedError('API key required');
  return request.tenant;
}

/** Looks up keys; a cached key expires after KEY_CACHE_SECONDS, or earlier when its account changes. */
export function openKeyCheck(ctx: Context): KeyCheck {
  const ttl = ctx.config.KEY_CACHE_SECONDS * 1_000;
  const cache = new LRUCache<string, CachedKey>({ max: CACHED_KEYS_MAX, ttl, ttlResolution: 0, perf: ctx });
  ctx.accountChanges.subscribe((accountId) => {
    if (accountId === null) cache.clear();
    else for (const [hash, { tenant }] of cache.entries()) if (tenant.accountId === accountId) cache.delete(hash);
  });

  const read = async (hash: string): Promise<CachedKey | undefined> => {
    const changesBefore = ctx.accountChanges.version;
    const holder = await findKeyByHash(ctx.records, hash);
    if (!holder) return undefined;
    const { lastUsedAt, ...owner } = holder;
    const entry = { tenant: { ...owner, plan: PLANS[owner.planId] }, lastUsedAt };
    // What was read while an account changed may be older than the change.
    if (ttl > 0 && ctx.accountChanges.version === changesBefore) cache.set(hash, entry);
    return entry;
  };

  const isUseNoted = ({ lastUsedAt }: CachedKey) => lastUsedAt !== null && ctx.now() - lastUsedAt < LAST_USED_STEP_MS;

  const noteUse = async (entry: CachedKey | undefined): Promise<Tenant | undefined> => {
    if (!entry || isUseNoted(entry)) return entry?.tenant;
    entry.lastUsedAt = ctx.now();
    await markKeyUsed(ctx.records, entry.tenant.keyId, entry.lastUsedAt);
    return entry.tenant;
  };

  return (key) => {
    if (!isKeyForm(key)) return undefined;
    const hash = hashKey(key);
    const cached = cache.get(hash);
    if (!cached) return read(hash).then(noteUse);
    return isUseNoted(cached) ? cached.tenant : noteUse(cached);
  };
}

/** The key that came with a request, in either header. */
export function keyOf({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const { 'x-api-key': header, authorization } = headers;
  if (typeof header === 'string' && header !== '') return header;
  return authorization?.match(/^Bearer +(\S.*)$/i)?.[1]?.trim();
}
