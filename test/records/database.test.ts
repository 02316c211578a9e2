import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { readQuota } from '../../src/records/accounts/quota.ts';
import { openRecords, pingRecords } from '../../src/records/database/database.ts';
import { childModule } from '../setup/child-module.ts';
import { onBothStores } from './on-both-stores.ts';
import { UNITS } from './records-process.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'traceflow-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `worker.ts` prints in a process of its own. */
async function inProcess(...args: string[]): Promise<string> {
  const child = await childModule('test/records/records-process.ts', args);
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (status !== 0) throw new Error(err);
  return out.trim();
}

onBothStores('the record store', (open) => {
  it('answers times and counts as numbers and keeps text beyond ASCII', async () => {
    const records = await open();
    await createAccount(records, { name: '調査 🚀', planId: 'free' }, NOW);
    const row = await records
      .selectFrom('accounts')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.max('created_at').as('newest')])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ count: 1, newest: NOW });
    expect((await records.selectFrom('accounts').select('name').executeTakeFirst())?.name).toBe('調査 🚀');
    await pingRecords(records);
  });

  it('finds nothing among no values, and everything beside none', async () => {
    const records = await open();
    await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const count = (operator: 'in' | 'not in') =>
      records.selectFrom('accounts').select('id').where('id', operator, []).execute();
    expect(await count('in')).toEqual([]);
    expect(await count('not in')).toHaveLength(1);
  });

  it('takes an account away with all that is its own', async () => {
    const records = await open();
    const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    await records.insertInto('quota_months').values({ account_id: id, period: '2026-11', used: 1 }).execute();
    await records.deleteFrom('accounts').where('id', '=', id).execute();
    expect(await records.selectFrom('quota_months').selectAll().execute()).toEqual([]);
  });
});

it('writes nothing more of a transaction that SQLite has ended, as it does where the disk is full', async () => {
  const records = await openRecords({ path: null });
  onTestFinished(() => records.destroy());
  await sql`create table pages (bytes blob)`.execute(records);
  await sql`pragma max_page_count = 1`.execute(records);
  const work = records.transaction().execute(async (transaction) => {
    const full = sql`insert into pages values (zeroblob(1000000))`.execute(transaction);
    await expect(full).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    await createAccount(transaction, { name: 'Desk', planId: 'free' }, NOW);
  });
  await expect(work).rejects.toThrow('SQLite has ended the transaction');
  await sql`pragma max_page_count = 1000000`.execute(records);
  expect(await records.selectFrom('accounts').select('name').execute()).toEqual([]);
  await createAccount(records, { name: 'Later', planId: 'free' }, NOW);
});

it('opens one SQLite file from several new processes at once, and no unit is spent twice between them', {
  timeout: 120_000,
}, async () => {
  const path = join(folder, 'shared', 'records.sqlite');
  await Promise.all(Array.from({ length: 4 }, () => inProcess('open', path)));

  const records = await openRecords({ path });
  const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const spent = await Promise.all(Array.from({ length: 3 }, () => inProcess('spend', path, id, String(NOW))));
  expect(spent.reduce((sum, one) => sum + Number(one), 0)).toBe(UNITS);
  expect((await readQuota(records, id, NOW)).used).toBe(UNITS);
  await records.destroy();
});

it('keeps records over a restart and says why a file cannot be opened', async () => {
  const path = join(folder, 'kept.sqlite');
  const first = await openRecords({ path });
  const account = await createAccount(first, { name: 'Desk', planId: 'pro' }, NOW);
  await first.destroy();
  const second = await openRecords({ path });
  expect(await second.selectFrom('accounts').selectAll().execute()).toEqual([account]);
  await second.destroy();
  await expect(openRecords({ path: folder })).rejects.toThrow('unable to open database file');
});

it('says what a pooler refuses that drops no setting of the connection, rather than to wait for it', async () => {
  const said = 'unsupported startup parameter: statement_timeout';
  const fields = Buffer.from(`SFATAL\0C08P01\0M${said}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  const pooler = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])));
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void pooler.close());
  const databaseUrl = `postgres://desk@127.0.0.1:${(pooler.address() as AddressInfo).port}/desk`;
  await expect(openRecords({ databaseUrl, path: null })).rejects.toThrow(said);
});
