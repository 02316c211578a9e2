import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Right } from '../domain/account/rights.ts';
import { UnauthenticatedError } from '../errors.ts';
import { PLANS } from '../plans.ts';
import { hashKey, isKeyForm, markKeyUsed } from '../records/accounts/keys.ts';
import type { Tenant } from '../records/accounts/tenant.ts';

/** The tenant of a request, and what its key may do. */
export interface Caller extends Tenant {
  rights: readonly Right[];
  /** Networks that the key may be used from; empty: any. */
  allowedIps: readonly string[];
  /** Epoch ms; null: never. */
  expiresAt: number | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a key; `tenantOf(request)` where the route requires one. */
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
  const { keyId, accountId, planId, lastUsedAt, scopes: rights, expiresAt, allowedIps } = holder;
  const now = ctx.now();
  const hasEnded = expiresAt !== null && expiresAt <= now;
  if (!hasEnded && (lastUsedAt === null || now - lastUsedAt >= LAST_USED_STEP_MS)) {
    // On the cached holder, so that requests meanwhile do not write it too.
    holder.lastUsedAt = now;
    await markKeyUsed(ctx.records, keyId, now);
  }
  return { keyId, accountId, planId, plan: PLANS[planId], rights, allowedIps, expiresAt };
}

/** The key that came with a request, in either header. */
export function keyFromRequest({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const { 'x-api-key': header, authorization } = headers;
  if (typeof header === 'string' && header !== '') return header;
  return authorization?.match(/^Bearer +(\S.*)$/i)?.[1]?.trim();
}
