import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { canonicalAddress } from '../domain/address/address.ts';
import { addressKey } from '../domain/address/address-key.ts';
import { CHAINS, type Chain } from '../domain/chain.ts';
import { InvalidInputError } from '../errors.ts';
import { type FactPlace, removeFacts } from '../graph/ingest/remove-facts.ts';
import type { Row } from '../graph/port.ts';
import { noteLabelChange } from '../labels/label-changes.ts';
import { listAccounts, lockAccount } from '../records/accounts/accounts.ts';
import { releaseScans } from '../records/accounts/quota.ts';
import { insertAudit, OPERATOR } from '../records/audit/audit-log.ts';
import { saltedHash } from '../records/audit/chain.ts';
import { unpackScene } from '../records/board-versions.ts';
import { inTransaction, type Records } from '../records/database/database.ts';
import { isPostgres } from '../records/dialect.ts';

export interface ForgottenReport {
  /** Deleted rows by table, and `transfers` of the graph. */
  deleted: Record<string, number>;
  /** Cases on hold that have the address: what their accounts have of it stays, and the graph. */
  held: { chain: Chain; case_id: string; account_id: string }[];
  /** Left for a person to decide. */
  mentions: Mention[];
  /** Lists that name the address: they stay. */
  listed: string[];
}

/**
 * Deletes an address from the records of all accounts and from the graph, on one chain or on each that has such addresses.
 * Cases on hold keep theirs. The log keeps a salted hash of the address. Repeating changes nothing. Throws InvalidInputError.
 */
export async function forgetEverywhere(
  ctx: Context,
  { address: given, chain }: { address: string; chain?: Chain },
  { signal }: { signal?: AbortSignal } = {},
): Promise<ForgottenReport> {
  const subjects = subjectsOf(given, chain);
  const report: ForgottenReport = { deleted: {}, held: [], mentions: [], listed: [] };
  const add = (rows: Record<string, number>) => {
    for (const [table, count] of Object.entries(rows)) report.deleted[table] = (report.deleted[table] ?? 0) + count;
  };
  const entry = { action: 'address_forgotten', subject: saltedHash(subjects[0]!.address) } as const;
  await insertAudit(ctx.records, { ...OPERATOR, ...entry }, ctx.now());
  for (const subject of subjects) {
    const holds = await listHolds(ctx.records, subject);
    report.held.push(...holds.map((hold) => ({ chain: subject.chain, ...hold })));
  }
  // Texts name the address on no chain: a hold on one keeps those of all.
  const heldAccounts = report.held.map(({ account_id }) => account_id);
  for (const subject of subjects) {
    signal?.throwIfAborted();
    for (const { id } of await listAccounts(ctx.records)) {
      if (!heldAccounts.includes(id)) add(await forgetOfAccount(ctx.records, id, subject));
    }
    add(await forgetShared(ctx.records, subject, heldAccounts));
    const labels = (await ctx.labels.find(subject.chain, [subject.address])).get(subject.address) ?? [];
    report.listed.push(...labels.map(({ source }) => source));
    if (report.held.every(({ chain: on }) => on !== subject.chain))
      add({ transfers: await forgetInGraph(ctx, subject, labels.length > 0) });
  }
  report.mentions = await listMentions(ctx.records, subjects[0]!);
  report.listed = [...new Set(report.listed)];
  // Verdicts that were cached before rest on what is gone.
  await noteLabelChange(ctx.records);
  return report;
}

/** All chains whose addresses have this form: an EVM address is one on each of these. */
function subjectsOf(given: string, chain: Chain | undefined): ForgottenAddress[] {
  const chains = chain === undefined ? CHAINS : [chain];
  const found = chains.flatMap((one) => {
    const canonical = canonicalAddress(one, given);
    return canonical ? [{ chain: one, address: canonical.address }] : [];
  });
  if (found.length === 0)
    throw new InvalidInputError(chain ? `Address does not match chain ${chain}` : 'Not an address');
  return found;
}

/** An address that a list names stays, without transfers. */
async function forgetInGraph({ graph }: Context, of: ForgottenAddress, isListed: boolean): Promise<number> {
  const key = addressKey(of.chain, of.address);
  const facts = await graph.read<FactPlace & Row>('forget/all-facts-of-address', { key });
  const removed = await removeFacts(graph, facts, { unmark: true });
  await graph.write([
    { statement: 'forget/delete-bridged', params: { key: [key] } },
    { statement: 'forget/unmark', params: { key: [key] } },
    { statement: 'forget/unscore', params: { key: [key] } },
    ...(isListed ? [] : [{ statement: 'forget/delete-address', params: { key } }]),
  ]);
  return removed;
}

interface ForgottenAddress {
  chain: Chain;
  /** Canonical. */
  address: string;
}

/** Rows of one step. */
const AT_ONCE = 200;
/** Rows that a search looks at in one step. */
const READ_AT_ONCE = 500;

/** Cases on hold that have the address: their accounts keep what they have of it. */
async function listHolds(records: Records, { chain, address }: ForgottenAddress) {
  return records
    .selectFrom('case_addresses')
    .innerJoin('cases', 'cases.id', 'case_addresses.case_id')
    .select(['cases.id as case_id', 'cases.account_id'])
    .where('case_addresses.address', '=', address)
    .where('case_addresses.chain', '=', chain)
    .where('cases.legal_hold', '=', 1)
    .orderBy('cases.id')
    .execute();
}

/** Records of an account about the address, by table. */
const OF_ACCOUNT: Record<string, (of: ForgottenAddress) => RawBuilder<unknown>> = {
  scans: isAbout('address'),
  watchlist_items: isAbout('address'),
  discoveries: ({ chain, address }) =>
    sql`(${isAbout('address')({ chain, address })} or path like ${`%"${address}"%`})`,
  screened_transfers: (of) =>
    sql`(${isAbout('address')(of)} or id in (select transfer_id from transfer_parties where ${isAbout('address')(of)}))`,
  alerts: isAbout('address', 'party'),
  traced_addresses: isAbout('address'),
  // One may be for all EVM chains.
  own_labels: ({ address }) => sql`address = ${address}`,
  // A scan is of its row's address; a transfer's job is nothing without it; a backtest keeps which addresses a rule met, and what
  // the rule said.
  jobs: ({ chain, address }) => sql`((type = 'async_scan'
      and id in (select job_id from job_rows where ${isAbout('address')({ chain, address })}))
    or (type = 'transfer_scan' and not exists (select 1 from screened_transfers where screened_transfers.id = jobs.id))
    or (type = 'trace' and input like ${`%"${address}"%`})
    or (type = 'backtest' and (output like ${`%"${addressKey(chain, address)}"%`}
      or lower(input) like ${`%${address.toLowerCase()}%`})))`,
};
/** Tables without an account. */
const SHARED = ['scan_cache', 'worthless_transfers', 'live_addresses', 'touches'];

function isAbout(...columns: string[]): (of: ForgottenAddress) => RawBuilder<unknown> {
  return ({ chain, address }) =>
    sql`(chain = ${chain} and ${address} in (${sql.join(columns.map((column) => sql.ref(column)))}))`;
}

/** Deletes in steps what an account has about the address. Returns how many rows of each table. */
async function forgetOfAccount(
  records: Records,
  accountId: string,
  of: ForgottenAddress,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const inSteps = (table: string, where: RawBuilder<unknown>) =>
    countSteps(deleted, table, () =>
      inTransaction(records, async (transaction) => {
        await lockAccount(transaction, accountId);
        if (table === 'jobs') await releaseJobs(transaction, where);
        return deleteSome(transaction, table, where);
      }),
    );
  for (const [table, about] of Object.entries(OF_ACCOUNT)) {
    await inSteps(table, sql`account_id = ${accountId} and ${about(of)}`);
  }
  const jobs = await records.selectFrom('jobs').select('id').where('account_id', '=', accountId).execute();
  for (const { id } of jobs) await inSteps('job_rows', sql`job_id = ${id} and ${isAbout('address')(of)}`);
  return deleted;
}

/** Gives back the units that these jobs hold, as their end would. */
async function releaseJobs(records: Records, where: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ reservation_id: string }>`
    select reservation_id from jobs where ${where} and reservation_id is not null`.execute(records);
  for (const { reservation_id } of rows) await releaseScans(records, reservation_id);
}

/** Deletes what all accounts share about the address, and events that name it, but for those of some accounts. */
async function forgetShared(
  records: Records,
  of: ForgottenAddress,
  heldAccounts: readonly string[],
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const table of SHARED) {
    await countSteps(deleted, table, () => deleteSome(records, table, isAbout('address')(of)));
  }
  for await (const { id, account_id } of search(records, 'events', sql`account_id`, ['payload'], of.address)) {
    if (heldAccounts.includes(account_id)) continue;
    await records.deleteFrom('events').where('id', '=', id).execute();
    deleted.events = (deleted.events ?? 0) + 1;
  }
  return deleted;
}

async function countSteps(deleted: Record<string, number>, table: string, step: () => Promise<number>): Promise<void> {
  for (let rows = AT_ONCE; rows === AT_ONCE; ) {
    rows = await step();
    if (rows > 0) deleted[table] = (deleted[table] ?? 0) + rows;
  }
}

async function deleteSome(records: Records, table: string, where: RawBuilder<unknown>): Promise<number> {
  const row = sql.raw(isPostgres(records) ? 'ctid' : 'rowid');
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (
    select ${row} from ${sql.table(table)} where ${where} limit ${AT_ONCE})`.execute(records);
  return Number(numAffectedRows);
}

/** A record that a person wrote and that names the address: a person decides what becomes of it. */
interface Mention {
  table: string;
  id: string;
  /** The account, or the case. */
  of: string;
}

const WRITTEN: [table: string, owner: RawBuilder<string>, columns: string[], id?: RawBuilder<string>][] = [
  ['cases', sql`account_id`, ['title', 'description']],
  ['case_addresses', sql`case_id`, ['address', 'label', 'investigator_notes']],
  ['case_notes', sql`case_id`, ['content', 'event']],
  ['scam_reports', sql`account_id`, ['address', 'description', 'domains']],
  ['risk_settings', sql`account_id`, ['whitelist'], sql`account_id`],
  [
    'rule_versions',
    sql`(select account_id from rules where rules.id = rule_id)`,
    ['name', 'condition'],
    sql`rule_id || ' ' || version`,
  ],
];

/**
 * Lists what people wrote that names the address: cases, their addresses and notes, boards, reports of scams, whitelists, rules;
 * of boards and rules earlier versions too.
 */
async function listMentions(records: Records, { address }: ForgottenAddress): Promise<Mention[]> {
  const found: Mention[] = [];
  for (const [table, owner, columns, key] of WRITTEN) {
    for await (const { id, account_id } of search(records, table, owner, columns, address, key)) {
      found.push({ table, id, of: account_id });
    }
  }
  for (const { id, account_id } of await records.selectFrom('boards').select(['id', 'account_id']).execute()) {
    if (await isOnBoard(records, id, address)) found.push({ table: 'boards', id, of: account_id });
  }
  return found;
}

/** True where any version of the board has the address, the newest first. */
async function isOnBoard(records: Records, boardId: string, address: string): Promise<boolean> {
  const versions = records.selectFrom('board_versions').where('board_id', '=', boardId).orderBy('version', 'desc');
  for (const { version } of await versions.select('version').execute()) {
    const { scene } = await versions.select('scene').where('version', '=', version).executeTakeFirstOrThrow();
    if ((await unpackScene(scene)).toString().includes(address)) return true;
  }
  return false;
}

/** Rows with a text that names the address, looked for some at a time. */
async function* search(
  records: Records,
  table: string,
  owner: RawBuilder<string>,
  columns: readonly string[],
  address: string,
  key: RawBuilder<string> = sql`id`,
): AsyncGenerator<{ id: string; account_id: string }> {
  const texts = columns.map((column) => sql`coalesce(lower(${sql.ref(column)}), '')`);
  const named = sql.join(
    texts.map((text) => sql`${text} like ${`%${address.toLowerCase()}%`}`),
    sql` or `,
  );
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; account_id: string; named: boolean | number }>`
      select ${key} as id, ${owner} as account_id, (${named}) as named from ${sql.table(table)}
      where ${key} > ${after} order by 1 limit ${READ_AT_ONCE}`.execute(records);
    for (const row of rows) if (row.named) yield row;
    if (rows.length < READ_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}
