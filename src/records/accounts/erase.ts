import { sql } from 'kysely';
import { inTransaction, type Records } from '../database/database.ts';
import { isPostgres } from '../dialect.ts';
import { COUNTED } from '../stored-bytes.ts';
import { lockAccount } from './accounts.ts';

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
export async function eraseRecords(
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
