import { type RawBuilder, sql } from 'kysely';
import { inTransaction, type Records } from '../database/database.ts';
import { lockAccount } from './accounts.ts';

/** A place in the records of an account: what comes after it is looked at next. */
export interface Cursor {
  at: number;
  id: string;
}

/** Records of an account that a step looks at: those from before a moment (epoch ms), behind a place. */
export interface Expired {
  accountId: string;
  before: number;
  after: Cursor | null;
  now: number;
}

/** A kind of record that does not stay for ever. */
interface ExpiringKind {
  table: 'scans' | 'traced_addresses' | 'jobs' | 'screened_transfers' | 'alerts';
  /** The column that a step names its records by; `id` by default. */
  id?: string;
  /** When a record began; an index of the account has it. */
  began: string;
  /** Records that one step looks at, in a transaction of its own. */
  atOnce: number;
  /** Narrows what is looked at. */
  among?: RawBuilder<unknown>;
  /** True where none of an account go: nothing is looked at. */
  allStay?: (accountId: string) => RawBuilder<unknown>;
  /** Which of those that a step looked at go; `span` is from when they are, epoch ms, both inclusive. */
  goes: (expired: Expired, span: { from: number; to: number }) => RawBuilder<unknown>;
  /** Deletes what would be too much for one step. */
  deleteParts?: (records: Records, accountId: string, id: string, goes: RawBuilder<unknown>) => Promise<void>;
}

/** True where a case on hold of the account has one of the addresses of a row. */
const isHeld = (table: string, ...addresses: string[]) => sql`exists (
  select 1 from case_addresses held join cases on cases.id = held.case_id
  where cases.account_id = ${sql.ref(`${table}.account_id`)} and cases.legal_hold = 1
    and held.chain = ${sql.ref(`${table}.chain`)}
    and held.address in (${sql.join(addresses.map((column) => sql.ref(`${table}.${column}`)))}))`;

/** True where a case on hold of the account has the address of the scan. */
export const isScanOnHold = isHeld('scans', 'address');

/** True where a report or package cites the scan, or would, being the newest of an address of a case. */
const isScanCited = sql`(
  exists (select 1 from case_citations where case_citations.scan_id = scans.id)
  or (
    exists (
      select 1 from case_addresses named join cases on cases.id = named.case_id
      where named.address = scans.address and named.chain = scans.chain and cases.account_id = scans.account_id)
    and not exists (
      select 1 from scans newer
      where newer.account_id = scans.account_id and newer.chain = scans.chain and newer.address = scans.address
        and (newer.created_at > scans.created_at
          or (newer.created_at = scans.created_at and newer.id > scans.id)))))`;

/** True where the account has a case on hold. */
const hasHold = (accountId: string) =>
  sql`exists (select 1 from cases where cases.account_id = ${accountId} and cases.legal_hold = 1)`;

const scans = {
  table: 'scans',
  began: 'created_at',
  atOnce: 200,
  goes: () => sql`not ${isScanOnHold} and not ${isScanCited}`,
} as const;

const KINDS = {
  /** But for those that a case on hold has, or that a report or package of a case rests on. */
  scans,
  /** Rescans that said what the one before them on the same day said, with the same exceptions. */
  repeats: { ...scans, among: sql`repeats = 1` },
  /** Addresses that scans and traces opened; an account with a case on hold keeps all, since no case names those on its way. */
  traced: {
    table: 'traced_addresses',
    began: 'at',
    id: 'address',
    atOnce: 500,
    allStay: hasHold,
    // One address has a row for each chain, and no index of its own: the span makes a step read its own rows alone.
    goes: ({ accountId }, { from, to }) =>
      sql`account_id = ${accountId} and at >= ${from} and at <= ${to} and not ${hasHold(accountId)}`,
  },
  /** Ended jobs; packages stay, and the jobs of cases on hold. */
  jobs: {
    table: 'jobs',
    began: 'created_at',
    atOnce: 20,
    goes: ({
      before,
    }) => sql`status in ('completed', 'failed', 'stale') and coalesce(completed_at, created_at) < ${before}
      and not exists (select 1 from report_packages where report_packages.id = jobs.id)
      and not exists (select 1 from cases where cases.id = jobs.case_id and cases.legal_hold = 1)`,
    deleteParts: deleteJobRows,
  },
  /** Transfers that ended and are watched no more, but for those with an address of a case on hold. */
  transfers: {
    table: 'screened_transfers',
    began: 'created_at',
    atOnce: 200,
    goes: ({ before, now }) => sql`ended_at < ${before} and not ${isHeld('screened_transfers', 'address')}
      and not exists (
        select 1 from transfer_parties party where party.transfer_id = screened_transfers.id
          and (party.watched_until > ${now} or exists (
            select 1 from case_addresses held join cases on cases.id = held.case_id
            where cases.account_id = screened_transfers.account_id and cases.legal_hold = 1
              and held.chain = party.chain and held.address = party.address)))`,
  },
  /** Closed ones, but for those of cases on hold and of their addresses. */
  alerts: {
    table: 'alerts',
    began: 'raised_at',
    atOnce: 20,
    goes: ({ before }) => sql`closed_at < ${before} and not ${isHeld('alerts', 'address', 'party')}
      and not exists (select 1 from cases where cases.id = alerts.case_id and cases.legal_hold = 1)`,
  },
} satisfies Record<string, ExpiringKind>;
export type ExpiringRecords = keyof typeof KINDS;

/** Deletes some of an account's records of a kind. Says how many, and where the next step goes on; null at the end. */
export async function deleteExpired(
  records: Records,
  kind: ExpiringRecords,
  expired: Expired,
): Promise<{ deleted: number; next: Cursor | null }> {
  const { table, began, id: name = 'id', atOnce, among = sql`true`, ...rest }: ExpiringKind = KINDS[kind];
  const { accountId, before, after } = expired;
  const { rows: reasons } = await sql`select 1 where ${rest.allStay?.(accountId) ?? sql`false`}`.execute(records);
  if (reasons.length > 0) return { deleted: 0, next: null };
  const [rows, at, key] = [sql.table(table), sql.ref(began), sql.ref(name)];
  const behind = after ? sql`${at} >= ${after.at} and (${at} > ${after.at} or ${key} > ${after.id})` : sql`true`;
  const { rows: looked } = await sql<Cursor>`select ${key} as id, ${at} as at from ${rows}
    where account_id = ${accountId} and ${among} and ${at} < ${before} and ${behind}
    order by ${at}, ${key} limit ${atOnce}`.execute(records);
  const [first, last] = [looked[0], looked.at(-1)];
  if (!first || !last) return { deleted: 0, next: null };
  const goes = rest.goes(expired, { from: Number(first.at), to: Number(last.at) });
  const these = sql`${key} in (${sql.join(looked.map(({ id }) => id))}) and ${goes}`;
  if (rest.deleteParts) {
    const { rows: going } = await sql<Cursor>`select id from ${rows} where ${these}`.execute(records);
    for (const { id } of going) await rest.deleteParts(records, accountId, id, goes);
  }
  const { numAffectedRows } = await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, accountId);
    return sql`delete from ${rows} where ${these}`.execute(transaction);
  });
  const next = looked.length < atOnce ? null : { at: Number(last.at), id: last.id };
  return { deleted: Number(numAffectedRows), next };
}

const JOB_ROWS_AT_ONCE = 500;

/** A job may have thousands of rows: they go in steps of their own. */
async function deleteJobRows(
  records: Records,
  accountId: string,
  jobId: string,
  goes: RawBuilder<unknown>,
): Promise<void> {
  for (let deleted = JOB_ROWS_AT_ONCE; deleted === JOB_ROWS_AT_ONCE; ) {
    deleted = await inTransaction(records, async (transaction) => {
      await lockAccount(transaction, accountId);
      // A case may have been put on hold since.
      const { rows: going } = await sql`select id from jobs where id = ${jobId} and ${goes}`.execute(transaction);
      if (going.length === 0) return 0;
      const some = transaction.selectFrom('job_rows').select('position').where('job_id', '=', jobId);
      const { numDeletedRows } = await transaction
        .deleteFrom('job_rows')
        .where('job_id', '=', jobId)
        .where('position', 'in', some.orderBy('position').limit(JOB_ROWS_AT_ONCE))
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
}
