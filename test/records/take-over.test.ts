import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyChain } from '../../src/records/audit/keep-audit.ts';
import { openRecords, type Records, type RecordsOptions } from '../../src/records/database/database.ts';
import { openSqliteFile } from '../../src/records/database/sqlite-driver.ts';
import { migrations } from '../../src/records/migrations/list.ts';
import { packageVersion } from '../../src/version.ts';
import { childModule } from '../setup/child-module.ts';
import { usePostgres } from './postgres.ts';
import { expectStoredBytesCounted } from './sound-records.ts';

const STEPS = Object.keys(migrations);

type Row = Record<string, unknown>;

/** A place for one store, and plain access to it while no version of the service has it open. */
interface Place {
  options: RecordsOptions;
  run: (statements: string) => Promise<void>;
  all: (query: string) => Promise<Row[]>;
  close: () => Promise<void> | void;
}

const folder = mkdtempSync(join(tmpdir(), 'traceflow-take-over-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function newFile(): Promise<Place> {
  const path = join(folder, `${files++}.sqlite`);
  const file = openSqliteFile(path);
  return {
    options: { path },
    run: async (statements) => void file.exec(statements),
    all: async (query) => file.prepare(query).all() as Row[],
    close: () => void file.close(),
  };
}

/** Tables, columns in their order, references, indexes, triggers; spelling of statements and order of making apart. */
async function sqliteSchema({ all }: Place): Promise<Row> {
  const schema: Row = {};
  for (const { name, type, sql: text } of await all('select name, type, sql from sqlite_master')) {
    if (type !== 'table')
      schema[`${type} ${name}`] = String(text).replaceAll('"', '').replace(/\s+/g, ' ').toLowerCase();
    else {
      const indexes = await all(`pragma index_list('${name}')`);
      schema[`table ${name}`] = {
        columns: await all(`pragma table_xinfo('${name}')`),
        references: await all(`pragma foreign_key_list('${name}')`),
        indexes: Object.fromEntries(
          await Promise.all(
            indexes.map(async ({ seq: _, ...index }) => [
              index.name,
              { ...index, columns: await all(`pragma index_xinfo('${index.name}')`) },
            ]),
          ),
        ),
      };
    }
  }
  return schema;
}

async function postgresSchema({ all }: Place): Promise<Row> {
  return {
    columns: await all(`select table_name, ordinal_position, column_name, data_type, character_maximum_length,
      is_nullable, column_default from information_schema.columns where table_schema = 'public' order by 1, 2`),
    indexes: await all(`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`),
    constraints: await all(`select conname, conrelid::regclass::text as on_table, pg_get_constraintdef(oid) as rule
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 2, 1`),
    sequences: await all('select sequencename, data_type from pg_sequences order by 1'),
  };
}

const OLD_STEP = '0085-follow-coverage';
const TABLES = /^(?!kysely_|scam_search|label_search|sqlite_)/;

function suite(dialect: 'sqlite' | 'postgres', newPlace: () => Promise<Place>, schemaOf: (at: Place) => Promise<Row>) {
  const fixture = readFileSync(`fixtures/old-records/${dialect}.sql`, 'utf8');
  const tableNames = async ({ all }: Place) => {
    const query =
      dialect === 'sqlite'
        ? `select name from sqlite_master where type = 'table'`
        : `select tablename as name from pg_tables where schemaname = 'public'`;
    return (await all(query)).map(({ name }) => String(name)).filter((name) => TABLES.test(name));
  };
  const rowsOf = async (place: Place) => {
    const rows: Record<string, Row[]> = {};
    for (const name of await tableNames(place))
      rows[name] = await place.all(
        `select * from ${name} order by 1, 2`.replace('label_changes order by 1, 2', 'label_changes'),
      );
    return rows;
  };
  const opened = async <T>(place: Place, ask: (records: Records) => Promise<T>): Promise<T> => {
    const records = await openRecords(place.options);
    return ask(records).finally(() => records.destroy());
  };
  const open = (place: Place) => opened(place, async () => undefined);
  const place = async (statements = '') => {
    const made = await newPlace();
    places.push(made);
    if (statements) await made.run(statements);
    return made;
  };
  const places: Place[] = [];
  afterAll(async () => {
    for (const one of places) await one.close();
  });

  it('gives a new store and one that is taken over the same schema', async () => {
    const [fresh, old] = [await place(), await place(fixture)];
    await open(fresh);
    await open(old);
    expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    const steps = 'select name, version from kysely_migration';
    expect(await old.all(steps)).toEqual(STEPS.map((name) => ({ name, version: packageVersion() })));
    expect(await fresh.all(steps)).toEqual(await old.all(steps));
  });

  it('leaves every row as it was, and makes a queue of pending deliveries', async () => {
    const old = await place(fixture);
    const before = await rowsOf(old);
    await open(old);
    const after = await rowsOf(old);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    for (const item of after.watchlist_items!) {
      expect(item.taken_at).toBeNull();
      delete item.taken_at;
    }
    for (const row of [...after.watchlist_items!, ...after.jobs!, ...after.idempotency_keys!]) {
      expect(Number(row.lost)).toBe(0);
      delete row.lost;
    }
    const { case_audit: moved = [], ...kept } = before;
    const { audit_log: log = [], audit_chains: ends = [], ...others } = after;
    const moves = (rows: Row[]) =>
      rows.map(({ chain, account_id = chain, key_id, case_id, action, subject, at }) => ({
        ...{ account_id, key_id, case_id, action, subject, at: Number(at) },
      }));
    expect(moves(log)).toEqual(moves(moved));
    expect(ends).toEqual(
      moves(moved).map((row, i) => expect.objectContaining({ chain: row.account_id, hash: log[i]!.hash })),
    );
    for (const account of others.accounts!) {
      expect(Number(account.stored_bytes)).toBeGreaterThan(1_000);
      delete account.stored_bytes;
      expect(account.approvals).toBe('');
      delete account.approvals;
      delete account.suspended_at;
      delete account.erased_from;
    }
    for (const scan of others.scans!) {
      expect(scan.met).toBeNull();
      delete scan.met;
      delete scan.touched;
      delete scan.repeats;
    }
    for (const one of others.report_packages!) {
      expect(one.stamp).toBeNull();
      delete one.stamp;
    }
    expect(others).toEqual({
      ...kept,
      unfinished_loads: [],
      case_evidence: [],
      case_citations: [],
      secret_canary: [],
      alert_mails: [],
      cases: before.cases!.map((row) => ({ ...row, legal_hold: 0 })),
      case_addresses: before.case_addresses!.map((row) => ({
        ...row,
        hop_distance: Number(row.hop_distance) === 1 ? null : row.hop_distance,
      })),
      people: [],
      sessions: [],
      audit_views: [],
      approvals: [],
      sign_ins: [],
      alerts: [],
      alert_events: [],
      alert_turns: [],
      alert_views: [],
      rules: [],
      own_labels: [],
      label_signers: [],
      signed_labels: [],
      rule_versions: [],
      screened_transfers: [],
      transfer_parties: [],
      sign_in_failures: [],
      mail_recipients: [],
      api_keys: before.api_keys!.map((row) => ({
        ...row,
        scopes: 'read scan cases monitor admin',
        expires_at: null,
        allowed_ips: '',
        created_by: null,
        made_by_person: null,
      })),
      delivery_queues: [
        expect.objectContaining({ account_id: 'accounts.id.1', recipient: 'deliveries.recipient.1', failing: 0 }),
      ],
      delivery_attempts: [],
      kept_lists: [],
      worthless_transfers: [],
      live_addresses: [],
      live_listeners: [],
      touches: [],
      movements: [],
      discoveries: before.discoveries!.map((row) => ({ ...row, listened: 0 })),
      watchlist_items: before.watchlist_items!.map((row) => ({
        ...row,
        live: 0,
        live_since: null,
        listened_since: null,
        too_busy_since: null,
        live_said: null,
        live_said_at: null,
        movements: '"out"',
      })),
      case_dispositions: before.case_dispositions!.map((row) => ({ ...row, imported: 0 })),
      scan_counterparties: before.scan_counterparties!.map((row) => ({ ...row, moved_usd: null, labelled_usd: null })),
      prices: before.prices!.map((row) => ({ ...row, source: 'file' })),
      events: before.events!.map((row) => ({ ...row, read_at: null })),
      labels: before.labels!.map((row) => ({ ...row, programme: null })),
      label_names: before.labels!.map(({ label, source, entity }) =>
        expect.objectContaining({ label, source, entity: entity ?? '' }),
      ),
      boards: [],
      board_versions: [],
      report_package_files: [],
      // Both named transfers by ids that are no more.
      scan_cache: [],
      match_decisions: before.match_decisions!.map((row) => ({
        ...row,
        receipt_id: `${row.chain_in}:${row.tx_in}`,
      })),
    });
    expect(Number(after.delivery_queues![0]!.due_at)).toBe(1_790_000_000_001);
    // A second start finds nothing to do, and the store takes writes.
    await opened(old, async (records) => {
      await expectStoredBytesCounted(records);
      for (const { chain } of ends) expect((await verifyChain(records, String(chain))).problem).toBeNull();
      await records.deleteFrom('accounts').where('id', '=', 'accounts.id.1').execute();
      await expectStoredBytesCounted(records);
      await records.updateTable('scam_entries').set({ search_text: 'changed' }).execute();
    });
    expect(await old.all('select id from discoveries')).toEqual([{ id: 'discoveries.id.2' }]);
    expect((await rowsOf(old)).delivery_queues).toEqual([]);
  });

  it('leaves the old store when the process is killed in the middle', async () => {
    const old = await place(fixture);
    const [rows, schema] = [await rowsOf(old), await schemaOf(old)];
    const child = await childModule('test/records/take-over-process.ts', [JSON.stringify(old.options)]);
    const [err, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(signal, err).toBe('SIGKILL');
    expect(await schemaOf(old)).toEqual(schema);
    expect(await rowsOf(old)).toEqual(rows);
    await open(old);
    expect(await old.all('select name from kysely_migration')).toEqual(STEPS.map((name) => ({ name })));
  });

  it('refuses an older store with one line that names the version to start once, and leaves it as it is', async () => {
    const old = await place(fixture);
    await old.run(`delete from kysely_migration where name = '${OLD_STEP}'`);
    const schema = await schemaOf(old);
    await expect(open(old)).rejects.toMatchObject({
      name: 'InvalidInputError',
      message: expect.stringMatching(/^The records are of a version before 0\.1\.0 of commit e762060: .*Upgrade\)$/),
    });
    expect(await schemaOf(old)).toEqual(schema);
  });

  it('refuses a newer store with one line that names the version wanted', async () => {
    const newer = await place();
    await open(newer);
    await newer.run(`insert into kysely_migration (name, timestamp, version) values ('9000-later', '', '99.1.0')`);
    await expect(open(newer)).rejects.toMatchObject({
      name: 'InvalidInputError',
      message: expect.stringMatching(/^The records were made by a newer version, 99\.1\.0: .*\)$/),
    });
  });
}

describe('a store of the steps before on SQLite', () => {
  suite('sqlite', newFile, sqliteSchema);

  it('is taken over once by processes that start together', async () => {
    const old = await newFile();
    await old.run(readFileSync('fixtures/old-records/sqlite.sql', 'utf8'));
    const children = await Promise.all(
      [1, 2, 3].map(() => childModule('test/records/records-process.ts', ['open', old.options.path!])),
    );
    const ends = await Promise.all(children.map((child) => Promise.all([once(child, 'exit'), text(child.stderr)])));
    expect(ends.filter(([[status]]) => status !== 0)).toEqual([]);
    expect(await old.all('select name from kysely_migration')).toEqual(STEPS.map((name) => ({ name })));
    old.close();
  });

  it('searches the texts of entries as before', async () => {
    const old = await newFile();
    await old.run(readFileSync('fixtures/old-records/sqlite.sql', 'utf8'));
    const records = await openRecords(old.options);
    const { rows } = await sql`select rowid from scam_search where scam_search match 'air'`.execute(records);
    expect(rows).toEqual([{ rowid: 1 }]);
    await records.destroy();
    old.close();
  });
});

describe('a store of the steps before on PostgreSQL', () => {
  const server = usePostgres();

  const newDatabase = async (): Promise<Place> => {
    const databaseUrl = await server.newDatabase();
    const ask = async (statements: string) => {
      const client = new pg.Client(databaseUrl);
      await client.connect();
      return client.query(statements).finally(() => client.end());
    };
    return {
      options: { databaseUrl, path: null },
      run: async (statements) => void (await ask(statements)),
      all: async (query) => (await ask(query)).rows,
      close: () => undefined,
    };
  };
  suite('postgres', newDatabase, postgresSchema);

  it('is taken over once by processes that start together', async () => {
    const old = await newDatabase();
    await old.run(readFileSync('fixtures/old-records/postgres.sql', 'utf8'));
    const opened = await Promise.all([1, 2, 3].map(() => openRecords(old.options)));
    await Promise.all(opened.map((records) => records.destroy()));
    expect(await old.all('select name from kysely_migration')).toEqual(STEPS.map((name) => ({ name })));
  });
});

it('numbers steps so that they sort after those that the first one replaced', () => {
  const [first, ...later] = Object.keys(migrations);
  expect(first).toBe('0001-schema');
  expect(later).toEqual([...later].sort());
  expect(later.filter((name) => !/^0[1-9]\d\d-/.test(name))).toEqual([]);
});
