import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { addProbes, NOW, openTestApp } from './test-app.ts';

it('leaves no issued key in the log, whatever way it was sent and whatever went wrong', async () => {
  const test = await openTestApp();
  await addProbes(test, { bug: new Error('unforeseen') });
  const { key } = await test.issue('enterprise');
  const create = await test.app.inject({
    method: 'POST',
    url: '/api/v1/api-keys',
    headers: { authorization: `Bearer ${key}` },
    payload: { name: 'second' },
  });
  const second = create.json().key as string;
  const issued = [key, second];
  for (const sent of issued) {
    for (const url of ['/api/v1/public/usage', `/nowhere/${sent}`, `/api/v1/public/usage?key=${sent}`, `/%zz${sent}`]) {
      await test.app.inject({ url, headers: { 'x-api-key': sent, authorization: `Bearer ${sent}`, cookie: sent } });
    }
    await test.app.inject({
      method: 'POST',
      url: '/probe/throw/bug',
      headers: { 'x-api-key': sent },
      payload: { sent },
    });
    await test.app.inject({
      method: 'POST',
      url: '/probe/shape/x',
      headers: { 'x-api-key': sent, 'content-type': 'application/json' },
      payload: `{"${sent}"`,
    });
    await test.app.inject({ method: 'DELETE', url: `/api/v1/api-keys/${sent}`, headers: { 'x-api-key': sent } });
    // A key that is nearly right: refused, and no reason to write it down.
    await test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': `${sent}x` } });
  }
  const log = test.logged();
  expect(log).toContain('unforeseen');
  expect(log.split('\n').length).toBeGreaterThan(15);
  for (const sent of issued) expect(log).not.toContain(sent.slice(4));
});

it('leaves no issued key in the files of the record store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const records = await openRecords({ path: join(folder, 'records.sqlite') });
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
  const created = [];
  for (let i = 0; i < 5; i++) created.push(await insertKey(records, { accountId, name: `k${i}` }, NOW));
  const stored = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const whileOpen = stored();
  await records.destroy();
  for (const { id, key } of created) {
    expect(whileOpen.some((bytes) => bytes.includes(id))).toBe(true);
    for (const bytes of [...whileOpen, ...stored()]) expect(bytes.includes(key.slice(8))).toBe(false);
  }
});
