import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { BODY_BYTES_MAX } from '../../src/http/body.ts';
import { SECURITY_HEADERS } from '../../src/http/traffic.ts';
import { addProbes, openTestApp, type TestApp } from './test-app.ts';

const UUID = /^[0-9a-f-]{36}$/;

async function listen(test: TestApp): Promise<number> {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  return (test.app.server.address() as { port: number }).port;
}

/** Sends bytes as they are and returns all that comes back until the server closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

it('carries security headers and a request id in every answer: the given one where it is safe, else a new one', async () => {
  const test = await openTestApp();
  const idOf = async (given?: string, url = '/health/live') => {
    const answer = await test.app.inject({ url, headers: given === undefined ? {} : { 'x-request-id': given } });
    return answer.headers['x-request-id'];
  };
  expect(await idOf('trace:01.A_b/c+d=-')).toBe('trace:01.A_b/c+d=-');
  expect(await idOf('x'.repeat(128))).toBe('x'.repeat(128));
  for (const bad of ['x'.repeat(129), 'a b', 'a"b', '{}', '']) expect(await idOf(bad)).toMatch(UUID);
  for (const url of ['/nowhere', '/api/v1/public/usage', '/api/v1/cases/%zz', '/metrics', '/docs/', '/openapi.json']) {
    expect(await idOf('mine', url)).toBe('mine');
    expect(await idOf(undefined, url)).toMatch(UUID);
    expect((await test.app.inject({ url })).headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  }
});

it('answers unknown paths with 404 and wrong methods with 405 and what is allowed, without asking for a key', async () => {
  const test = await openTestApp();
  const ask = (method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD', url: string) =>
    test.app.inject({ method, url, payload: method === 'POST' || method === 'PUT' ? 'not json' : undefined });
  for (const url of [
    '/nowhere',
    '/api/v1',
    '/api/v1/nowhere',
    '/api/v2/public/usage',
    '/api/v1/public/usage/more',
    '//',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const answer = await ask(method, url);
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Not found' }]);
    }
  }
  const wrong = await ask('PUT', '/api/v1/api-keys');
  expect([wrong.statusCode, wrong.json(), wrong.headers.allow]).toMatchObject([
    405,
    { detail: 'Method not allowed' },
    'GET, OPTIONS, POST',
  ]);
  expect((await ask('POST', '/api/v1/api-keys/1')).headers.allow).toBe('DELETE, OPTIONS');
  // Not those of `/watchlist/{item_id}`.
  expect((await ask('PUT', '/api/v1/watchlist/alerts')).headers.allow).toBe('GET, OPTIONS');
  // Node and Fastify know methods that the service does not serve, one of them with rules for its body.
  for (const method of ['QUERY', 'PROPFIND', 'TRACE', 'PATCH']) {
    for (const payload of [undefined, 'not json']) {
      const odd = await test.app.inject({ method: method as 'PATCH', url: '/api/v1/api-keys', payload });
      expect([method, odd.statusCode, odd.headers.allow]).toEqual([method, 405, 'GET, OPTIONS, POST']);
      const nowhere = await test.app.inject({ method: method as 'PATCH', url: '/nowhere', payload });
      expect([method, nowhere.statusCode]).toEqual([method, 404]);
    }
  }
  const options = await ask('OPTIONS', '/api/v1/public/usage');
  expect([options.statusCode, options.body, options.headers.allow]).toEqual([204, '', 'GET, OPTIONS']);
  expect((await ask('HEAD', '/api/v1/public/usage')).statusCode).toBe(405);
  const head = await ask('HEAD', '/health/live');
  expect([head.statusCode, head.body]).toEqual([200, '']);
});

it('knows no path that has nothing where a name should stand', async () => {
  const { app, headers } = await openTestApp();
  for (const url of ['/api/v1/public/scan/', '/api/v1/public/scan//results']) {
    const answer = await app.inject({ url, headers: await headers() });
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found', code: 'not_found' }]);
  }
});

it('never answers a malformed, odd or endless path or query with a server error', async () => {
  const test = await openTestApp();
  const headers = await test.headers('enterprise');
  const odd = [
    '%',
    '%zz',
    '%ff',
    '%00',
    '%2e%2e%2f',
    '..',
    "'",
    '"',
    '%0d%0aX: y',
    '\u00e9'.normalize(),
    'a'.repeat(5_000),
  ];
  for (const text of odd) {
    for (const url of [
      `/${text}`,
      `/api/v1/api-keys/${text}`,
      `/api/v1/public/usage?${text}`,
      `/api/v1/public/usage?a=${text}`,
    ]) {
      const answer = await test.app.inject({ method: 'DELETE', url, headers });
      expect([404, 405, 422]).toContain(answer.statusCode);
      const read = await test.app.inject({ url, headers });
      // `/..` is the root, which leads to the reference page.
      expect([200, 302, 404, 405]).toContain(read.statusCode);
      expect(read.headers['x-request-id']).toMatch(UUID);
    }
  }
});

it('refuses a body over 1 MiB on a real connection, also one sent in chunks, and takes one of exactly 1 MiB', async () => {
  const test = await openTestApp();
  await addProbes(test);
  const key = await test.headers();
  const port = await listen(test);
  const send = (size: number, chunked: boolean) =>
    new Promise<number>((resolve, reject) => {
      const headers: Record<string, string | number> = { ...key, 'content-type': 'application/json' };
      if (!chunked) headers['content-length'] = size;
      const path = '/probe/shape/11111111-1111-1111-1111-111111111111';
      const call = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      call.on(
        'error',
        (error: NodeJS.ErrnoException) => error.code !== 'EPIPE' && error.code !== 'ECONNRESET' && reject(error),
      );
      const text = `{"name":"abc","more":"${'x'.repeat(size - 24)}"}`;
      for (let i = 0; i < text.length; i += 65_536) call.write(text.slice(i, i + 65_536));
      call.end();
    });
  expect(await send(BODY_BYTES_MAX, false)).toBe(200);
  expect(await send(BODY_BYTES_MAX, true)).toBe(200);
  expect(await send(BODY_BYTES_MAX + 1, false)).toBe(413);
  expect(await send(BODY_BYTES_MAX + 1, true)).toBe(413);
});

it('answers what is not HTTP, and headers without end, with a JSON error and goes on serving', async () => {
  const test = await openTestApp();
  const port = await listen(test);
  const answers = {
    garbage: await raw(port, 'hello\r\n\r\n'),
    header: await raw(port, `GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`),
    length: await raw(port, 'POST /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'),
    smuggled: await raw(
      port,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
  };
  expect(answers.garbage).toMatch(/^HTTP\/1.1 400 /);
  expect(answers.header).toMatch(/^HTTP\/1.1 431 /);
  expect(answers.length).toMatch(/^HTTP\/1.1 400 /);
  expect(answers.smuggled).toMatch(/^HTTP\/1.1 400 /);
  for (const answer of Object.values(answers)) {
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
    expect(Object.keys(JSON.parse(answer.split('\r\n\r\n')[1]!))).toEqual(['detail', 'code']);
  }
  expect(await raw(port, 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain(
    '{"status":"ok"}',
  );
});

it.each([
  ['no host', 'GET /health/live HTTP/1.1\r\nConnection: close', 400, 'Host header is required'],
  [
    'two hosts',
    'GET /health/live HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close',
    400,
    'Host header was sent more than once',
  ],
  ['an expectation', 'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: wonders', 417, 'Expectation Failed'],
  ['a tunnel', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: x', 405, 'Method Not Allowed'],
])('answers a request with %s as any other, not as Node would', async (_, head, status, detail) => {
  const test = await openTestApp();
  const answer = await raw(await listen(test), `${head}\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/i);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ detail });
});

it('survives clients that break the connection on which a tunnel was asked for', async () => {
  const test = await openTestApp();
  const port = await listen(test);
  for (let i = 0; i < 20; i++) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n', () => socket.resetAndDestroy());
      });
      socket.on('close', () => resolve());
    });
  }
  expect(await raw(port, 'GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

it('asks no host of HTTP/1.0, and waits for the body that a client announces', async () => {
  const test = await openTestApp();
  const port = await listen(test);
  expect(await raw(port, 'GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  const announced = 'POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2';
  expect(await raw(port, `${announced}\r\nConnection: close\r\n\r\n{}`)).toMatch(
    /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 401 /,
  );
});

it('reads calldata of 60 kB in a query', async () => {
  const test = await openTestApp();
  const { 'x-api-key': key } = await test.headers();
  const port = await listen(test);
  const query = `chain=ethereum&to=0x${'28'.repeat(20)}&data=0xac9650d8${'00'.repeat(60_000)}`;
  const answer = await raw(
    port,
    `GET /api/v1/public/presign/check?${query} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

it('refuses with 503 and Retry-After what exceeds the requests it answers at once, and recovers', async () => {
  const test = await openTestApp({}, { inFlightMax: 3 });
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  test.app.get('/slow', async () => gate.then(() => 'done'));
  const slow = [test.app.inject('/slow'), test.app.inject('/slow')];
  await sleep(20);
  const refused = await test.app.inject('/openapi.json');
  expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toMatchObject([
    503,
    { detail: 'Service is overloaded' },
    '1',
  ]);
  const lines = test
    .logged()
    .split('\n')
    .filter((line) => line.includes(String(refused.headers['x-request-id'])));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'request', status: 503 }]);
  expect((await test.app.inject('/health/live')).statusCode).toBe(200);
  // A wallet asks before its holder signs: no burst of other requests takes its room.
  const url = '/api/v1/public/presign/check?chain=bitcoin&to=1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
  expect((await test.app.inject({ url, headers: await test.headers() })).statusCode).toBe(200);
  // It is taken before a key is known: what anyone can hold of it is not added to what the process takes.
  const late = vi.spyOn(test.ctx.limits, 'take').mockImplementation(() => gate.then(() => Promise.reject(new Error())));
  const waiting = test.app.inject({ url, headers: { 'x-api-key': 'unknown' } });
  await expect.poll(() => late.mock.calls.length).toBe(1);
  expect((await test.app.inject({ url })).statusCode).toBe(503);
  open();
  await waiting;
  late.mockRestore();
  expect((await Promise.all(slow)).map((answer) => answer.statusCode)).toEqual([200, 200]);
  expect((await test.app.inject('/openapi.json')).statusCode).toBe(200);
});

it('does not count a request as running while its body arrives', async () => {
  const test = await openTestApp();
  const port = await listen(test);
  const { 'x-api-key': key } = await test.headers();
  const count = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await test.app.inject('/metrics')).body)![1]);
  const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nConnection: close`;
  const slow = Array.from({ length: 5 }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\nContent-Length: 14\r\n\r\n{"name"`));
    return socket.on('error', () => {});
  });
  await expect.poll(() => count('http_requests_in_flight')).toBe(6);
  expect(await count('http_requests_running')).toBe(1);
  const answers = slow.map((socket) => text(socket));
  for (const socket of slow) socket.write(':"abc"}');
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 (201|403) /);
  await expect.poll(() => count('http_requests_in_flight')).toBe(1);
  expect(await count('http_requests_running')).toBe(1);
});

it('frees the place of a caller who went away', async () => {
  const test = await openTestApp({}, { inFlightMax: 2 });
  test.app.get('/never', () => new Promise(() => {}));
  const port = await listen(test);
  const call = request({ port, host: '127.0.0.1', path: '/never' }).on('error', () => {});
  call.end();
  const status = async () => (await test.app.inject('/nowhere')).statusCode;
  for (let i = 0; i < 200 && (await status()) !== 503; i++) await sleep(10);
  expect(await status()).toBe(503);
  call.destroy();
  for (let i = 0; i < 200 && (await status()) === 503; i++) await sleep(10);
  expect(await status()).toBe(404);
});

it('sends the security headers with every answer', async () => {
  const test = await openTestApp();
  for (const url of ['/api/v1/public/health', '/api/v1/public/usage', '/nowhere']) {
    const { headers } = await test.app.inject(url);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

it('logs one line a request: method, route, status, time, id and account, nothing else of what was sent', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue();
  await test.app.inject({
    url: '/api/v1/public/usage?address=SECRET-QUERY',
    headers: { 'x-api-key': key, 'x-request-id': 'mine', cookie: 'SECRET-COOKIE' },
  });
  await test.app.inject({ url: '/nowhere/SECRET-PATH' });
  const lines = test
    .logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      request_id: 'mine',
      method: 'GET',
      route: '/api/v1/public/usage',
      status: 200,
      ms: expect.any(Number),
      account_id: accountId,
      msg: 'request',
    },
    expect.objectContaining({ route: 'unmatched', status: 404 }),
  ]);
  expect(test.logged()).not.toContain('SECRET');
});
