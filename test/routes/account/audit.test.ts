import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/domain/time.ts';
import { addScans, moveToPlan } from '../../../src/questions/account/manage-accounts.ts';
import { insertKey } from '../../../src/records/accounts/keys.ts';
import { verifyChain } from '../../../src/records/audit/keep-audit.ts';
import { openTestApp } from '../../app/test-app.ts';
import { LOCAL_WEBHOOKS } from '../../events/receiver.ts';

const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7';
const FROM = '192.0.2.7';

interface Entry {
  seq: number;
  at: string;
  action: string;
  subject: string;
  detail: string;
  actor: string;
  ip: string | null;
  case_id: string | null;
}

async function openDesk() {
  const test = await openTestApp(LOCAL_WEBHOOKS);
  const issued = await test.issue('enterprise');
  const client = (key: string, remoteAddress = FROM) => {
    return async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object) => {
      const headers = { 'x-api-key': key };
      const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, payload, remoteAddress });
      return { status: reply.statusCode, body: reply.json() };
    };
  };
  const call = client(issued.key);
  const entries = async (query = ''): Promise<Entry[]> => (await call('GET', `/audit${query}`)).body.entries;
  return { test, ...issued, client, call, entries };
}

it('has each change of an account, by whose key, from where, when and on what, in one chain that holds', async () => {
  const { test, call, entries, accountId } = await openDesk();
  const { records } = test.ctx;
  const done: [string, string, string?][] = [];
  const key = (await call('POST', '/api-keys', { name: 'Mia', scopes: ['read'] })).body;
  done.push(['key_created', key.id, 'Mia: read']);
  await call('DELETE', `/api-keys/${key.id}`);
  done.push(['key_revoked', key.id, 'Mia']);
  await call('PUT', '/risk-settings', { weights: { sanctions: 1.5 }, strict_sanctions: true });
  done.push(['settings_changed', 'risk_settings', 'weights: {"sanctions":1.5}; strict_sanctions: true']);
  const hook = (await call('POST', '/webhooks/configs', { webhook_url: 'http://127.0.0.1:9/secret' })).body.config;
  done.push(['webhook_created', hook.id, 'host 127.0.0.1:9']);
  await call('PATCH', `/webhooks/configs/${hook.id}`, { is_active: false, description: 'private' });
  done.push(['webhook_changed', hook.id, 'description, is_active: false']);
  await call('POST', `/webhooks/configs/${hook.id}/rotate-secret`);
  done.push(['webhook_secret_rotated', hook.id]);
  await call('DELETE', `/webhooks/configs/${hook.id}`);
  done.push(['webhook_deleted', hook.id]);
  const where = { address: ADDRESS, chain: 'ethereum' };
  const { item } = (await call('POST', '/watchlist', where)).body;
  done.push(['watch_added', `ethereum:${ADDRESS}`]);
  await call('PATCH', `/watchlist/${item.id}/follow`, { enabled: true, depth: 2 });
  done.push(['watch_changed', `ethereum:${ADDRESS}`, 'enabled: true, depth: 2']);
  await call('DELETE', `/watchlist/${item.id}`);
  done.push(['watch_removed', `ethereum:${ADDRESS}`]);
  const when = { fact: 'score', operator: 'greaterThan', value: 50 };
  const { rule } = (await call('POST', '/rules', { name: 'Large', when, severity: 'high', mode: 'active' })).body;
  done.push(['rule_created', rule.id, 'Large: active']);
  await call('PATCH', `/rules/${rule.id}`, { mode: 'off' });
  done.push(['rule_changed', rule.id, 'Large: off, version 1']);
  await call('DELETE', `/rules/${rule.id}`);
  done.push(['rule_deleted', rule.id, 'Large']);
  const view = (await call('POST', '/alert-views', { name: 'Mine', filter: { state: 'closed' } })).body;
  done.push(['view_saved', view.id, 'Mine']);
  await call('DELETE', `/alert-views/${view.id}`);
  done.push(['view_deleted', view.id, 'Mine']);
  await call('PUT', '/alert-turns', { assignees: ['Ana'], in_turns: false });
  done.push(['turns_changed', 'alerts', 'in_turns: false; assignees: Ana']);
  const { id } = (await call('POST', '/cases', { title: 'Theft' })).body.case;
  done.push(['case_created', 'Theft']);
  await call('PATCH', `/cases/${id}`, { status: 'escalated', description: 'private' });
  done.push(['case_updated', id, 'description, status: escalated']);
  const { address } = (await call('POST', `/cases/${id}/addresses`, where)).body;
  done.push(['address_added', `ethereum:${ADDRESS}`]);
  await call('PATCH', `/cases/${id}/addresses/${address.id}`, { role: 'victim', label: 'private' });
  done.push(['address_updated', `ethereum:${ADDRESS}`, 'role: victim, label']);
  const { note } = (await call('POST', `/cases/${id}/notes`, { content: 'private', note_type: 'finding' })).body;
  done.push(['note_added', note.id, 'finding']);
  await call('DELETE', `/cases/${id}/notes/${note.id}`);
  done.push(['note_deleted', note.id]);
  const generation = (await call('POST', `/cases/${id}/str-package`, {})).body.generation_id;
  done.push(['package_requested', generation]);
  await call('DELETE', `/cases/${id}/addresses/${address.id}`);
  done.push(['address_removed', `ethereum:${ADDRESS}`]);
  await call('DELETE', `/cases/${id}`);
  done.push(['case_deleted', 'Theft']);
  const { report_id } = (await call('POST', '/scamdb/report', { ...where, type: 'phishing', description: 'private' }))
    .body;
  done.push(['scam_reported', `ethereum:${ADDRESS}`, report_id]);
  await moveToPlan(records, accountId, 'pro', test.time.at);
  done.push(['plan_changed', 'pro', 'before: enterprise']);
  await addScans(records, accountId, 5, test.time.at);
  done.push(['topped_up', '5 scans']);

  const found = (await entries()).toReversed();
  expect(found.map(({ action, subject, detail }) => [action, subject, detail])).toEqual(
    done.map(([action, subject, detail = '']) => [action, subject, detail]),
  );
  const byOperator = found.splice(-2);
  expect(new Set(found.map(({ actor, ip, at }) => `${actor} ${ip} ${at}`))).toEqual(
    new Set([`test ${FROM} 2026-11-20T10:00:00.000Z`]),
  );
  expect(byOperator).toMatchObject([
    { actor: 'operator', key_id: null, ip: null },
    { actor: 'operator', key_id: null, ip: null },
  ]);
  expect(found.filter(({ case_id }) => case_id === id)).toHaveLength(9);
  expect(await verifyChain(records, accountId)).toMatchObject({ entries: done.length, problem: null });
  expect(JSON.stringify(found)).not.toMatch(/private|secret\b/);
});

it('is of the account alone, by page, action and time, for keys with the right admin', async () => {
  const { test, client, call, entries, accountId } = await openDesk();
  for (const title of ['a', 'b', 'c', 'd']) {
    await call('POST', '/cases', { title });
    test.time.at += MINUTE_MS;
  }
  const titles = (page: Entry[]) => page.map(({ subject }) => subject);
  expect(titles(await entries())).toEqual(['d', 'c', 'b', 'a']);
  const first = (await call('GET', '/audit?limit=3')).body;
  expect([titles(first.entries), first.next_cursor]).toEqual([['d', 'c', 'b'], expect.any(String)]);
  const last = (await call('GET', `/audit?limit=3&cursor=${first.next_cursor}`)).body;
  expect([titles(last.entries), last.next_cursor]).toEqual([['a'], null]);
  expect(titles(await entries('?from=2026-11-20T10:01:00Z&to=2026-11-20T10:02:00Z'))).toEqual(['c', 'b']);
  expect(await entries('?action=key_created')).toEqual([]);
  for (const query of ['action=slept', 'cursor=1', 'cursor=1-x', 'limit=501', 'from=yesterday']) {
    expect([query, (await call('GET', `/audit?${query}`)).status]).toEqual([query, 422]);
  }
  const stranger = client((await test.issue('free')).key);
  expect((await stranger('GET', '/audit')).body).toEqual({ entries: [], next_cursor: null, sign_in_failures: [] });
  const reader = await insertKey(test.ctx.records, { accountId, name: 'r', scopes: ['read', 'cases'] }, test.time.at);
  expect(await client(reader.key)('GET', '/audit')).toMatchObject({
    status: 403,
    body: { detail: 'This key lacks the right: admin' },
  });
});

it('lets nothing happen that it cannot keep', async () => {
  const { test, call, key } = await openDesk();
  const { id } = (await call('POST', '/cases', { title: 'Theft' })).body.case;
  await sql`alter table audit_log rename to audit_log_held`.execute(test.ctx.records);
  const refused = await Promise.all([
    call('POST', '/cases', { title: 'Second' }),
    call('DELETE', `/cases/${id}`),
    call('POST', `/cases/${id}/notes`, { content: 'x' }),
    call('POST', '/api-keys', { name: 'x' }),
    call('PUT', '/risk-settings', { strict_sanctions: true }),
    call('POST', '/webhooks/configs', { webhook_url: 'http://127.0.0.1:9/' }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500, 500]);
  await sql`alter table audit_log_held rename to audit_log`.execute(test.ctx.records);
  expect((await call('GET', '/cases')).body).toMatchObject({ total: 1, cases: [{ id }] });
  expect((await call('GET', `/cases/${id}`)).body.notes_total).toBe(0);
  expect((await call('GET', '/api-keys')).body.keys).toHaveLength(1);
  expect((await call('GET', '/risk-settings')).body.strict_sanctions).toBe(false);
  expect((await call('GET', '/webhooks/configs')).body.configs).toEqual([]);
  expect(test.logged()).not.toContain(key);
});

it('counts by minute what keys of the account were refused for, and those of nobody apart', async () => {
  const { test, call, client, accountId } = await openDesk();
  const { records } = test.ctx;
  const keyOf = async (limits: object) =>
    client((await insertKey(records, { accountId, name: 'k', ...limits }, test.time.at)).key);
  const [reader, elsewhere, expired] = [
    await keyOf({ scopes: ['read'] }),
    await keyOf({ allowedIps: ['198.51.100.0/24'] }),
    await keyOf({ expiresAt: test.time.at + 1 }),
  ];
  test.time.at += MINUTE_MS;
  expect((await reader('POST', '/cases', { title: 'x' })).status).toBe(403);
  for (let i = 0; i < 2; i++) expect((await elsewhere('GET', '/cases')).status).toBe(403);
  expect((await expired('GET', '/cases')).status).toBe(401);
  for (const wrong of ['tfk_wrong', '']) expect((await client(wrong)('GET', '/cases')).status).toBe(401);
  const minute = '2026-11-20T10:01:00.000Z';
  expect((await call('GET', '/audit')).body).toEqual({
    entries: [],
    next_cursor: null,
    sign_in_failures: [
      { minute, reason: 'elsewhere', count: 2 },
      { minute, reason: 'expired_key', count: 1 },
      { minute, reason: 'lacks_right', count: 1 },
    ],
  });
  const unknown = await records.selectFrom('sign_in_failures').selectAll().where('account_id', '=', '').execute();
  expect(unknown).toMatchObject([{ reason: 'unknown_key', count: 1 }]);
});
