import { request } from 'node:http';
import fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { readJsonBodies } from '../../src/http/body.ts';
import { addProbes, openTestApp } from '../app/test-app.ts';

const URL = '/probe/shape/11111111-1111-4111-8111-111111111111';

async function openProbe() {
  const test = await openTestApp();
  await addProbes(test);
  const headers = { ...(await test.headers('enterprise')), 'content-type': 'application/json' };
  return async (payload: string) => {
    const answer = await test.app.inject({ method: 'POST', url: URL, headers, payload });
    return { status: answer.statusCode, issue: answer.json().detail?.[0] };
  };
}

const body = (value: string) => `{"name":"abc","more":${value}}`;
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const list = (items: number) => `[${'1,'.repeat(items - 1)}1]`;
const names = (count: number) => `{${Array.from({ length: count }, (_, n) => `"n${n}":1`).join()}}`;

it('takes JSON up to its bounds, and texts that look like more', async () => {
  const send = await openProbe();
  const bulky = `[${Array(5).fill(list(5_000)).join()}]`;
  for (const value of [lists(63), bulky, names(1_000), JSON.stringify('[{,:"\\'.repeat(100_000))]) {
    expect(await send(body(value))).toEqual({ status: 200, issue: undefined });
  }
});

it('refuses JSON of more levels, names and values than any schema has before anything is made of it', async () => {
  const send = await openProbe();
  const msg = 'JSON should have at most 64 levels and 30000 names and values';
  const endless = ['['.repeat(1_000_000), '{"a":'.repeat(200_000)];
  const crowds = [list(30_000), `[${Array(300_000).fill('{}').join()}]`].map(body);
  for (const payload of [body(lists(64)), `{"name":"\\\\","more":${lists(64)}}`, ...endless, ...crowds]) {
    expect(await send(payload)).toEqual({ status: 422, issue: { type: 'json_invalid', loc: ['body'], msg } });
  }
  const crowded = 'JSON should have at most 1000 names in an object';
  for (const payload of [names(1_001), body(names(1_001)), body(`[[${names(14_000)}]]`)]) {
    expect(await send(payload)).toEqual({ status: 422, issue: { type: 'json_invalid', loc: ['body'], msg: crowded } });
  }
});

it('makes nothing of a crowd of values at any operation, over sockets, but at boards, whose scenes have as many', async () => {
  const { app, ctx, headers } = await openTestApp();
  ctx.limits.take = async () => ({ allowed: true, limit: 1, remaining: 1, retryAfterS: 0 });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const sent = { ...(await headers('enterprise')), 'content-type': 'application/json', 'if-match': '"1"' };
  const crowd = `{"crowd":[${Array(6).fill(list(5_000)).join()}]}`;
  const parse = vi.spyOn(JSON, 'parse');
  const parsed: string[] = [];
  let refused = 0;
  for (const { method, url } of app.servedRoutes) {
    if (!url.startsWith('/api/v1/') || !['POST', 'PUT', 'PATCH'].includes(method)) continue;
    parse.mockClear();
    const path = url.replace(/:\w+/g, '11111111-1111-4111-8111-111111111111');
    const answer = await fetch(origin + path, { method, headers: sent, body: crowd });
    await answer.arrayBuffer();
    if (parse.mock.calls.some(([text]) => text === crowd)) parsed.push(`${method} ${url}`);
    else {
      expect(answer.status, url).toBe(422);
      refused += 1;
    }
  }
  parse.mockRestore();
  expect(parsed).toEqual(['POST /api/v1/boards', 'PUT /api/v1/boards/:board_id']);
  expect(refused).toBeGreaterThan(40);
});

const MEBIBYTE = JSON.stringify('x'.repeat(2 ** 20 - 2));
const ARCHIVE_BYTES = 8 * 2 ** 20;
const JSON_BODY = { 'content-type': 'application/json' };
const REFUSED = '503 Too many bodies at once';

/** A service that answers when `open` is called, to the account that a header names, or to an IP. */
function openWaiting() {
  const app = fastify();
  onTestFinished(() => app.close());
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  app.decorateRequest('tenant', null);
  app.decorateRequest('takeTurn', null);
  app.addHook('onRequest', async (request) => {
    const accountId = request.headers.account;
    if (accountId) request.tenant = { accountId } as typeof request.tenant;
    request.takeTurn = () => gate;
  });
  app.setErrorHandler<AppError>((error, _request, reply) => reply.code(error.status).send(error.message));
  readJsonBodies(app);
  app.post('/', async () => 'taken');
  app.post('/archive', { bodyLimit: ARCHIVE_BYTES }, async () => 'taken');
  return { app, open: () => open() };
}

it.each([
  ['account', (account: string) => ({ headers: { ...JSON_BODY, account } })],
  [
    'IPv6 network without a key',
    (of: string, n: number) => ({
      headers: JSON_BODY,
      remoteAddress: `2001:db8:0:${of === 'one' ? 1 : 2}::${n.toString(16)}`,
    }),
  ],
])('lets bodies of one %s wait up to a bound of bytes, beside which those of others wait', async (_, from) => {
  const { app, open } = openWaiting();
  const answers: Record<string, string[]> = { one: [], other: [] };
  const send = async (of: string, nth = 0) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/', ...from(of, nth), payload: MEBIBYTE });
    answers[of]!.push(`${statusCode} ${body}`);
  };
  const sent = [...Array(36).fill('one'), 'other'].map(send);
  await expect.poll(() => answers).toEqual({ one: Array(4).fill(REFUSED), other: [] });
  open();
  await Promise.all(sent);
  expect(answers).toMatchObject({ one: { length: 36 }, other: ['200 taken'] });
  await send('one');
  expect(answers.one!.slice(4)).toEqual(Array(33).fill('200 taken'));
});

const CHUNKED = { 'transfer-encoding': 'chunked' };
const LENGTH = 'content-length';

it.each([
  ['32', 'of a stated length', '/', { [LENGTH]: String(MEBIBYTE.length) }],
  ['32', 'in chunks', '/', CHUNKED],
  ['4', 'of a stated length, to a route that takes 8 MiB,', '/archive', { [LENGTH]: String(ARCHIVE_BYTES) }],
  ['4', 'in chunks, to a route that takes 8 MiB,', '/archive', CHUNKED],
])('counts %s bodies %s that are still on their way, until their senders leave', async (count, _, path, length) => {
  const { app, open } = openWaiting();
  open();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { ...JSON_BODY, ...length };
  const begun = Array.from({ length: Number(count) }, () => {
    const sender = request(url + path, { method: 'POST', headers }).on('error', () => {});
    sender.write('"x');
    return sender;
  });
  onTestFinished(() => {
    for (const sender of begun) sender.destroy();
  });
  const send = async () => {
    const answer = await fetch(url, { method: 'POST', headers: JSON_BODY, body: '"x"' });
    return `${answer.status} ${await answer.text()}`;
  };
  await expect.poll(send).toBe(REFUSED);
  for (const sender of begun) sender.destroy();
  await expect.poll(send).toBe('200 taken');
});
