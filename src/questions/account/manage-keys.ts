import type { Context } from '../../context.ts';
import type { Right } from '../../domain/rights.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { Tenant } from '../../http/auth.ts';
import * as keys from '../../records/accounts/keys.ts';

interface KeyEntry {
  id: string;
  prefix: string;
  name: string;
  scopes: Right[];
  expires_at: string | null;
  allowed_ips: string[];
  created_at: string;
}

export interface ListedKeyEntry extends KeyEntry {
  last_used_at: string | null;
}

export interface IssuedKey extends KeyEntry {
  /** Shown this once. */
  key: string;
}

export interface KeyRequest {
  name: string;
  scopes?: Right[];
  /** Epoch ms; null: never. */
  expires_at?: number | null;
  allowed_ips?: string[];
}

/** The account's live keys, oldest first. */
export async function listKeys(ctx: Context, accountId: string): Promise<ListedKeyEntry[]> {
  const rows = await keys.listKeyRows(ctx.records, accountId, ctx.now());
  return rows.map((row) => ({ ...keyEntry(row), last_used_at: isoOrNull(row.last_used_at) }));
}

/** A key of the account with at most the limits of the one that asks. Throws what `insertKey` throws. */
export async function createKey(ctx: Context, { accountId, keyId }: Tenant, request: KeyRequest): Promise<IssuedKey> {
  const { name, scopes, expires_at: expiresAt, allowed_ips: allowedIps } = request;
  const row = { accountId, askedBy: keyId, name, scopes, expiresAt, allowedIps };
  const created = await keys.insertKey(ctx.records, row, ctx.now());
  return { ...keyEntry(created), key: created.key };
}

/** Refused at once by this process, by others within 5 seconds. Throws NotFoundError unless it is a live key of the account. */
export async function revokeKey(ctx: Context, accountId: string, id: string): Promise<void> {
  ctx.keyCache.delete(await keys.revokeKeyRow(ctx.records, { id, accountId }, ctx.now()));
}

/** A key as people see it, without its text. */
export function keyEntry({ id, prefix, name, scopes, expiresAt, allowedIps, created_at }: keys.KeyRow): KeyEntry {
  return {
    id,
    prefix,
    name,
    scopes: [...scopes],
    expires_at: isoOrNull(expiresAt),
    allowed_ips: [...allowedIps],
    created_at: iso(created_at),
  };
}
