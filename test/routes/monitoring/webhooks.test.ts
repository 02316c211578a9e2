import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../../../src/domain/time.ts';
import { recordEvent } from '../../../src/events/outbox.ts';
import type { PlanId } from '../../../src/plans.ts';
import { setPlan } from '../../../src/records/accounts/accounts.ts';
import { startDeliveryWorker } from '../../../workers/delivery-worker.ts';
import { openTestApp } from '../../app/test-app.ts';
import { LOCAL_WEBHOOKS, type Received, startReceiver } from '../../events/receiver.ts';

/** Asked so seldom, a client stays within the requests a minute of its plan. */
const OVER_HTTP = { interval: 500 };
const NO_ID = '11111111-2222-4333-8444-555555555555';
const ALL = [
  'risk.changed',
  'risk.high_detected',
  'risk.critical_detected',
  'scan.completed',
  'batch.completed',
  'watchlist.alert',
];

async function openWebhookApp(env: Record<string, string> = {}) {
  const test = await openTestApp({ ...LOCAL_WEBHOOKS, ...env });
  const client = async (plan: PlanId = 'pro') => {
    const { key, accountId } = await test.issue(plan);
    const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
      const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, payload });
      return { status: reply.statusCode, body: reply.json() };
    };
    const create = async (webhook_url: string, more: object = {}) =>
      (await ask('POST', '/webhooks/configs', { webhook_url, ...more })).body;
    const happen = (type: 'scan.completed' | 'risk.changed' | 'batch.completed', data: object = { address: 'a' }) =>
      recordEvent(test.ctx.records, { type, accountId, subject: 'x', data, at: test.time.at });
    const deliveries = async (query = '') => (await ask('GET', `/webhooks/deliveries${query}`)).body.deliveries;
    return { key, accountId, ask, create, happen, deliveries };
  };
  const deliver = () => {
    const deliverer = startDeliveryWorker(test.ctx);
    onTestFinished(() => deliverer.stop());
  };
  return { ...test, client, deliver };
}

const signedWith = (secret: string, { body }: Received) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** As a receiver of Standard Webhooks verifies it. */
const standardSigned = (secret: string, { headers, body }: Received) => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64')}`;
};

it('lists the six types of events without a key', async () => {
  const { app } = await openTestApp();
  const reply = await app.inject({ url: '/api/v1/webhooks/events' });
  expect(reply.statusCode).toBe(200);
  expect(reply.json().events.map((event: { type: string }) => event.type)).toEqual(ALL);
  for (const { description } of reply.json().events) expect(description).toMatch(/\w/);
});

it('creates, lists, changes and deletes endpoints, and shows the secret once', async () => {
  const { client, time } = await openWebhookApp();
  const api = await client();
  const created = await api.ask('POST', '/webhooks/configs', {
    webhook_url: 'http://127.0.0.1:9999/a',
    description: 'Desk',
  });
  expect([created.status, created.body]).toEqual([
    200,
    {
      config: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        webhook_url: 'http://127.0.0.1:9999/a',
        description: 'Desk',
        events: ALL,
        is_active: true,
        created_at: '2026-11-20T10:00:00.000Z',
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      message: expect.any(String),
    },
  ]);
  const { config, secret } = created.body;
  time.at += 1;
  const second = await api.create('http://127.0.0.1:9999/b', { events: ['risk.changed', 'risk.changed'] });
  expect(second.config).toMatchObject({ description: '', events: ['risk.changed'] });
  expect(second.secret).not.toBe(secret);
  const listed = await api.ask('GET', '/webhooks/configs');
  expect(listed.body).toEqual({ configs: [config, second.config] });
  expect(JSON.stringify(listed.body)).not.toContain('whsec_');

  const changed = await api.ask('PATCH', `/webhooks/configs/${config.id}`, {
    is_active: false,
    events: ['scan.completed'],
  });
  expect([changed.status, changed.body]).toEqual([
    200,
    { config: { ...config, is_active: false, events: ['scan.completed'] } },
  ]);
  expect(await api.ask('PATCH', `/webhooks/configs/${config.id}`, { other: 1 })).toMatchObject({
    status: 400,
    body: { detail: 'No fields to update' },
  });
  expect(await api.ask('DELETE', `/webhooks/configs/${config.id}`)).toEqual({ status: 200, body: { deleted: 1 } });
  expect(await api.ask('DELETE', `/webhooks/configs/${config.id}`)).toEqual({ status: 200, body: { deleted: 0 } });
  expect((await api.ask('GET', '/webhooks/configs')).body.configs).toEqual([second.config]);
});

it('says why it refuses: plan, ceiling, URL, shape', async () => {
  const { client } = await openWebhookApp();
  const url = 'http://127.0.0.1:9999/';
  const free = await client('free');
  expect(await free.ask('POST', '/webhooks/configs', { webhook_url: url })).toMatchObject({
    status: 403,
    body: { detail: 'Webhooks are not available on your plan' },
  });
  const starter = await client('starter');
  const racing = await Promise.all([1, 2, 3].map(() => starter.ask('POST', '/webhooks/configs', { webhook_url: url })));
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  expect(racing.find(({ status }) => status === 403)!.body).toMatchObject({
    detail: 'Webhook limit reached (1 endpoints)',
  });

  const api = await client();
  for (const [webhook_url, reason] of [
    ['http://10.0.0.1/', 'its address is not public'],
    ['https://[::ffff:10.0.0.1]/', 'its address is not public'],
    ['ftp://93.184.216.34/', 'it must begin with http(s)://'],
    ['https://a:b@93.184.216.34/', 'it must not hold a user or password'],
    ['https://93.184.216.34:22/', 'its port must be one of 443, 8443, 80'],
    ['nonsense', 'it is not an absolute URL'],
  ]) {
    const { status, body } = await api.ask('POST', '/webhooks/configs', { webhook_url });
    expect([status, body]).toMatchObject([400, { detail: `Invalid webhook URL: ${reason}` }]);
  }
  const { config } = await api.create(url);
  const moved = await api.ask('PATCH', `/webhooks/configs/${config.id}`, { webhook_url: 'http://169.254.169.254/' });
  expect(moved).toMatchObject({ status: 400, body: { detail: 'Invalid webhook URL: its address is not public' } });
  for (const [payload, loc] of [
    [{}, ['body', 'webhook_url']],
    [{ webhook_url: 7 }, ['body', 'webhook_url']],
    [{ webhook_url: url, events: ['scan.started'] }, ['body', 'events', 0]],
    [{ webhook_url: url, events: [] }, ['body', 'events']],
  ] as const) {
    const { status, body } = await api.ask('POST', '/webhooks/configs', payload);
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
  }
});

it("shows nobody another account's endpoints and deliveries", async () => {
  const { client, deliver } = await openWebhookApp();
  const [owner, other] = [await client(), await client()];
  const { url } = await startReceiver();
  const { config } = await owner.create(url);
  await owner.happen('scan.completed');
  deliver();
  await expect.poll(async () => (await owner.deliveries())[0]?.status, OVER_HTTP).toBe('delivered');
  const [delivery] = await owner.deliveries();
  for (const id of [config.id, NO_ID]) {
    for (const reply of [
      await other.ask('PATCH', `/webhooks/configs/${id}`, { is_active: false }),
      await other.ask('POST', `/webhooks/configs/${id}/rotate-secret`),
      await other.ask('POST', '/webhooks/test', { webhook_config_id: id }),
      await other.ask('POST', `/webhooks/deliveries/${delivery.id}/replay`),
      await other.ask('GET', `/webhooks/deliveries/${delivery.id}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { detail: 'Not found' } });
    }
    expect((await other.ask('DELETE', `/webhooks/configs/${id}`)).body).toEqual({ deleted: 0 });
  }
  expect(await other.deliveries()).toEqual([]);
  expect(await other.deliveries(`?config_id=${config.id}`)).toEqual([]);
  expect((await owner.ask('GET', '/webhooks/configs')).body.configs).toHaveLength(1);
});

it('sends signed events to the endpoints that asked for their type, and logs each delivery', async () => {
  const { client, deliver, time } = await openWebhookApp();
  const api = await client();
  const [all, some] = [await startReceiver(), await startReceiver()];
  const first = await api.create(all.url);
  const second = await api.create(some.url, { events: ['risk.changed'] });
  deliver();
  await api.happen('scan.completed', { address: '0xé', risk_score: 12 });
  await expect.poll(() => all.received.length).toBe(1);
  await api.happen('risk.changed');
  await expect.poll(() => [all.received.length, some.received.length]).toEqual([2, 1]);

  const [scan] = all.received as [Received];
  expect(JSON.parse(scan.body)).toEqual({
    id: scan.headers['x-service-delivery'],
    event: 'scan.completed',
    timestamp: '2026-11-20T10:00:00.000',
    data: { address: '0xé', risk_score: 12 },
  });
  const log = await api.deliveries(`?config_id=${first.config.id}&status=delivered&limit=500`);
  const entry = log.find((one: { event: string }) => one.event === 'scan.completed');
  expect(scan.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event': 'scan.completed',
    'x-service-delivery': entry.id,
    'x-service-timestamp': String(time.at / 1_000),
    'x-service-signature': signedWith(first.secret, scan),
    'webhook-id': entry.id,
    'webhook-timestamp': String(time.at / 1_000),
    'webhook-signature': standardSigned(first.secret, scan),
  });
  expect(scan.headers).not.toHaveProperty('x-service-signature-previous');
  expect(entry).toEqual({
    id: entry.id,
    config_id: first.config.id,
    event: 'scan.completed',
    status: 'delivered',
    attempts: 1,
    status_code: 204,
    error: null,
    created_at: '2026-11-20T10:00:00.000Z',
    last_attempt_at: '2026-11-20T10:00:00.000Z',
    next_attempt_at: null,
  });
  expect(some.received[0]!.headers['x-service-signature']).toBe(signedWith(second.secret, some.received[0]!));
  expect(await api.deliveries()).toHaveLength(3);
  const { body: page } = await api.ask('GET', '/webhooks/deliveries?limit=1&offset=2');
  expect(page).toEqual({ deliveries: [(await api.deliveries())[2]], total: 3, limit: 1, offset: 2 });
  expect(await api.deliveries('?status=exhausted')).toEqual([]);
  for (const [query, name] of [
    ['config_id=seven', 'config_id'],
    ['status=sent', 'status'],
  ]) {
    const refused = await api.ask('GET', `/webhooks/deliveries?${query}`);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', name]]);
  }
});

it('signs with the old and the new secret for 24 hours after a rotation', async () => {
  const { client, time } = await openWebhookApp();
  const api = await client();
  const { received, url } = await startReceiver();
  const { config, secret: old } = await api.create(url);
  const rotated = await api.ask('POST', `/webhooks/configs/${config.id}/rotate-secret`);
  expect(rotated).toMatchObject({ status: 200, body: { config, message: expect.any(String) } });
  const test = async () => {
    await api.ask('POST', '/webhooks/test', { webhook_config_id: config.id });
    const last = received.at(-1)!;
    return last;
  };
  const during = await test();
  expect(during.headers).toMatchObject({
    'x-service-signature': signedWith(rotated.body.secret, during),
    'x-service-signature-previous': signedWith(old, during),
    'webhook-signature': `${standardSigned(rotated.body.secret, during)} ${standardSigned(old, during)}`,
  });
  time.at += DAY_MS;
  const after = await test();
  expect(after.headers).toMatchObject({
    'x-service-signature': signedWith(rotated.body.secret, after),
    'webhook-signature': standardSigned(rotated.body.secret, after),
  });
  expect(after.headers).not.toHaveProperty('x-service-signature-previous');
});

it('answers a repeated rotation with the same secret under one Idempotency-Key', async () => {
  const { client, app } = await openWebhookApp();
  const api = await client();
  const { config } = await api.create('http://127.0.0.1:9999/');
  const rotate = async () => {
    const headers = { 'x-api-key': api.key, 'idempotency-key': 'rotation-1' };
    return (
      await app.inject({ method: 'POST', url: `/api/v1/webhooks/configs/${config.id}/rotate-secret`, headers })
    ).json();
  };
  const { secret } = await rotate();
  expect(secret).toMatch(/^whsec_/);
  expect((await rotate()).secret).toBe(secret);
});

it('shows every attempt of a delivery with its outcome, and the body as it was sent', async () => {
  const { client, deliver, time } = await openWebhookApp();
  const api = await client();
  let status = 503;
  const { received, url } = await startReceiver((response) => response.writeHead(status).end());
  await api.create(url);
  await api.happen('scan.completed', { address: '0xé' });
  deliver();
  await expect.poll(async () => (await api.deliveries())[0]?.error, OVER_HTTP).toBe('HTTP 503');
  const [{ id }] = await api.deliveries();
  const first = new Date(time.at).toISOString();
  status = 204;
  time.at += 6_000;
  await expect.poll(async () => (await api.deliveries())[0].status, OVER_HTTP).toBe('delivered');
  const { body } = await api.ask('GET', `/webhooks/deliveries/${id}`);
  expect(body).toEqual({
    delivery: (await api.deliveries())[0],
    attempts: [
      { attempt: 1, at: first, duration_ms: expect.any(Number), status_code: 503, error: 'HTTP 503' },
      { attempt: 2, at: new Date(time.at).toISOString(), duration_ms: 0, status_code: 204, error: null },
    ],
    body: received[1]!.body,
  });
});

it('keeps every secret signing until its own end, however often the endpoint is rotated, also at once', async () => {
  const { client, time } = await openWebhookApp();
  const api = await client();
  const { received, url } = await startReceiver();
  const { config, secret: first } = await api.create(url);
  const rotate = () => api.ask('POST', `/webhooks/configs/${config.id}/rotate-secret`);
  const signatures = async () => {
    await api.ask('POST', '/webhooks/test', { webhook_config_id: config.id });
    const last = received.at(-1)!;
    return { last, given: (last.headers['webhook-signature'] as string).split(' ') };
  };
  const { secret: second } = (await rotate()).body;
  time.at += DAY_MS / 2;
  const racing = (await Promise.all([rotate(), rotate()])).map(({ body }) => body.secret as string);
  const during = await signatures();
  expect(during.given).toHaveLength(4);
  for (const secret of [first, second, ...racing]) {
    expect(during.given).toContain(standardSigned(secret, during.last));
  }
  expect((await rotate()).status).toBe(200);
  expect(await rotate()).toMatchObject({
    status: 409,
    body: { detail: '4 previous secrets are still valid. Rotate again when one has ended.' },
  });
  time.at += DAY_MS / 2;
  const after = await signatures();
  expect(after.given).toHaveLength(4);
  expect(after.given).not.toContain(standardSigned(first, after.last));
  expect((await rotate()).status).toBe(200);
});

it('stores a URL as it is parsed, without control characters', async () => {
  const { client } = await openWebhookApp();
  const api = await client();
  const { config } = await api.create('\n http://127.0.0.1:9999/a\tb\u001b[31m');
  expect(config.webhook_url).toBe('http://127.0.0.1:9999/ab%1B[31m');
  const moved = await api.ask('PATCH', `/webhooks/configs/${config.id}`, {
    webhook_url: 'http://127.0.0.1:9999/x\r\ny',
  });
  expect(moved.body.config.webhook_url).toBe('http://127.0.0.1:9999/xy');
  expect((await api.ask('GET', '/webhooks/configs')).body.configs[0].webhook_url).toBe('http://127.0.0.1:9999/xy');
});

it('runs two tests of an account at once and asks to wait with the third', async () => {
  const { client, app } = await openWebhookApp();
  const [api, other] = [await client(), await client()];
  const hanging: ServerResponse[] = [];
  const { url } = await startReceiver((response) => void hanging.push(response));
  const { config } = await api.create(url);
  const test = () => api.ask('POST', '/webhooks/test', { webhook_config_id: config.id });
  const open = [test(), test()];
  await expect.poll(() => hanging.length).toBe(2);
  const refused = await app.inject({
    method: 'POST',
    url: '/api/v1/webhooks/test',
    headers: { 'x-api-key': api.key },
    payload: { webhook_config_id: config.id },
  });
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
    429,
    '10',
    { detail: 'At most 2 webhook tests may run at once' },
  ]);
  const theirs = await other.create(url);
  const third = other.ask('POST', '/webhooks/test', { webhook_config_id: theirs.config.id });
  await expect.poll(() => hanging.length).toBe(3);
  for (const response of hanging.splice(0)) response.writeHead(204).end();
  for (const { body } of await Promise.all([...open, third])) expect(body.success).toBe(true);
  const last = test();
  await expect.poll(() => hanging.length).toBe(1);
  hanging[0]!.writeHead(204).end();
  expect((await last).body.success).toBe(true);
});

it('keeps no secret readable in the records', async () => {
  const { client, ctx } = await openWebhookApp({ SECRET_KEY: 'sixteen characters' });
  const { secret, config } = await (await client()).create('http://127.0.0.1:9999/');
  const [row] = await ctx.records.selectFrom('webhook_configs').selectAll().execute();
  expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  expect(ctx.secrets.open(row!.secret, config.id)).toBe(secret);
  expect(() => ctx.secrets.open(row!.secret, NO_ID)).toThrow();
});

it('sends a test once, logs it, and says what came of it', async () => {
  const { client, deliver } = await openWebhookApp();
  const api = await client();
  const good = await startReceiver();
  const bad = await startReceiver((response) => response.writeHead(503).end());
  const gone = await startReceiver();
  gone.close();
  deliver();
  const results = [];
  for (const { url } of [good, bad, gone]) {
    const { config } = await api.create(url);
    results.push(await api.ask('POST', '/webhooks/test', { webhook_config_id: config.id }));
  }
  expect(results.map(({ status, body }) => [status, body])).toEqual([
    [200, { success: true, status_code: 204, error: null }],
    [200, { success: false, status_code: 503, error: 'HTTP 503' }],
    [200, { success: false, status_code: null, error: 'The connection was refused' }],
  ]);
  expect(JSON.parse(good.received[0]!.body)).toMatchObject({
    event: 'scan.completed',
    data: { chain: 'ethereum', score_semantics: 'risk_0to100', test: true },
  });
  const log = await api.deliveries();
  expect(log.map((entry: { status: string }) => entry.status).sort()).toEqual(['delivered', 'failed', 'failed']);
  expect([good.received.length, bad.received.length]).toEqual([1, 1]);
});

it('replays an ended delivery under its id', async () => {
  const { client, deliver, time } = await openWebhookApp();
  const api = await client();
  let status = 410;
  const { received, url } = await startReceiver((response) => response.writeHead(status).end());
  const { config } = await api.create(url);
  await api.happen('scan.completed');
  deliver();
  await expect.poll(async () => (await api.deliveries())[0]?.status, OVER_HTTP).toBe('failed');
  const [{ id }] = await api.deliveries();
  expect(await api.ask('POST', `/webhooks/deliveries/${id}/replay`)).toMatchObject({
    status: 409,
    body: { detail: 'The endpoint is switched off' },
  });
  status = 200;
  await api.ask('PATCH', `/webhooks/configs/${config.id}`, { is_active: true });
  time.at += 1_000;
  const replayed = await api.ask('POST', `/webhooks/deliveries/${id}/replay`);
  expect([replayed.status, replayed.body.delivery.id, replayed.body.delivery.status]).toEqual([200, id, 'pending']);
  await expect.poll(async () => (await api.deliveries())[0].status, OVER_HTTP).toBe('delivered');
  expect(received.map(({ headers }) => headers['x-service-delivery'])).toEqual([id, id]);
  expect(received[0]!.body).toBe(received[1]!.body);
});

it('delivers only to as many endpoints as the plan has, the oldest first', async () => {
  const { client, deliver, ctx, time } = await openWebhookApp();
  const api = await client();
  const receivers = [await startReceiver(), await startReceiver()];
  for (const { url } of receivers) {
    await api.create(url);
    time.at += 1;
  }
  await setPlan(ctx.records, api.accountId, 'starter');
  await api.happen('scan.completed');
  deliver();
  await expect.poll(() => receivers[0]!.received.length).toBe(1);
  expect(await api.deliveries()).toHaveLength(1);
  expect(receivers[1]!.received).toEqual([]);
});
