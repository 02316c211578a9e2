import type { Context } from '../../context.ts';
import type { AuditAction } from '../../domain/account/audit.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { CHAINS } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import { pageAudit } from '../../records/audit/audit-log.ts';
import { listSignInFailures } from '../../records/audit/sign-in-failures.ts';
import type { AuditRow } from '../../records/database/tables/events.ts';

/** Minutes of refused keys in one answer. */
const FAILURES_MAX = 500;

export interface AuditQuery {
  action?: AuditAction;
  /** Id of the person, or of the key, that acted. */
  person?: string;
  /** Object of the action; a case also stands for what is in it. */
  object?: string;
  /** Epoch ms. */
  from?: number;
  to?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  limit: number;
}

/** One page of the account's audit log, newest first, and what keys were refused for in the same time. */
export async function listAudit(ctx: Context, accountId: string, { cursor, limit, object, ...query }: AuditQuery) {
  const [at = 0, seq = 0] = cursor?.split('-').map(Number) ?? [];
  const after = cursor === undefined ? undefined : { at, seq };
  const rows = await pageAudit(ctx.records, accountId, {
    ...query,
    objects: object === undefined ? undefined : namesOf(object),
    after,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const failures = await listSignInFailures(ctx.records, accountId, { ...query, limit: FAILURES_MAX });
  return {
    entries: page.map(auditEntry),
    next_cursor: last && rows.length > limit ? `${last.at}-${last.seq}` : null,
    sign_in_failures: failures.map(({ minute, reason, count }) => ({ minute: iso(minute), reason, count })),
  };
}

/** Names an object in all ways that entries do: an address stands for itself on each chain that has such a one. */
function namesOf(object: string): string[] {
  const onChains = CHAINS.flatMap((chain) => {
    const canonical = canonicalAddress(chain, object);
    return canonical === null ? [] : [`${chain}:${canonical.address}`];
  });
  return [object, ...onChains];
}

/** An entry as people see it; `hash` follows from all other values and the hash of the entry before. */
export function auditEntry({ chain: _, at, ...row }: AuditRow) {
  return { ...row, at: iso(at) };
}
