import { sql } from 'kysely';
import { type AnyStore, isPostgres } from './dialect.ts';

/** Beside its texts a record takes this much, by its other columns and its places in indexes. */
const RECORD_BYTES = 100;

/**
 * Records that count to an account, by table: their columns of any length, and how to reach the account where the row
 * does not name it. Whatever is added here comes with a step of the schema: counts are made after it.
 */
export const COUNTED: Record<string, { texts: string[]; parent?: { table: string; key: string } }> = {
  cases: { texts: ['title', 'description', 'assignee'] },
  case_addresses: { texts: ['label', 'investigator_notes'], parent: { table: 'cases', key: 'case_id' } },
  case_notes: { texts: ['content', 'event'], parent: { table: 'cases', key: 'case_id' } },
  case_dispositions: { texts: ['reason', 'evidence'], parent: { table: 'cases', key: 'case_id' } },
  approvals: { texts: ['subject', 'request', 'reason'] },
  case_evidence: { texts: ['content'], parent: { table: 'cases', key: 'case_id' } },
  boards: { texts: ['title'] },
  board_versions: { texts: ['title', 'scene'] },
  watchlist_items: { texts: ['label', 'sanctioned', 'follow_coverage', 'movements'] },
  movements: { texts: ['alert'], parent: { table: 'watchlist_items', key: 'item_id' } },
  discoveries: { texts: ['path', 'label'] },
  webhook_configs: { texts: ['webhook_url', 'description'] },
  idempotency_keys: { texts: ['answer'] },
  scans: { texts: ['result', 'met'] },
  scan_counterparties: { texts: ['counterparties'], parent: { table: 'scans', key: 'scan_id' } },
  traced_addresses: { texts: ['address'] },
  match_decisions: { texts: ['reason'] },
  alerts: { texts: ['join_key', 'rule', 'severity', 'title', 'address', 'party', 'data', 'assignee'] },
  alert_events: { texts: ['actor', 'reference', 'data'], parent: { table: 'alerts', key: 'alert_id' } },
  alert_views: { texts: ['name', 'filter'] },
  alert_turns: { texts: ['assignees'] },
  rules: { texts: ['name', 'mode', 'severity'] },
  rule_versions: { texts: ['name', 'severity', 'condition', 'author'], parent: { table: 'rules', key: 'rule_id' } },
  screened_transfers: { texts: ['asset', 'amount', 'customer_ref', 'reference', 'reason', 'result'] },
  transfer_parties: { texts: ['adverse'], parent: { table: 'screened_transfers', key: 'transfer_id' } },
  own_labels: { texts: ['label', 'reason', 'author'] },
  risk_settings: { texts: ['whitelist', 'weights'] },
  jobs: { texts: ['input', 'output', 'error_message'] },
  job_rows: { texts: ['address', 'result', 'error_message'], parent: { table: 'jobs', key: 'job_id' } },
  report_packages: { texts: ['inputs', 'files'], parent: { table: 'jobs', key: 'id' } },
  report_package_rows: { texts: ['rows'], parent: { table: 'jobs', key: 'package_id' } },
  report_package_files: { texts: ['content'], parent: { table: 'jobs', key: 'package_id' } },
};

/**
 * Counts the bytes of all records of an account, once, and from then on in each statement that writes or deletes one:
 * triggers see what the code of a writer could forget, cascades too.
 */
export async function countStoredBytes(db: AnyStore): Promise<void> {
  for (const statement of isPostgres(db) ? await removalsOnPostgres(db) : await removalsOnSqlite(db)) {
    await sql.raw(statement).execute(db);
  }
  await sql`update accounts set stored_bytes = coalesce(
    (select bytes from (${sumsOfStored}) as held where held.account_id = accounts.id), 0)`.execute(db);
  for (const statement of isPostgres(db) ? onPostgres() : onSqlite()) await sql.raw(statement).execute(db);
}

/** Returns statements that remove the triggers of any earlier declaration. */
async function removalsOnSqlite(db: AnyStore): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'trigger' and name like 'stored\\_%' escape '\\'`.execute(db);
  return rows.map(({ name }) => `drop trigger ${name}`);
}

async function removalsOnPostgres(db: AnyStore): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc where pronamespace = current_schema()::regnamespace
      and prorettype = 'trigger'::regtype and starts_with(proname, 'stored_')`.execute(db);
  return rows.map(({ name }) => `drop function ${name}() cascade`);
}

/**
 * Account_id and bytes: what `accounts.stored_bytes` must be, read from the records themselves.
 *
 * @internal Read by a test that compares both.
 */
export const sumsOfStored = sql<{ account_id: string; bytes: number }>`
  select account_id, sum(bytes) as bytes from (${sql.raw(
    Object.keys(COUNTED)
      .map((table) => bytesOf(table, table))
      .join(' union all '),
  )}) as records group by account_id`;

/** Account and bytes of the rows of a table, or of the rows of it that a trigger sees under the name `from`. */
function bytesOf(table: string, from: string, sign: '' | '-' = ''): string {
  const { parent } = COUNTED[table]!;
  const join = parent ? `join ${parent.table} holder on holder.id = changed.${parent.key}` : '';
  return `select ${parent ? 'holder' : 'changed'}.account_id as account_id, ${sign}(${sizeOf(table, 'changed')}) as bytes
    from ${from} changed ${join}`;
}

function sizeOf(table: string, row: string): string {
  const texts = COUNTED[table]!.texts.map((column) => `coalesce(octet_length(${row}.${column}), 0)`);
  return [RECORD_BYTES, ...texts].join(' + ');
}

/** A cascade deletes the parts after what they belong to: they go before it, while they can reach their account. */
function parents(): { table: string; deleteParts: string }[] {
  const tables = new Set(Object.values(COUNTED).flatMap(({ parent }) => parent?.table ?? []));
  return [...tables].map((table) => ({
    table,
    deleteParts: Object.entries(COUNTED)
      .filter(([, { parent }]) => parent?.table === table)
      .map(([part, { parent }]) => `delete from ${part} where ${parent!.key} = old.id;`)
      .join(' '),
  }));
}

const onSqlite = () => [
  ...Object.entries(COUNTED).flatMap(([table, { texts, parent }]) => {
    const move = (row: string, change: string) => {
      const account = parent
        ? `(select account_id from ${parent.table} where id = ${row}.${parent.key})`
        : `${row}.account_id`;
      return `update accounts set stored_bytes = stored_bytes + ${change} where id = ${account};`;
    };
    const [before, after] = [sizeOf(table, 'old'), sizeOf(table, 'new')];
    return [
      `create trigger stored_${table}_insert after insert on ${table} begin ${move('new', `(${after})`)} end`,
      `create trigger stored_${table}_delete after delete on ${table} begin ${move('old', `-(${before})`)} end`,
      `create trigger stored_${table}_update after update of ${texts.join(', ')} on ${table}
        begin ${move('new', `(${after}) - (${before})`)} end`,
    ];
  }),
  ...parents().map(
    ({ table, deleteParts }) =>
      `create trigger stored_${table}_parts before delete on ${table} begin ${deleteParts} end`,
  ),
];

const onPostgres = () => [
  ...Object.keys(COUNTED).flatMap((table) => {
    const rows = { added: bytesOf(table, 'added'), gone: bytesOf(table, 'gone', '-') };
    const move = (changes: string) => `
      update accounts set stored_bytes = stored_bytes + total.bytes from (
        select account_id, sum(bytes) as bytes from (${changes}) as changes group by account_id) as total
      where accounts.id = total.account_id and total.bytes <> 0;`;
    const trigger = (event: string, referencing: string) =>
      `create trigger stored_${table}_${event} after ${event} on ${table} referencing ${referencing}
        for each statement execute function stored_${table}()`;
    return [
      `create function stored_${table}() returns trigger language plpgsql as $$ begin
        if tg_op = 'INSERT' then ${move(rows.added)}
        elsif tg_op = 'DELETE' then ${move(rows.gone)}
        else ${move(`${rows.added} union all ${rows.gone}`)}
        end if;
        return null;
      end $$`,
      trigger('insert', 'new table as added'),
      trigger('delete', 'old table as gone'),
      trigger('update', 'old table as gone new table as added'),
    ];
  }),
  ...parents().flatMap(({ table, deleteParts }) => [
    `create function stored_${table}_parts() returns trigger language plpgsql as
      $$ begin ${deleteParts} return old; end $$`,
    `create trigger stored_${table}_parts before delete on ${table}
      for each row execute function stored_${table}_parts()`,
  ]),
];
