import { expect, it, onTestFinished, vi } from 'vitest';
import { ClosingError, OverloadError, PipelineError, UnavailableError } from '../../src/errors.ts';
import { resumeAccount, suspendAccount } from '../../src/questions/account/manage-accounts.ts';
import * as manageKeys from '../../src/questions/account/manage-keys.ts';
import { setPlan } from '../../src/records/accounts/accounts.ts';
import { insertKey, listKeyRows, revokeKeyRow } from '../../src/records/accounts/keys.ts';
import { addProbes, NOW, openTestApp } from './test-app.ts';

it('answers 401 with the fixed texts for a missing, malformed, unknown or revoked key', async () => {
  const test = await openTestApp();
  const { key, keyId, accountId } = await test.issue();
  const ask = (headers: Record<string, string>) => test.app.inject({ url: '/api/v1/public/usage', headers });

  for (const headers of [
    {},
    { 'x-api-key': '' },
    { authorization: 'Basic dXNlcjpwYXNz' },
    { authorization: 'Bearer' },
  ]) {
    const answer = await ask(headers as Record<string, string>);
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { detail: 'API key required' }]);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
  const unknown = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  for (const wrong of ['nonsense', unknown, `${key}x`, 'ключ'.normalize().replace(/./g, '?')]) {
    const answer = await ask({ 'x-api-key': wrong });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { detail: 'Invalid API key' }]);
  }
  expect((await ask({ 'x-api-key': key })).statusCode).toBe(200);
  await manageKeys.revokeKey(test.ctx, { accountId, keyId }, keyId);
  expect((await ask({ 'x-api-key': key })).json()).toMatchObject({ detail: 'Invalid API key' });
});

it('counts requests per key in a window of 60 seconds from the first one, and says so in every keyed answer', async () => {
  const test = await openTestApp();
  const headers = await test.headers('free');
  const other = await test.headers('free');
  const ask = (url = '/api/v1/public/usage', from = headers) => test.app.inject({ url, headers: from });

  const first = await ask();
  expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
  test.time.at += 20_500;
  const wrong = await test.app.inject({ method: 'DELETE', url: '/api/v1/api-keys/nothing', headers });
  expect(wrong.statusCode).toBe(422);
  expect(wrong.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '8' });
  for (let i = 0; i < 8; i++) expect((await ask()).statusCode).toBe(200);

  const refused = await ask();
  expect([refused.statusCode, refused.json()]).toMatchObject([
    429,
    { detail: 'Rate limit exceeded. Max 10 requests per minute.' },
  ]);
  expect(refused.headers).toMatchObject({
    'retry-after': '40',
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '0',
  });
  expect((await ask(undefined, other)).statusCode).toBe(200);
  test.time.at += 39_499;
  expect((await ask()).headers['retry-after']).toBe('1');
  test.time.at += 1;
  expect((await ask()).headers['x-ratelimit-remaining']).toBe('9');
});

it("keeps presign's bucket apart from the plan's", async () => {
  const test = await openTestApp();
  await addProbes(test);
  const headers = await test.headers('free');
  for (let i = 0; i < 10; i++) await test.app.inject({ url: '/probe/key', headers });
  expect((await test.app.inject({ url: '/probe/key', headers })).statusCode).toBe(429);
  const presign = await test.app.inject({ url: '/probe/presign', headers });
  expect(presign.headers).toMatchObject({ 'x-ratelimit-limit': '40', 'x-ratelimit-remaining': '39' });
});

it('limits each kind of reads without a key to 30 a minute and IP, an IPv6 /64 counting as one', async () => {
  const test = await openTestApp();
  await addProbes(test);
  const ask = (remoteAddress: string, url = '/probe/ip') => test.app.inject({ url, remoteAddress });
  for (let i = 0; i < 15; i++) expect((await ask(`2001:db8::${i + 1}`)).statusCode).toBe(200);
  for (let i = 0; i < 15; i++) expect((await ask(`2001:db8:0:0:${i + 1}::`)).statusCode).toBe(200);
  expect((await ask('2001:db8::ffff')).json()).toMatchObject({
    detail: 'Rate limit exceeded. Max 30 requests per minute.',
  });
  expect((await ask('2001:db8::1', '/probe/optional-key')).headers['x-ratelimit-remaining']).toBe('29');
  expect((await ask('2001:db8:0:1::1')).headers['x-ratelimit-remaining']).toBe('29');
  expect((await ask('::ffff:192.0.2.1')).headers['x-ratelimit-remaining']).toBe('29');
  expect((await ask('192.0.2.1')).headers['x-ratelimit-remaining']).toBe('28');
  for (let i = 0; i < 40; i++) expect((await ask('2001:db8::1', '/probe/public')).statusCode).toBe(200);
});

it('counts together all that a proxy passes on as addresses and are none', async () => {
  const test = await openTestApp({ TRUST_PROXY: 'true' });
  await addProbes(test);
  const ask = (nth: number) =>
    test.app.inject({ url: '/probe/ip', headers: { 'x-forwarded-for': `${'x'.repeat(1_000)}${nth}` } });
  for (let i = 0; i < 30; i++) expect((await ask(i)).statusCode).toBe(200);
  expect((await ask(30)).statusCode).toBe(429);
});

it('answers failed authentication 300 times a minute and IP with 401, then with 429, without touching good keys', async () => {
  const test = await openTestApp();
  const { key } = await test.issue();
  const ask = (apiKey: string | undefined, remoteAddress: string) =>
    test.app.inject({
      url: '/api/v1/public/usage',
      remoteAddress,
      headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
    });
  const statuses = new Set<number>();
  for (let i = 0; i < 300; i++) statuses.add((await ask(i % 2 ? 'wrong' : undefined, '192.0.2.7')).statusCode);
  expect([...statuses]).toEqual([401]);
  const refused = await ask('wrong', '192.0.2.7');
  expect(refused.statusCode).toBe(429);
  // 300 requests may take a while by the clock of a server.
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
  expect((await ask('wrong', '192.0.2.8')).statusCode).toBe(401);
  expect((await ask(key, '192.0.2.7')).statusCode).toBe(200);
});

it('sees a key revoked or a plan changed by another process within 5 seconds', async () => {
  const test = await openTestApp();
  const { key, keyId, accountId } = await test.issue('pro');
  const ask = () => test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': key } });
  expect((await ask()).json().plan_id).toBe('pro');
  await setPlan(test.ctx.records, accountId, 'enterprise');
  test.time.at += 5_000;
  expect((await ask()).json().plan_id).toBe('pro');
  test.time.at += 1;
  expect((await ask()).json().plan_id).toBe('enterprise');
  await revokeKeyRow(test.ctx.records, { id: keyId }, test.time.at);
  expect((await ask()).statusCode).toBe(200);
  test.time.at += 5_001;
  expect((await ask()).statusCode).toBe(401);
});

it('answers 403 with a code of its own for the keys of a suspended account, until it is resumed', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue();
  const ask = () => test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': key } });
  await suspendAccount(test.ctx.records, accountId, NOW);
  const refused = await ask();
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'account_suspended']);
  await resumeAccount(test.ctx.records, accountId, NOW);
  test.time.at += 5_001;
  expect((await ask()).statusCode).toBe(200);
});

it('writes the last use of a key at most once a minute', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('enterprise');
  const lastUsed = async () => (await listKeyRows(test.ctx.records, accountId, test.time.at))[0]?.last_used_at;
  const ask = () => test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': key } });
  const start = test.time.at;
  await ask();
  test.time.at += 59_999;
  await ask();
  expect(await lastUsed()).toBe(start);
  test.time.at += 1;
  await ask();
  expect(await lastUsed()).toBe(start + 60_000);
});

it('names the address that a key may not be used from, and counts it as failed authentication', async () => {
  const test = await openTestApp();
  const { accountId } = await test.issue();
  const { key } = await insertKey(test.ctx.records, { accountId, name: 'k', ...OFFICE }, test.time.at);
  const ask = (remoteAddress: string) =>
    test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': key }, remoteAddress });
  for (const ip of ['192.0.3.7', '::ffff:192.0.3.7', '2001:db9::7', '::1']) {
    const answer = await ask(ip);
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { detail: `This key may not be used from ${ip}` }]);
  }
  for (let i = 0; i < 298; i++) await ask('192.0.3.7');
  expect((await ask('192.0.3.7')).statusCode).toBe(429);
});

const OFFICE = { allowedIps: ['192.0.2.0/24', '2001:db8::/32'] };
const SOON = { expiresAt: NOW + 1_000 };
const AGENT = { scopes: ['read'] as const, ...OFFICE, ...SOON };

it.each([
  ['from its network', OFFICE, { from: '192.0.2.7' }, 200],
  ['from its network, as IPv6 writes it', OFFICE, { from: '::ffff:192.0.2.7' }, 200],
  ['from elsewhere', OFFICE, { from: '192.0.3.7' }, 403],
  ['from elsewhere, which claims to pass on for its network', OFFICE, { from: '192.0.3.7', for: '192.0.2.7' }, 403],
  ['for its network, by a trusted proxy', OFFICE, { from: '10.0.0.1', for: '192.0.2.7', proxies: '10.0.0.0/8' }, 200],
  [
    'by a trusted proxy, for a client that claims to be a proxy too',
    OFFICE,
    { from: '10.0.0.1', for: '192.0.2.7, 192.0.3.7', proxies: '10.0.0.0/8' },
    403,
  ],
  [
    'for its network, by two proxies where one is counted',
    OFFICE,
    { from: '10.0.0.1', for: '192.0.2.7, 10.0.0.2', proxies: '1' },
    403,
  ],
  ['for what is not an address', OFFICE, { from: '10.0.0.1', for: 'here', proxies: '1' }, 403],
  ['for a link-local address with its zone', OFFICE, { from: '10.0.0.1', for: 'fe80::1%eth0', proxies: '1' }, 403],
  ['until its end', SOON, { afterMs: 999 }, 200],
  ['from its end on', SOON, { afterMs: 1_000 }, 401],
  ['with all limits, within them', AGENT, { from: '2001:db8::7', afterMs: 999 }, 200],
  ['with all limits, from elsewhere', AGENT, { from: '2001:db9::7', afterMs: 999 }, 403],
  ['with all limits, from elsewhere and late', AGENT, { from: '2001:db9::7', afterMs: 1_000 }, 401],
] as const)('answers a key %s alike on every kind of route', async (_case, limits, asking, status) => {
  const { from = '127.0.0.1', for: forwarded, proxies = '', afterMs = 0 } = asking as Asking;
  const test = await openTestApp({ TRUST_PROXY: proxies });
  await addProbes(test);
  const { accountId } = await test.issue();
  const { key } = await insertKey(test.ctx.records, { accountId, name: 'k', ...limits }, test.time.at);
  test.time.at += afterMs;
  const headers = { 'x-api-key': key, ...(forwarded && { 'x-forwarded-for': forwarded }) };
  const kinds = ['/probe/key', '/probe/optional-key', '/probe/presign', '/api/v1/public/usage'];
  const asked = kinds.map((url) => test.app.inject({ url, remoteAddress: from, headers }));
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual(kinds.map(() => status));
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getUsage', arguments: {} } };
  const accept = { accept: 'application/json, text/event-stream' };
  const mcp = { method: 'POST', url: '/api/v1/mcp', remoteAddress: from, payload: message } as const;
  const called = await test.app.inject({ ...mcp, headers: { ...headers, ...accept } });
  expect(called.statusCode).toBe(status);
  expect(called.body.includes('plan_id')).toBe(status === 200);
});

interface Asking {
  from?: string;
  for?: string;
  proxies?: string;
  afterMs?: number;
}

it('looks for the account of a failed request once, not where the service is busy, and waits for it two seconds', async () => {
  const test = await openTestApp();
  const { records } = test.ctx;
  const thrown = {
    failed: new PipelineError('Failed'),
    over: new OverloadError('Too much at once', 1),
    away: new UnavailableError('Records cannot be reached', 1),
    closing: new ClosingError(),
  };
  await addProbes(test, thrown);
  const headers = await test.headers();
  const ask = (what: string) => test.app.inject({ method: 'POST', url: `/probe/throw/${what}`, headers });
  await ask('failed');
  const asked = vi.spyOn(records, 'selectFrom');
  onTestFinished(() => asked.mockRestore());
  const statuses = [];
  for (const what of ['over', 'away', 'closing']) statuses.push((await ask(what)).statusCode);
  expect([statuses, asked.mock.calls]).toEqual([[503, 503, 503], []]);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const never: unknown = new Proxy(() => never, {
    get: (_, name) => (/^execute/.test(String(name)) ? () => new Promise(() => {}) : never),
  });
  asked.mockReturnValue(never as ReturnType<typeof records.selectFrom>);
  const failed = ask('failed');
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await failed).json()).toMatchObject({ detail: 'Failed' });
});
