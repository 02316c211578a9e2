import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openRecords } from '../../src/records/database/database.ts';
import { builtCli, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

it('audit prints what operator and accounts did, and finds what was changed', async () => {
  const { run, folder } = openShell(cli);
  const json = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).stdout);
  expect(await json('audit', 'export')).toEqual([]);
  const { id } = await json('accounts', 'create', '--name', 'Desk', '--plan', 'pro');
  const key = await json('keys', 'create', '--account', id, '--name', 'Mia');
  await run(['keys', 'revoke', key.id]);
  await run(['accounts', 'set-plan', id, 'business']);
  expect((await run(['load', 'labels', 'nowhere.csv'])).code).toBe(1);
  const mine = (await run(['audit', 'export', '--account', id])).stdout.trim().split('\n');
  expect(mine.map((line) => JSON.parse(line))).toMatchObject([
    { account: id, seq: 1, actor: 'operator', action: 'account_created', subject: 'Desk', detail: 'pro' },
    { action: 'key_created', subject: key.id, detail: 'Mia: read scan cases monitor admin' },
    { action: 'key_revoked', subject: key.id, detail: 'Mia' },
    { action: 'plan_changed', subject: 'business', detail: 'before: pro' },
  ]);
  expect(await json('audit', 'export', '--account', 'operator')).toMatchObject([
    { action: 'load_started', subject: 'labels', outcome: 'done' },
    { action: 'load_ended', subject: 'labels', outcome: 'failed' },
  ]);
  expect(await json('audit', 'export')).toHaveLength(6);
  const held = await run(['audit', 'verify', '--json']);
  expect([held.code, JSON.parse(held.stdout)]).toEqual([
    0,
    expect.arrayContaining([
      { chain: id, entries: 4, hash: JSON.parse(mine[3]!).hash, problem: null },
      expect.objectContaining({ chain: 'operator', entries: 2, problem: null }),
    ]),
  ]);
  const records = await openRecords({ path: join(folder, 'data/records.sqlite') });
  await records.updateTable('audit_log').set({ subject: 'free' }).where('action', '=', 'plan_changed').execute();
  await records.destroy();
  const found = await run(['audit', 'verify']);
  expect([found.code, found.stdout]).toEqual([1, expect.stringContaining(`${id}: entry 4 was changed\n`)]);
  const exported = await run(['audit', 'export']);
  expect([exported.code, exported.stderr]).toEqual([1, `${id}: entry 4 was changed\n`]);
});
