import { expect, it } from 'vitest';
import { guardAccess } from '../../src/http/access.ts';
import { addProbes, openTestApp } from './test-app.ts';

// What access.test.ts promises beside these rests on stores, and is asked once more on real servers.

it('takes the key from X-API-Key or from Authorization: Bearer, in any case of the word', async () => {
  const test = await openTestApp();
  const { key } = await test.issue();
  for (const headers of [
    { 'x-api-key': key },
    { authorization: `Bearer ${key}` },
    { authorization: `bearer  ${key}` },
  ]) {
    const answer = await test.app.inject({ url: '/api/v1/public/usage', headers: { ...headers } });
    expect(answer.statusCode).toBe(200);
  }
});

it('takes a key where it is optional, and refuses a wrong one there', async () => {
  const test = await openTestApp();
  await addProbes(test);
  const { key, accountId } = await test.issue('pro');
  const ask = (headers: Record<string, string>) => test.app.inject({ url: '/probe/optional-key', headers });
  expect((await ask({})).json()).toEqual({ account: null });
  const keyed = await ask({ 'x-api-key': key });
  expect(keyed.json()).toEqual({ account: accountId });
  expect(keyed.headers['x-ratelimit-limit']).toBe('60');
  expect((await ask({ 'x-api-key': 'wrong' })).statusCode).toBe(401);
});

it('believes X-Forwarded-For as far as TRUST_PROXY says', async () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.9, 203.0.113.5' };
  const seen = async (setting: string, remoteAddress: string) => {
    const test = await openTestApp({ TRUST_PROXY: setting });
    test.app.get('/ip', async (request) => request.ip);
    return (await test.app.inject({ url: '/ip', remoteAddress, headers: forwarded })).body;
  };
  expect(await seen('', '10.0.0.1')).toBe('10.0.0.1');
  expect(await seen('true', '10.0.0.1')).toBe('198.51.100.9');
  expect(await seen('1', '10.0.0.1')).toBe('203.0.113.5');
  expect(await seen('2', '10.0.0.1')).toBe('198.51.100.9');
  expect(await seen('10.0.0.0/8, 203.0.113.5', '10.0.0.1')).toBe('198.51.100.9');
  expect(await seen('10.0.0.0/8', '192.0.2.1')).toBe('192.0.2.1');
  await expect(seen('nobody', '10.0.0.1')).rejects.toThrow('TRUST_PROXY');
});

it.each([
  [undefined, 'GET /forgotten does not say who may use it'],
  [{ access: 'key' }, 'GET /forgotten does not say which rights a key needs'],
] as const)('refuses to start with a route that says %j', async (config, text) => {
  const test = await openTestApp();
  const added = test.app.register(async (scope) => {
    guardAccess(scope, test.ctx);
    scope.get('/forgotten', { config }, async () => 'open to all');
  });
  await expect(Promise.resolve(added)).rejects.toThrow(text);
});
