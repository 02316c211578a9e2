import type { Context } from '../../context.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import * as keys from '../../records/accounts/keys.ts';

export interface KeyEntry {
  id: string;
  prefix: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface IssuedKey {
  id: string;
  /** Shown this once. */
  key: string;
  prefix: string;
  name: string;
  created_at: string;
}

/** The account's live keys, oldest first. */
export async function listKeys(ctx: Context, accountId: string): Promise<KeyEntry[]> {
  const rows = await keys.listKeyRows(ctx.records, accountId);
  return rows.map((row) => ({
    ...row,
    created_at: iso(row.created_at),
    last_used_at: isoOrNull(row.last_used_at),
  }));
}

/** Throws PlanError when the account has 5 live keys, TooManyError when it made 20 within a day. */
export async function createKey(ctx: Context, accountId: string, name: string): Promise<IssuedKey> {
  const created = await keys.insertKey(ctx.records, { accountId, name }, ctx.now());
  return { ...created, created_at: iso(created.created_at) };
}

/** Refused at once by this process, by others within 5 seconds. Throws NotFoundError unless it is a live key of the account. */
export async function revokeKey(ctx: Context, accountId: string, id: string): Promise<void> {
  ctx.keyCache.delete(await keys.revokeKeyRow(ctx.records, { id, accountId }, ctx.now()));
}
