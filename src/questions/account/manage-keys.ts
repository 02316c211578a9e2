import type { Context } from '../../context.ts';
import type { KeyRight } from '../../domain/account/rights.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import * as keys from '../../records/accounts/keys.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { type Actor, insertAudit, OPERATOR } from '../../records/audit/audit-log.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';

export interface KeyRequest {
  name: string;
  scopes?: KeyRight[];
  /** Epoch ms; null: never. */
  expires_at?: number | null;
  allowed_ips?: string[];
}

/** The account's live keys, oldest first. */
export async function listKeys(ctx: Context, accountId: string) {
  const rows = await keys.listKeyRows(ctx.records, accountId, ctx.now());
  return rows.map((row) => ({ ...keyEntry(row), last_used_at: isoOrNull(row.last_used_at) }));
}

/** A key of the account with at most the limits of the one that asks. Throws what `insertKey` throws. */
export async function createKey(ctx: Context, tenant: Tenant, request: KeyRequest) {
  const { name, scopes, expires_at: expiresAt, allowed_ips: allowedIps } = request;
  return answerWithin(ctx.records, tenant, async (records) => {
    const created = await makeKey(records, tenant, { name, scopes, expiresAt, allowedIps }, ctx.now());
    return { ...keyEntry(created), key: created.key };
  });
}

/** A key of the account that is acted for; the operator's has what it asks for. Throws what `insertKey` throws. */
export function makeKey(
  records: Records,
  actor: Actor,
  wanted: Partial<keys.KeyLimits> & { name: string },
  now: number,
): Promise<keys.CreatedKey> {
  const { accountId, keyId } = actor;
  return inTransaction(records, async (transaction) => {
    const created = await keys.insertKey(transaction, { accountId, askedBy: keyId ?? undefined, ...wanted }, now);
    const detail = `${created.name}: ${created.scopes.join(' ')}`;
    await insertAudit(transaction, { ...actor, action: 'key_created', subject: created.id, detail }, now);
    return created;
  });
}

/** Refused at once by this process, by others within 5 seconds. Throws NotFoundError unless it is a live key of the account. */
export async function revokeKey(ctx: Context, actor: Actor, id: string): Promise<void> {
  ctx.keyCache.delete(await endKey(ctx.records, actor, id, ctx.now()));
}

/** The hash of the key that was revoked; the operator revokes those of all accounts. Throws NotFoundError. */
export function endKey(records: Records, actor: Actor, id: string, now: number): Promise<string> {
  return inTransaction(records, async (transaction) => {
    const whose = actor === OPERATOR ? {} : { accountId: actor.accountId };
    const { hash, name, account_id: accountId } = await keys.revokeKeyRow(transaction, { id, ...whose }, now);
    await insertAudit(transaction, { ...actor, accountId, action: 'key_revoked', subject: id, detail: name }, now);
    return hash;
  });
}

/** A key as people see it, without its text. */
export function keyEntry({ id, prefix, name, scopes, expiresAt, allowedIps, ...row }: keys.KeyRow) {
  return {
    id,
    prefix,
    name,
    scopes: [...scopes],
    expires_at: isoOrNull(expiresAt),
    allowed_ips: [...allowedIps],
    created_at: iso(row.created_at),
    created_by: row.created_by,
  };
}
