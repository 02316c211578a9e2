import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openTestApp } from './test-app.ts';

const WALLET = 'https://wallet.example';
const CHECK = '/api/v1/public/presign/check';

const corsOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')));

it('lets a page of a named origin call the public and exposure paths with a key, and read every refusal', async () => {
  const test = await openTestApp({ CORS_ORIGINS: `${WALLET}, chrome-extension://abcdef` });
  for (const url of [CHECK, '/api/v1/exposure/0x00000000000000000000000000000000000000aa']) {
    const asked = {
      origin: WALLET,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
    };
    const preflight = await test.app.inject({ method: 'OPTIONS', url, headers: asked });
    expect([preflight.statusCode, preflight.body]).toEqual([204, '']);
    expect(corsOf(preflight.headers)).toEqual({
      vary: 'Origin',
      'access-control-allow-origin': WALLET,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-api-key, x-request-id',
      'access-control-expose-headers': 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-request-id',
      'access-control-max-age': '600',
    });
  }
  const headers = { ...(await test.headers()), origin: WALLET };
  const answers = [
    await test.app.inject({ url: `${CHECK}?chain=ethereum&to=0x00000000000000000000000000000000000000aa`, headers }),
    await test.app.inject({ url: CHECK, headers }),
    await test.app.inject({ url: CHECK, headers: { origin: 'chrome-extension://abcdef' } }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 422, 401]);
  expect(answers.map((answer) => answer.headers['access-control-allow-origin'])).toEqual([
    WALLET,
    WALLET,
    'chrome-extension://abcdef',
  ]);
});

it('opens nothing to other origins, on other paths, or without the setting', async () => {
  const test = await openTestApp({ CORS_ORIGINS: WALLET });
  const ask = async (url: string, origin: string) =>
    corsOf((await test.app.inject({ url, headers: { origin } })).headers);
  expect(await ask(CHECK, 'https://wallet.example.org')).toEqual({ vary: 'Origin' });
  expect(await ask('/api/v1/cases', WALLET)).toEqual({});
  const closed = await openTestApp();
  expect(corsOf((await closed.app.inject({ url: CHECK, headers: { origin: WALLET } })).headers)).toEqual({});
});

it('refuses to start with an origin that no browser sends', () => {
  for (const wrong of [
    '*',
    'wallet.example',
    'https://wallet.example/',
    'https://wallet.example/pay',
    'https://W.example',
  ]) {
    expect(() => readConfig({ CORS_ORIGINS: wrong })).toThrow(
      'CORS_ORIGINS: must be a comma-separated list of origins',
    );
  }
});
