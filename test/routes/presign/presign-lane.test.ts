import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openKeyCheck } from '../../../src/http/auth.ts';
import { createMetrics } from '../../../src/http/metrics.ts';
import { openTraffic } from '../../../src/http/traffic.ts';
import { openPresignCheck } from '../../../src/questions/presign/check-presign.ts';
import { isPresignRequest, openPresignLane } from '../../../src/routes/presign/presign-lane.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';

const PATH = '/api/v1/public/presign/check';
const TO = '0x28c6c06298d514db089934071355e5743bf21d60';
const APPROVE = `0x095ea7b3${'51'.repeat(20).padStart(64, '0')}${'5'.padStart(64, '0')}`;
const LEFT_TO_THE_ROUTE = 599;

let test: TestApp;
let key: string;
beforeEach(async () => {
  test = await openTestApp();
  key = (await test.issue('enterprise')).key;
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

async function ask(port: number, path: string, headers: OutgoingHttpHeaders, method = 'GET'): Promise<Answer> {
  const sent = request({ port, path, method, headers: { ...headers, connection: 'close' } }).end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** The lane with nothing behind it. */
async function openLane(inFlightMax = 10): Promise<number> {
  const keys = openKeyCheck(test.ctx);
  await keys.find(key);
  const traffic = openTraffic(test.ctx.log, createMetrics(), inFlightMax);
  const lane = openPresignLane(test.ctx, { traffic, keys, presign: openPresignCheck(test.ctx) });
  const server = createServer(async (request, response) => {
    if (!isPresignRequest(request) || !(await lane(request, response))) {
      response.writeHead(LEFT_TO_THE_ROUTE).end();
    }
  }).listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const mine = () => ({ 'x-api-key': key });
const query = (given: Record<string, string>) => `${PATH}?${new URLSearchParams(given)}`;
const CLEAN = query({ chain: 'ethereum', to: TO });

it('answers over a connection what the framework answers, header by header', async () => {
  await test.app.listen({ port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  const paths = [
    CLEAN,
    CLEAN,
    query({ chain: 'ethereum', to: TO, data: APPROVE, signer: `0x${'52'.repeat(20)}` }),
    query({ chain: 'ethereum', to: TO, calldata: '0x12' }),
    query({ chain: 'bnb', to: TO }),
    `${PATH}?chain=tron&chain=ethereum&to=${TO}&other=%E2%98%83%zz`,
    query({ chain: 'tron', to: TO }),
    query({ chain: 'ethereum', to: '' }),
    query({ chain: 'ethereum' }),
    `${PATH}?`,
    PATH,
  ];
  const forms: OutgoingHttpHeaders[] = [
    mine(),
    { authorization: `bearer  ${key}` },
    { ...mine(), 'x-request-id': 'mine' },
    { 'x-api-key': 'tfk_wrong' },
    {},
  ];
  for (const method of ['GET', 'HEAD', 'POST']) {
    for (const headers of forms) {
      for (const url of paths) {
        const answer = await ask(port, url, headers, method);
        const framework = await test.app.inject({ url, method: method as 'GET', headers: { ...headers, host: 'x' } });
        const body = framework.body === '' || method === 'HEAD' ? {} : framework.json();
        expect(answer.status, `${method} ${url}`).toBe(framework.statusCode);
        expect({ ...answer.body, cached: 0, latency_ms: 0 }).toEqual({ ...body, cached: 0, latency_ms: 0 });
        expect(told(answer.headers)).toEqual(told(framework.headers));
      }
    }
  }
});

/** Without what differs from one answer to the next. */
function told(headers: Record<string, unknown>): Record<string, unknown> {
  const varying = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'x-ratelimit-remaining'];
  const kept = Object.entries(headers).filter(([name]) => !varying.includes(name));
  const told: Record<string, unknown> = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
  told['x-request-id'] = told['x-request-id'] === 'mine' ? 'mine' : String(told['x-request-id']).length;
  return told;
}

it('takes what goes well, and leaves to the route whatever is to be refused', async () => {
  const port = await openLane();
  const status = async (path: string, headers: OutgoingHttpHeaders = mine(), method = 'GET') =>
    (await ask(port, path, headers, method)).status;
  expect(await status(CLEAN)).toBe(200);
  expect(await status(query({ chain: 'ethereum', to: TO, data: APPROVE }))).toBe(200);
  expect(await status(query({ chain: 'moon', to: TO }))).toBe(200);
  for (const path of [query({ chain: 'ethereum', to: '0x12' }), query({ to: TO }), PATH, `${PATH}s?chain=x&to=y`]) {
    expect(await status(path), path).toBe(LEFT_TO_THE_ROUTE);
  }
  expect(await status(CLEAN, {})).toBe(LEFT_TO_THE_ROUTE);
  expect(await status(CLEAN, { 'x-api-key': 'tfk_wrong' })).toBe(LEFT_TO_THE_ROUTE);
  expect(await status(CLEAN, mine(), 'HEAD')).toBe(LEFT_TO_THE_ROUTE);
});

it('takes no more than there is room for', async () => {
  expect((await ask(await openLane(0), CLEAN, mine())).status).toBe(LEFT_TO_THE_ROUTE);
});

it('counts a request against its bucket once, refused or not', async () => {
  await test.app.listen({ port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  const plan = { 'x-api-key': (await test.issue('free')).key };
  const left: unknown[] = [];
  for (const path of [CLEAN, CLEAN, query({ chain: 'tron', to: TO }), query({ chain: 'ethereum' }), CLEAN]) {
    left.push((await ask(port, path, plan)).headers['x-ratelimit-remaining']);
  }
  expect(left).toEqual(['39', '38', '37', '36', '35']);
});

it('writes the log line and the metrics of every other request', async () => {
  await test.app.listen({ port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  await ask(port, CLEAN, mine());
  await ask(port, CLEAN, { ...mine(), 'x-request-id': 'second' });
  const line = () =>
    test
      .logged()
      .split('\n')
      .find((one) => one.includes('"second"'));
  await expect.poll(line).toBeDefined();
  expect(JSON.parse(line()!)).toMatchObject({ method: 'GET', route: PATH, status: 200, ms: expect.any(Number) });
  const metrics = (await test.app.inject('/metrics')).body;
  expect(metrics).toContain(`http_requests_total{method="GET",route="${PATH}",status="200"} 2`);
});

it('forgets whoever hung up while a check was under way', async () => {
  await test.app.listen({ port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  await ask(port, CLEAN, mine());
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { take } = test.ctx.limits;
  test.ctx.limits.take = async (...given) => {
    await held;
    return take.apply(test.ctx.limits, given);
  };
  const sent = request({ port, path: CLEAN, headers: mine() }).end();
  sent.on('error', () => {});
  const inFlight = async () => (await test.app.inject('/metrics')).body.match(/in_flight (\d+)/)?.[1];
  await expect.poll(inFlight).toBe('2');
  sent.destroy();
  await expect.poll(inFlight).toBe('1');
  goOn();
  await sleep(20);
  expect(await inFlight()).toBe('1');
});
