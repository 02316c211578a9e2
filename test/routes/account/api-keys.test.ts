import { expect, it } from 'vitest';
import { openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';

const URL = '/api/v1/api-keys';
const shared = shareTestApp();
const allRights = { scopes: ['read', 'scan', 'cases', 'monitor', 'admin'], expires_at: null, allowed_ips: [] };

function client(test: TestApp, key: string) {
  const headers = { 'x-api-key': key };
  return {
    list: () => test.app.inject({ url: URL, headers }),
    create: (payload: object) => test.app.inject({ method: 'POST', url: URL, headers, payload }),
    revoke: (id: string) => test.app.inject({ method: 'DELETE', url: `${URL}/${id}`, headers }),
    usage: () => test.app.inject({ url: '/api/v1/public/usage', headers }),
  };
}

it('creates a key, shows it once, lists it without its text, and revokes it at once', async () => {
  const test = await openTestApp();
  const { key, keyId } = await test.issue('pro');
  const api = client(test, key);

  const created = await api.create({ name: '  laptop  ' });
  expect(created.statusCode).toBe(201);
  const fresh = created.json();
  expect(fresh).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    key: expect.stringMatching(/^tfk_[0-9A-Za-z]{36}$/),
    prefix: fresh.key.slice(0, 8),
    name: 'laptop',
    ...allRights,
    created_at: '2026-11-20T10:00:00.000Z',
    created_by: 'test',
  });
  test.time.at += 1_000;
  expect((await client(test, fresh.key).usage()).statusCode).toBe(200);

  const listed = await api.list();
  expect(listed.json().keys).toHaveLength(2);
  expect(listed.json().keys).toContainEqual({
    id: fresh.id,
    prefix: fresh.prefix,
    name: 'laptop',
    ...allRights,
    created_at: '2026-11-20T10:00:00.000Z',
    created_by: 'test',
    last_used_at: '2026-11-20T10:00:01.000Z',
  });
  expect(listed.body).not.toContain(fresh.key);

  const revoked = await api.revoke(fresh.id.toUpperCase());
  expect([revoked.statusCode, revoked.json()]).toEqual([200, { deleted: true, id: fresh.id }]);
  expect((await client(test, fresh.key).usage()).json()).toMatchObject({ detail: 'Invalid API key' });
  expect((await api.list()).json().keys.map((one: { id: string }) => one.id)).toEqual([keyId]);
  expect((await api.revoke(fresh.id)).json()).toMatchObject({ detail: 'Not found' });
});

it('does not mind a content type without a body', async () => {
  const { key, keyId } = await shared.issue();
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  expect((await shared.app.inject({ method: 'DELETE', url: `${URL}/${keyId}`, headers })).statusCode).toBe(200);
});

it('refuses a sixth key with the text of its limit', async () => {
  const api = client(shared, (await shared.issue('enterprise')).key);
  const created = await Promise.all(Array.from({ length: 8 }, (_, i) => api.create({ name: `k${i}` })));
  expect(created.map((answer) => answer.statusCode).sort()).toEqual([201, 201, 201, 201, 403, 403, 403, 403]);
  expect((await api.create({ name: 'more' })).json()).toMatchObject({ detail: 'API key limit reached (5 keys)' });
});

it("answers 404 for another tenant's key and leaves it alone", async () => {
  const mine = await shared.issue();
  const theirs = await shared.issue();
  const answer = await client(shared, mine.key).revoke(theirs.keyId);
  expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Not found' }]);
  expect((await client(shared, theirs.key).usage()).statusCode).toBe(200);
});

it('makes a key of fewer rights, for a time and some addresses, and refuses it what it lacks', async () => {
  const api = client(shared, (await shared.issue()).key);
  const limits = { scopes: ['admin', 'read', 'read'], expires_at: '2026-12-01', allowed_ips: ['127.0.0.1'] };
  const created = (await api.create({ name: 'assistant', ...limits })).json();
  const shown = { ...limits, scopes: ['read', 'admin'], expires_at: '2026-12-01T00:00:00.000Z' };
  expect(created).toMatchObject(shown);
  expect((await api.list()).json().keys).toContainEqual(expect.objectContaining(shown));

  const assistant = client(shared, created.key);
  const refused = await assistant.create({ name: 'more', scopes: ['read', 'cases'] });
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail: 'This key lacks the right: cases' }]);
  const later = await assistant.create({ name: 'longer', expires_at: null });
  expect([later.statusCode, later.json().detail]).toEqual([
    400,
    expect.stringMatching(/^expires_at must not be later/),
  ]);
  const cases = { url: '/api/v1/cases', headers: { 'x-api-key': created.key } };
  expect((await shared.app.inject(cases)).statusCode).toBe(200);
  const opened = await shared.app.inject({ ...cases, method: 'POST', payload: { title: 'Theft' } });
  expect([opened.statusCode, opened.json()]).toMatchObject([403, { detail: 'This key lacks the right: cases' }]);
});

it.each([[{ scopes: [] }], [{ scopes: ['root'] }], [{ expires_at: 'soon' }], [{ allowed_ips: ['10.0.0.0/33'] }]])(
  'does not take %j',
  async (limits) => {
    const answer = await client(shared, (await shared.issue()).key).create({ name: 'k', ...limits });
    expect([answer.statusCode, answer.json().detail[0].loc[1]]).toEqual([422, Object.keys(limits)[0]]);
  },
);

it.each(['system', 'Operator', ' RECIPIENT ', 's\u00a0y st\u2003e m', '\uff53ystem', '\u0455y\u0455tem'])(
  'refuses the name of an author that the service writes itself: %j',
  async (name) => {
    const answer = await client(shared, (await shared.issue()).key).create({ name });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { detail: `Key name is reserved: ${name.trim()}` }]);
  },
);

it('refuses fields that it does not know, so that no key has more rights than was meant', async () => {
  const answer = await client(shared, (await shared.issue()).key).create({ name: 'k', rights: ['read'] });
  const refused = { type: 'value_error', loc: ['body'], msg: 'Unrecognized key: "rights"' };
  expect([answer.statusCode, answer.json().detail]).toEqual([422, [refused]]);
});

it.each([
  [{}],
  [{ name: '' }],
  [{ name: '   ' }],
  [{ name: '\u200b\u2060\u3164' }],
  [{ name: 1 }],
  [{ name: 'a\u0000b' }],
  [{ name: 'x'.repeat(101) }],
])('does not take %j', async (payload) => {
  const answer = await client(shared, (await shared.issue()).key).create(payload);
  expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'name']]);
});
