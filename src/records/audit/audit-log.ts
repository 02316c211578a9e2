import type { AuditAction, AuditOutcome } from '../../domain/account/audit.ts';
import { HOUSE_AUTHORS } from '../../domain/account/house-authors.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { type Author, findAuthor } from '../accounts/people.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { AuditRow } from '../database/tables/events.ts';
import { auditText, FIRST_HASH, hashEntry, OPERATOR_CHAIN } from './chain.ts';

/** A request acts by its key, or as a person; the operator has neither. */
export interface Actor {
  /** The account that the action concerns. */
  accountId: string;
  /** Id of the key, or of the person. */
  keyId: string | null;
  /** Address that sent the request; absent for work in the background. */
  ip?: string;
  /** Name of an actor without a key; default: the operator. */
  name?: string;
}

export interface AuditEntry extends Actor {
  action: AuditAction;
  /** The thing that was changed: an id, an address, a title. */
  subject: string;
  detail?: string;
  caseId?: string | null;
  outcome?: AuditOutcome;
}

/** The operator, in what concerns all accounts. */
export const OPERATOR: Actor = { accountId: OPERATOR_CHAIN, keyId: null };

/** The operator, in what concerns one account: its log shows it. */
export const operatorFor = (accountId: string): Actor => ({ accountId, keyId: null });

/**
 * Writes who did what, as the last thing of the transaction that does it: other actions of the account wait until that
 * ends, and what cannot be logged does not happen.
 */
export async function insertAudit(records: Records, entry: AuditEntry, now: number): Promise<void> {
  await inTransaction(records, async (transaction) => {
    const chain = entry.accountId;
    // Locks the end of the chain, and gives the hash of the entry before.
    const end = await transaction
      .insertInto('audit_chains')
      .values({ chain, seq: 1, hash: FIRST_HASH, anchor_seq: 0, anchor_hash: FIRST_HASH })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet((e) => ({ seq: e('audit_chains.seq', '+', 1) })))
      .returning(['seq', 'hash'])
      .executeTakeFirstOrThrow();
    const { name, isPerson } = await actorOf(transaction, entry);
    const row = {
      chain,
      seq: end.seq,
      at: now,
      key_id: isPerson ? null : entry.keyId,
      person_id: isPerson ? entry.keyId : null,
      actor: auditText(name),
      ip: entry.ip ?? null,
      action: entry.action,
      subject: auditText(entry.subject),
      detail: auditText(entry.detail ?? ''),
      case_id: entry.caseId ?? null,
      outcome: entry.outcome ?? ('done' as const),
    };
    const hash = hashEntry(end.hash, row);
    await transaction
      .insertInto('audit_log')
      .values({ ...row, hash })
      .execute();
    await transaction.updateTable('audit_chains').set({ hash }).where('chain', '=', chain).execute();
  });
}

/** Names of the fields that are given; with the values of those in `shown`, since other texts may be private. */
export function changesOf(change: object, shown: readonly string[] = []): string {
  return Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => (shown.includes(field) ? `${field}: ${value}` : field))
    .join(', ');
}

async function actorOf(records: Records, { keyId, name = HOUSE_AUTHORS.operator }: Actor): Promise<Author> {
  return keyId === null ? { name, isPerson: false } : findAuthor(records, keyId);
}

export interface AuditPage {
  action?: AuditAction;
  /** Id of a person or key. */
  person?: string;
  /** Subjects of which an entry has one, or cases that it belongs to. */
  objects?: readonly string[];
  /** Epoch ms, both included. */
  from?: number;
  to?: number;
  /** The entry that the page goes on after. */
  after?: { at: number; seq: number };
  limit: number;
}

/** One page of a chain, newest first. */
export function pageAudit(
  records: Records,
  chain: string,
  { action, person, objects, from, to, after, limit }: AuditPage,
): Promise<AuditRow[]> {
  let query = records.selectFrom('audit_log').selectAll().where('chain', '=', chain);
  if (action) query = query.where('action', '=', action);
  if (person) query = query.where((e) => e.or([e('person_id', '=', person), e('key_id', '=', person)]));
  if (objects) query = query.where((e) => e.or([e('subject', 'in', objects), e('case_id', 'in', objects)]));
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<=', to);
  if (after) {
    query = query.where('at', '<=', after.at).where((e) => e.or([e('at', '<', after.at), e('seq', '<', after.seq)]));
  }
  return query.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit).execute();
}

export interface View {
  action: 'case_viewed' | 'address_viewed';
  subject: string;
  caseId?: string;
}

/** Writes what a key or person saw into the audit log, each object once an hour. */
export async function insertView(
  records: Records,
  { accountId, keyId, ip }: Actor,
  views: readonly View[],
  now: number,
): Promise<void> {
  const hour = now - (now % HOUR_MS);
  await inTransaction(records, async (transaction) => {
    for (const view of views) {
      const written = await transaction
        .insertInto('audit_views')
        .values({ chain: accountId, actor_id: keyId ?? '', subject: view.subject, hour })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (Number(written.numInsertedOrUpdatedRows) === 0) continue;
      await insertAudit(transaction, { accountId, keyId, ip, ...view }, now);
    }
  });
}

/** Forgets which views of earlier hours are written; the entries stay. */
export async function forgetViews(records: Records, before: number): Promise<void> {
  await records.deleteFrom('audit_views').where('hour', '<', before).execute();
}
