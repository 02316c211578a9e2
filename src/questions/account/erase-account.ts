import { sql } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { lockAccount, updateAccount } from '../../records/accounts/accounts.ts';
import { insertAudit, OPERATOR } from '../../records/audit/audit-log.ts';
import { saltedHash } from '../../records/audit/chain.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import { isPostgres } from '../../records/dialect.ts';
import { COUNTED } from '../../records/stored-bytes.ts';

export interface EraseOptions {
  /** Erases cases under legal hold too. */
  despiteHold?: boolean;
  /** Ends the work between two steps; run again, it goes on. */
  signal?: AbortSignal;
}

/**
 * Erases an account with all that it has, step by step. From the first on it is refused and its jobs are cancelled; run again
 * after an end half-way, it goes on. The log of the operator keeps a salted hash of its id. Returns how many records went.
 * Throws NotFoundError, or ConflictError where cases are under legal hold.
 */
export async function eraseAccount(
  records: Records,
  id: string,
  { despiteHold = false, signal }: EraseOptions,
  now: number,
): Promise<number> {
  await inTransaction(records, async (transaction) => {
    const { erased_from, suspended_at } = await lockAccount(transaction, id);
    if (erased_from !== null) return;
    if (!despiteHold) await refuseWithHolds(transaction, id);
    await updateAccount(transaction, id, { erased_from: now, suspended_at: suspended_at ?? now });
    await cancelJobs(transaction, id, now);
    const detail = despiteHold ? 'despite legal holds' : '';
    await insertAudit(transaction, { ...OPERATOR, action: 'account_erased', subject: saltedHash(id), detail }, now);
  });
  let rows = 0;
  const onStep = (deleted: number) => {
    rows += deleted;
  };
  await eraseRecords(records, id, { signal, onStep });
  return rows;
}

/** Ends all jobs of an account that wait or run; what their workers write then is refused. */
async function cancelJobs(records: Records, accountId: string, now: number): Promise<void> {
  await records
    .updateTable('jobs')
    .set({ status: 'failed', error_message: 'Cancelled', completed_at: now, lease_until: null })
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

async function refuseWithHolds(records: Records, id: string): Promise<void> {
  const held = await records
    .selectFrom('cases')
    .select('id')
    .where('account_id', '=', id)
    .where('legal_hold', '=', 1)
    .orderBy('id')
    .limit(10)
    .execute();
  if (held.length === 0) return;
  const ids = held.map((one) => one.id).join(', ');
  throw new ConflictError(`Cases are under legal hold: ${ids}. End the holds, or erase despite them (--despite-hold)`);
}

/** Rows of one step, whose transaction holds the account. */
const AT_ONCE = 200;

/** Ways to the account of tables that name none themselves, beside those of stored bytes: column, and whose key it is. */
const THROUGH: Record<string, { table: string; key: string }> = {
  case_citations: { table: 'cases', key: 'case_id' },
  delivery_attempts: { table: 'deliveries', key: 'delivery_id' },
  sessions: { table: 'people', key: 'person_id' },
  transfer_parties: { table: 'screened_transfers', key: 'transfer_id' },
};

/**
 * Tables with records of an account, parts before what they belong to; approvals before the people whom they name. The
 * account itself comes last, with whatever little is left.
 */
const IN_ORDER = [
  ...['sessions', 'api_keys', 'idempotency_keys', 'approvals', 'people'],
  ...['case_notes', 'case_dispositions', 'case_addresses', 'case_evidence', 'case_citations'],
  ...['report_package_files', 'report_package_rows', 'report_packages', 'job_rows', 'jobs', 'cases'],
  ...['board_versions', 'boards', 'movements', 'discoveries', 'watchlist_items'],
  ...['delivery_attempts', 'deliveries', 'events', 'delivery_queues', 'webhook_configs', 'mail_recipients'],
  ...['alert_events', 'alerts', 'alert_views', 'alert_turns', 'alert_mails', 'rule_versions', 'rules'],
  ...['transfer_parties', 'screened_transfers', 'scan_counterparties', 'scans', 'traced_addresses'],
  ...['match_decisions', 'risk_settings', 'quota_reservations', 'quota_months', 'sign_ins', 'sign_in_failures'],
];
/** They name the account as their chain. */
const OF_CHAIN = ['audit_views', 'audit_log', 'audit_chains'];

/** Deletes all records of an account in steps, and at last the account. Stops between two steps where `signal` says so. */
async function eraseRecords(
  records: Records,
  accountId: string,
  { signal, onStep }: { signal?: AbortSignal; onStep?: (rows: number) => void } = {},
): Promise<void> {
  for (const table of [...IN_ORDER, ...OF_CHAIN]) {
    for (let rows = AT_ONCE; rows === AT_ONCE; ) {
      signal?.throwIfAborted();
      rows = await inTransaction(records, async (transaction) => {
        await lockAccount(transaction, accountId);
        return deleteSome(transaction, table, accountId);
      });
      onStep?.(rows);
    }
  }
  await records.deleteFrom('accounts').where('id', '=', accountId).execute();
}

async function deleteSome(records: Records, table: string, accountId: string): Promise<number> {
  const row = sql.raw(isPostgres(records) ? 'ctid' : 'rowid');
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (
    select ${row} from ${sql.table(table)} where ${isOf(table, accountId)} limit ${AT_ONCE})`.execute(records);
  return Number(numAffectedRows);
}

function isOf(table: string, accountId: string) {
  const through = COUNTED[table]?.parent ?? THROUGH[table];
  if (!through) return sql`${sql.ref(OF_CHAIN.includes(table) ? 'chain' : 'account_id')} = ${accountId}`;
  return sql`${sql.ref(through.key)} in (select id from ${sql.table(through.table)} where account_id = ${accountId})`;
}
