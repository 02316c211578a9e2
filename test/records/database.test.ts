import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { PLANS } from '../../src/plans.ts';
import { createAccount } from '../../src/records/accounts.ts';
import { openRecords, pingRecords } from '../../src/records/database.ts';
import { readQuota } from '../../src/records/quota.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'traceflow-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process of its own that runs one exported function of `worker.ts`. */
function inProcess(name: string, ...args: string[]): Promise<string> {
  const worker = fileURLToPath(new URL('worker.ts', import.meta.url));
  const vitest = import.meta.resolve('vitest/node');
  const code = `
    import { createViteServer } from ${JSON.stringify(vitest)};
    const server = await createViteServer({ configFile: false, logLevel: 'error', server: { middlewareMode: true, ws: false } });
    const module = await server.ssrLoadModule(${JSON.stringify(worker)});
    console.log(await module[${JSON.stringify(name)}](...${JSON.stringify(args)}));
    await server.close();`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('exit', (status) => (status === 0 ? resolve(out.trim()) : reject(new Error(err))));
  });
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

  it('takes an account away with all that is its own', async () => {
    const records = await open();
    const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    await records.insertInto('quota_months').values({ account_id: id, period: '2026-11', used: 1 }).execute();
    await records.deleteFrom('accounts').where('id', '=', id).execute();
    expect(await records.selectFrom('quota_months').selectAll().execute()).toEqual([]);
  });
});

it('opens one SQLite file from several new processes at once, and no unit is spent twice between them', async () => {
  const path = join(folder, 'shared', 'records.sqlite');
  await Promise.all(Array.from({ length: 4 }, () => inProcess('openAndClose', path)));

  const records = await openRecords({ path });
  const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const taken = await Promise.all(
    Array.from({ length: 3 }, () => inProcess('reserveUntilRefused', path, id, String(NOW))),
  );
  expect(taken.reduce((sum, one) => sum + Number(one), 0)).toBe(PLANS.free.scansPerMonth);
  expect((await readQuota(records, id, NOW)).used).toBe(PLANS.free.scansPerMonth);
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
