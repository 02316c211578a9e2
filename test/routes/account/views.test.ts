import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/domain/time.ts';
import { insertKey } from '../../../src/records/accounts/keys.ts';
import { openTestApp } from '../../app/test-app.ts';

const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7';

async function openDesk() {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('enterprise');
  const as = (key: string) => async (url: string, payload?: object) => {
    const method = payload ? 'POST' : 'GET';
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, payload });
    return reply.json();
  };
  const mia = await insertKey(test.ctx.records, { accountId, name: 'Mia', scopes: ['read', 'cases'] }, test.time.at);
  return { test, admin: as(key), mia: as(mia.key), miaId: mia.id };
}

interface Entry {
  at: string;
  actor: string;
  action: string;
  subject: string;
}
const lines = ({ entries }: { entries: Entry[] }) =>
  entries.map(({ at, actor, action, subject }) => `${at.slice(0, 16)} ${actor} ${action} ${subject}`);

it('answers who saw an address in a month: each person or key once an hour, by any way and any writing of it', async () => {
  const { test, admin, mia, miaId } = await openDesk();
  test.time.at = Date.parse('2026-10-05T08:15:00Z');
  await mia(`/exposure/${ADDRESS}?chain=ethereum`);
  await mia(`/exposure/${ADDRESS}/terminals?chain=ethereum`);
  await Promise.all([1, 2, 3].map(() => mia(`/graph/funds/${ADDRESS}?chain=ethereum`)));
  await admin(`/exposure/${ADDRESS}?chain=polygon`);
  test.time.at += HOUR_MS;
  await mia(`/graph/counterparties/${ADDRESS}?chain=ethereum`);
  // What was refused, and what no key asked, showed this account nothing.
  await mia('/exposure/nothing');
  await test.app.inject(`/api/v1/exposure/${ADDRESS}?chain=ethereum`);
  test.time.at = Date.parse('2026-11-02T08:15:00Z');
  await admin(`/exposure/${ADDRESS}?chain=ethereum`);

  const october = 'from=2026-10-01&to=2026-10-31T23:59:59Z';
  expect(lines(await admin(`/audit?${october}&object=${ADDRESS.toUpperCase().replace('X', 'x')}`))).toEqual([
    `2026-10-05T09:15 Mia address_viewed ethereum:${ADDRESS}`,
    `2026-10-05T08:15 test address_viewed polygon:${ADDRESS}`,
    `2026-10-05T08:15 Mia address_viewed ethereum:${ADDRESS}`,
  ]);
  expect(lines(await admin(`/audit?object=polygon:${ADDRESS}`))).toHaveLength(1);
  expect(lines(await admin(`/audit?person=${miaId}`))).toHaveLength(2);
});

it('keeps who read a case, and nothing of a case of others', async () => {
  const { test, admin, mia } = await openDesk();
  const { id } = (await mia('/cases', { title: 'Theft' })).case;
  for (const part of ['', '/notes', '/addresses', '/requests']) await admin(`/cases/${id}${part}`);
  expect(lines(await admin(`/audit?object=${id}&action=case_viewed`))).toEqual([
    `2026-11-20T10:00 test case_viewed ${id}`,
  ]);
  const headers = { 'x-api-key': (await test.issue('enterprise')).key };
  await test.app.inject({ url: `/api/v1/cases/${id}`, headers });
  expect((await test.app.inject({ url: '/api/v1/audit', headers })).json().entries).toEqual([]);
});

it('shows nothing that it cannot keep', async () => {
  const { test, mia } = await openDesk();
  const { id } = (await mia('/cases', { title: 'Theft' })).case;
  await test.ctx.records.schema.alterTable('audit_log').renameTo('away').execute();
  expect(await mia(`/cases/${id}`)).toMatchObject({ detail: 'Internal server error' });
  await test.ctx.records.schema.alterTable('away').renameTo('audit_log').execute();
});
