import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { beginTestDelivery } from '../../src/events/delivery-log.ts';
import { recordEvent } from '../../src/events/outbox.ts';
import { PLANS } from '../../src/plans.ts';
import {
  createWebhook,
  listWebhooks,
  testWebhook,
  updateWebhook,
} from '../../src/questions/monitoring/manage-webhooks.ts';
import { listDeliveries } from '../../src/questions/monitoring/webhook-deliveries.ts';
import { startDeliveryWorker } from '../../workers/delivery-worker.ts';
import { openTestApp } from '../app/test-app.ts';
import { LOCAL_WEBHOOKS, startReceiver } from './receiver.ts';

async function start(env: Record<string, string> = {}) {
  const test = await openTestApp({ ...LOCAL_WEBHOOKS, ...env });
  const { accountId, keyId } = await test.issue('enterprise');
  const tenant = { accountId, keyId, planId: 'enterprise' as const, plan: PLANS.enterprise };
  const { ctx } = test;
  const add = async (webhook_url: string) => (await createWebhook(ctx, tenant, { webhook_url })).config.id;
  const happen = (data: object = {}) =>
    recordEvent(ctx.records, { type: 'scan.completed', accountId, subject: 's', data, at: test.time.at });
  const deliver = () => {
    const deliverer = startDeliveryWorker(ctx);
    onTestFinished(() => deliverer.stop());
    return deliverer;
  };
  const deliveries = async () => (await listDeliveries(ctx, tenant, { limit: 500, offset: 0 })).deliveries;
  return { ...test, tenant, accountId, add, happen, deliver, deliveries };
}

/** A TCP server that does with each connection what the test says. */
async function startRawReceiver(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

it('counts as failed what redirects, fails, resets, hangs or answers byte by byte, and says which', async () => {
  const { ctx, issue } = await start();
  // Two tests of one account may run at once.
  const attempt = async (webhook_url: string) => {
    const tenant = { ...(await issue('pro')), planId: 'pro' as const, plan: PLANS.pro };
    return testWebhook(ctx, tenant, (await createWebhook(ctx, tenant, { webhook_url })).config.id);
  };
  const waiting = { hanging: false, dripped: 0 };
  const hang = () => {
    waiting.hanging = true;
  };
  const drip = (text: string) => (socket: Socket) => {
    const timer = setInterval(() => socket.write(text[waiting.dripped++ % text.length]!), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const cases: [string, string][] = [
    [
      (await startReceiver((response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())).url,
      'HTTP 302: redirects are not followed',
    ],
    [(await startReceiver((response) => response.writeHead(500).end('no'))).url, 'HTTP 500'],
    [await startRawReceiver((socket) => socket.resetAndDestroy()), 'The connection was reset'],
    [await startRawReceiver((socket) => socket.end('no HTTP\r\n\r\n')), 'The connection failed'],
    [await startRawReceiver(hang), 'No answer within 10 s'],
    [
      await startRawReceiver(drip('HTTP/1.1 200 OK\r\nX-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')),
      'No answer within 10 s',
    ],
  ];
  // An attempt that its deadline ended says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = { count: 0 };
  const results = cases.map(async ([url]) => {
    const result = await attempt(url);
    ended.count++;
    return result;
  });
  await expect.poll(() => waiting.hanging && waiting.dripped > 20).toBe(true);
  vi.advanceTimersByTime(9_999);
  await expect.poll(() => ended.count).toBe(4);
  vi.advanceTimersByTime(1);
  const found = (await Promise.all(results)).map(({ success, error }) => [success, error]);
  expect(found).toEqual(cases.map(([, error]) => [false, error]));
});

it('takes the status of an endless answer and closes it', async () => {
  const { ctx, tenant, add } = await start();
  let sent = 0;
  const pour = (response: ServerResponse) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more);
    more();
  };
  const { url } = await startReceiver(pour);
  expect(await testWebhook(ctx, tenant, await add(url))).toEqual({ success: true, status_code: 200, error: null });
  const afterwards = sent;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent - afterwards).toBeLessThan(32 * 1024 * 1024);
});

it('loses nothing while a receiver is down for 10 minutes', async () => {
  const { ctx, time, add, happen, deliver, deliveries } = await start();
  let up = false;
  const ids = new Map<string, Set<string>>();
  const { received, url } = await startReceiver((response, { headers, body }) => {
    const id = headers['x-service-delivery'] as string;
    ids.set(id, (ids.get(id) ?? new Set()).add(body));
    response.writeHead(up ? 200 : 503).end();
  });
  await add(url);
  deliver();
  for (let minute = 0; minute < 12; minute++) {
    if (minute === 10) up = true;
    if (minute < 10) await happen({ minute });
    const settled = async () => {
      const [queue] = await ctx.records.selectFrom('delivery_queues').selectAll().execute();
      if ((await deliveries()).length !== Math.min(minute + 1, 10)) return false;
      // While an attempt is under way, its lease stands in place of the next one.
      return queue!.due_at === null || (queue!.due_at > time.at && queue!.due_at !== time.at + 60_000);
    };
    await expect.poll(settled, { interval: 20 }).toBe(true);
    time.at += MINUTE_MS;
  }
  time.at += HOUR_MS;
  await expect
    .poll(async () => (await deliveries()).map((one) => one.status))
    .toEqual(Array.from({ length: 10 }, () => 'delivered'));
  expect(ids.size).toBe(10);
  for (const bodies of ids.values()) expect(bodies.size).toBe(1);
  expect(received.length).toBeGreaterThan(13);
});

it('switches an endpoint off after 410, and after 5 days without a success, with a line in the log', async () => {
  const { ctx, tenant, time, add, happen, deliver, deliveries, logged } = await start();
  const gone = await startReceiver((response) => response.writeHead(410).end());
  const broken = await startReceiver((response) => response.writeHead(500).end());
  const isActive = async (id: string) =>
    (await listWebhooks(ctx, tenant)).find((config) => config.id === id)!.is_active;
  const goneId = await add(gone.url);
  deliver();
  await happen();
  await expect.poll(() => isActive(goneId)).toBe(false);
  await expect.poll(logged).toContain('it answered 410');
  await happen();
  await expect
    .poll(async () =>
      (await ctx.records.selectFrom('events').select('dispatched_at').execute()).every((one) => one.dispatched_at),
    )
    .toBe(true);
  expect(gone.received).toHaveLength(1);

  const brokenId = await add(broken.url);
  await happen();
  // The days count from what is recorded of an attempt, which comes after the receiver has seen it.
  const failed = async () => (await deliveries()).filter((one) => one.status_code === 500).length;
  await expect.poll(failed).toBe(1);
  time.at += 5 * DAY_MS - 1;
  await happen();
  await expect.poll(failed).toBe(2);
  expect(await isActive(brokenId)).toBe(true);
  time.at += 10_000;
  await expect.poll(() => isActive(brokenId)).toBe(false);
  await expect.poll(logged).toContain('it has failed for 5 days');
  expect((await updateWebhook(ctx, tenant, brokenId, { is_active: true })).is_active).toBe(true);
});

it('lets a late 410 or failure of an earlier URL not count against the URL of now', async () => {
  const { ctx, tenant, time, happen, deliver, deliveries } = await start();
  const late: ServerResponse[] = [];
  const before = await startReceiver((response) => void late.push(response));
  const after = await startReceiver();
  const { config } = await createWebhook(ctx, tenant, { webhook_url: before.url });
  await ctx.records
    .updateTable('webhook_configs')
    .set({ failing_since: time.at - 6 * DAY_MS })
    .execute();
  deliver();
  await happen();
  await happen();
  await expect.poll(() => late.length).toBe(2);
  await updateWebhook(ctx, tenant, config.id, { webhook_url: after.url });
  late[0]!.writeHead(410).end();
  late[1]!.writeHead(500).end();
  const codes = async () => (await deliveries()).map((one) => one.status_code).sort();
  await expect.poll(codes).toEqual([410, 500]);
  const row = await ctx.records.selectFrom('webhook_configs').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ is_active: 1, failing_since: null });
  time.at += MINUTE_MS;
  const statuses = async () => (await deliveries()).map((one) => one.status);
  await expect.poll(statuses).toEqual(['delivered', 'delivered']);
  expect(after.received).toHaveLength(2);
});

it('never sends a test again whose process died in the middle', async () => {
  const { ctx, tenant, accountId, add, time, deliver, deliveries } = await start();
  const { received, url } = await startReceiver();
  const id = await add(url);
  // What a process has written when it dies before the outcome is recorded.
  await beginTestDelivery(ctx.records, { type: 'scan.completed', accountId, subject: 's', data: {}, at: time.at }, id);
  time.at += HOUR_MS;
  deliver();
  expect(await testWebhook(ctx, tenant, id)).toMatchObject({ success: true });
  await sleep(700);
  expect(received).toHaveLength(1);
  const log = (await deliveries()).map(({ status, error }) => [status, error]);
  expect(log).toEqual([
    ['delivered', null],
    ['failed', 'No outcome was recorded'],
  ]);
});

it('waits as long as Retry-After asks, in seconds or as a date', async () => {
  const { time, add, happen, deliver, deliveries } = await start();
  const headers = ['7200', new Date(time.at + 3 * HOUR_MS).toUTCString()];
  let i = 0;
  const { url } = await startReceiver((response) =>
    response.writeHead(429, { 'retry-after': headers[i++ % 2]! }).end(),
  );
  await add(url);
  await happen();
  await happen();
  deliver();
  const next = async () =>
    (await deliveries()).map((one) => one.status_code === 429 && Date.parse(one.next_attempt_at!) - time.at).sort();
  await expect.poll(next).toEqual([3 * HOUR_MS, 2 * HOUR_MS].sort());
});

it('writes to a chat service in its block format, without markup of strangers', async () => {
  const { received, url } = await startReceiver();
  const { add, happen, deliver } = await start({ CHAT_WEBHOOK_HOST: '127.0.0.1' });
  await add(url);
  const detections = Array.from({ length: 7 }, (_, i) => ({
    severity: 'HIGH',
    detector_name: `d${i}`,
    description: '<!channel> & <http://evil|x>',
  }));
  await happen({
    address: '0xabc',
    chain: 'ethereum',
    risk_level: 'HIGH',
    note: 'n'.repeat(2_000),
    detections,
    detail_url: 'https://risk.example.org/a',
    score_semantics: 'risk_0to100',
  });
  deliver();
  await expect.poll(() => received.length).toBe(1);
  const message = JSON.parse(received[0]!.body);
  expect(message.text).toBe('Scan completed, risk HIGH: 0xabc on ethereum');
  expect(message.blocks.map((block: { type: string }) => block.type)).toEqual([
    'header',
    'section',
    'section',
    'context',
  ]);
  expect(message.blocks[1].fields.map((field: { text: string }) => field.text)).toEqual([
    '*address*\n0xabc',
    '*chain*\nethereum',
    '*risk level*\nHIGH',
    `*note*\n${'n'.repeat(1_892)}…`,
  ]);
  expect(message.blocks[2].text.text).toContain('… and 2 more');
  expect(message.blocks[3].elements[1].text).toBe('<https://risk.example.org/a|Details>');
  expect(received[0]!.body).not.toContain('<!channel>');
  expect(received[0]!.body).not.toContain('<http://evil');
  expect(received[0]!.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
});
