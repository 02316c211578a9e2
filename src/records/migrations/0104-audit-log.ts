import { sql } from 'kysely';
import type { AuditAction } from '../../domain/account/audit.ts';
import { auditText, FIRST_HASH, hashEntry } from '../audit/chain.ts';
import type { AnyStore } from '../dialect.ts';

interface CaseAuditRow {
  account_id: string;
  case_id: string;
  key_id: string;
  name: string | null;
  action: AuditAction;
  subject: string;
  at: number;
}

const PAGE = 1_000;

/** One log of all actions in chains of hashes; what was kept of cases moves into the chains of their accounts. */
export async function addAuditLog(db: AnyStore): Promise<void> {
  await sql`create table audit_log (
    chain text not null, seq bigint not null, at bigint not null, key_id text, actor text not null, ip text,
    action text not null, subject text not null, detail text not null, case_id text, outcome text not null,
    hash text not null,
    constraint audit_log_key primary key (chain, seq))`.execute(db);
  await sql`create index audit_log_time on audit_log (chain, at, seq)`.execute(db);
  await sql`create index audit_log_action on audit_log (chain, action, at, seq)`.execute(db);
  await sql`create table audit_chains (
    chain text primary key, seq bigint not null, hash text not null, anchor_seq bigint not null,
    anchor_hash text not null)`.execute(db);
  await sql`create table sign_in_failures (
    account_id text not null, minute bigint not null, reason text not null, count bigint not null,
    constraint sign_in_failures_key primary key (account_id, minute, reason))`.execute(db);
  await sql`create index sign_in_failures_minute on sign_in_failures (minute)`.execute(db);
  await moveCaseAudit(db);
  await sql`drop table case_audit`.execute(db);
}

async function moveCaseAudit(db: AnyStore): Promise<void> {
  const ends = new Map<string, { seq: number; hash: string }>();
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await sql<CaseAuditRow>`
      select a.account_id, a.case_id, a.key_id, k.name, a.action, a.subject, a.at
      from case_audit a left join api_keys k on k.id = a.key_id
      order by a.at, a.id limit ${PAGE} offset ${offset}`.execute(db);
    for (const { account_id: chain, key_id, name, at, action, subject, case_id } of rows) {
      const end = ends.get(chain) ?? { seq: 0, hash: FIRST_HASH };
      const row = {
        ...{ chain, seq: end.seq + 1, at: Number(at), key_id, actor: auditText(name ?? key_id), ip: null },
        ...{ action, subject: auditText(subject), detail: '', case_id, outcome: 'done' as const },
      };
      const hash = hashEntry(end.hash, row);
      await db
        .insertInto('audit_log')
        .values({ ...row, hash })
        .execute();
      ends.set(chain, { seq: row.seq, hash });
    }
    if (rows.length < PAGE) break;
  }
  for (const [chain, { seq, hash }] of ends) {
    await db.insertInto('audit_chains').values({ chain, seq, hash, anchor_seq: 0, anchor_hash: FIRST_HASH }).execute();
  }
}
