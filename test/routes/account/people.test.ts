import { expect, it } from 'vitest';
import { insertKey, type KeyLimits } from '../../../src/records/accounts/keys.ts';
import { openTestApp } from '../../app/test-app.ts';

async function openDesk() {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('enterprise');
  const client =
    (key: string) => async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
      const reply = await test.app.inject({
        method,
        url: `/api/v1/people${url}`,
        headers: { 'x-api-key': key },
        payload,
      });
      return { status: reply.statusCode, body: reply.json() };
    };
  const limited = async (limits: Partial<KeyLimits>) =>
    client((await insertKey(test.ctx.records, { accountId, name: 'k', ...limits }, test.time.at)).key);
  return { test, call: client(key), client, limited };
}

const ANA = { email: ' Ana@Desk.example ', roles: ['analyst'] };

it('invites, lists, changes and removes people of the own account alone', async () => {
  const { test, call, client } = await openDesk();
  const ana = await call('POST', '', ANA);
  expect(ana).toEqual({
    status: 201,
    body: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'ana@desk.example',
      email: 'ana@desk.example',
      roles: ['analyst'],
      state: 'invited',
      invited_by: 'test',
      invited_at: '2026-11-20T10:00:00.000Z',
      joined_at: null,
      last_seen_at: null,
      removed_at: null,
    },
  });
  const { id } = ana.body;
  expect(await call('POST', '', ANA)).toMatchObject({ status: 409, body: { code: 'conflict' } });

  const stranger = client((await test.issue('enterprise')).key);
  expect((await stranger('GET', '')).body).toEqual({ people: [], total: 0, limit: 100, offset: 0 });
  expect((await stranger('PATCH', `/${id}`, { roles: ['admin'] })).status).toBe(404);
  expect((await stranger('DELETE', `/${id}`)).status).toBe(404);

  expect((await call('PATCH', `/${id}`, { roles: ['admin', 'viewer'] })).body.roles).toEqual(['viewer', 'admin']);
  expect(await call('PATCH', `/${id}`, {})).toMatchObject({ status: 400, body: { detail: 'No fields to update' } });
  expect(await call('DELETE', `/${id}`)).toEqual({ status: 200, body: { deleted: true, id } });
  expect((await call('GET', '')).body.total).toBe(0);
  // Who never signed in did nothing that a name must stay for.
  expect((await call('GET', '?state=removed')).body.people).toEqual([]);
});

it('gives nobody, through a person, what the asking key lacks', async () => {
  const { call, limited } = await openDesk();
  const { id } = (await call('POST', '', { ...ANA, roles: ['admin'] })).body;
  const narrow = await limited({ scopes: ['read', 'admin'] });
  const refused = { status: 403, body: { detail: 'This key lacks the right: scan' } };
  expect(await narrow('POST', '', { ...ANA, email: 'b@b.example' })).toMatchObject(refused);
  expect(await narrow('PATCH', `/${id}`, { roles: ['viewer'] })).toMatchObject(refused);
  expect(await narrow('DELETE', `/${id}`)).toMatchObject(refused);
  expect((await narrow('POST', '', { roles: ['viewer'], email: 'c@c.example' })).status).toBe(201);
  for (const limits of [{ expiresAt: Date.parse('2027-01-01') }, { allowedIps: ['127.0.0.1'] }]) {
    const short = await limited(limits);
    expect((await short('POST', '', { ...ANA, email: 'd@d.example' })).status).toBe(403);
  }
  expect((await (await limited({ scopes: ['read', 'cases'] }))('POST', '', ANA)).status).toBe(403);
});

it.each([
  { email: 'ana', roles: ['viewer'] },
  { email: 'a b@desk.example', roles: ['viewer'] },
  { email: `${'a'.repeat(250)}@b.example`, roles: ['viewer'] },
  { email: 'ana@desk.example', roles: [] },
  { email: 'ana@desk.example', roles: ['root'] },
  { email: 'ana@desk.example', roles: ['viewer'], rights: ['admin'] },
  { email: 'ana@desk.example', roles: ['viewer'], name: '\u200b' },
])('does not take %j', async (body) => {
  const { call } = await openDesk();
  expect((await call('POST', '', body)).status).toBe(422);
});
