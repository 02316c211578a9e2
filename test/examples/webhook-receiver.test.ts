import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { createReceiver, type WebhookEvent } from '../../examples/webhook-receiver/receiver.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { signatureHeaders } from '../../src/events/webhook/send.ts';
import { PLANS } from '../../src/plans.ts';
import {
  createWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../src/questions/monitoring/manage-webhooks.ts';
import { openTestApp } from '../app/test-app.ts';
import { LOCAL_WEBHOOKS } from '../events/receiver.ts';

async function newEndpoint() {
  const { ctx, issue, time } = await openTestApp(LOCAL_WEBHOOKS);
  const tenant = { ...(await issue('pro')), planId: 'pro' as const, plan: PLANS.pro };
  const { config, secret } = await createWebhook(ctx, tenant, { webhook_url: 'http://127.0.0.1:1/' });
  return {
    secret,
    moveTo: (port: number) => updateWebhook(ctx, tenant, config.id, { webhook_url: `http://127.0.0.1:${port}/` }),
    rotate: () => rotateWebhookSecret(ctx, tenant, config.id),
    test: () => testWebhook(ctx, tenant, config.id),
    pass: (ms: number) => {
      time.at += ms;
    },
  };
}

const forged = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: '{"event":"scan.completed","timestamp":"","data":{}}',
    headers: { 'x-service-signature': `sha256=${'0'.repeat(64)}`, 'x-service-delivery': 'a' },
  });

/** A signed body under another id in the header, as somebody who recorded it could send it. */
const replayed = (port: number, secret: string, id: string) => {
  const body = JSON.stringify({ id, event: 'risk.changed', timestamp: '', data: {} });
  const headers = {
    ...signatureHeaders({ id, body, timestamp: 0 }, [secret]),
    'x-service-delivery': randomUUID(),
  };
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
};

it('the TypeScript receiver accepts what is signed, also during a rotation, and nothing else', async () => {
  const { secret, moveTo, rotate, test, pass } = await newEndpoint();
  const events: WebhookEvent[] = [];
  const server = createReceiver(secret, (event) => void events.push(event)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await moveTo(port);
  expect(await test()).toMatchObject({ success: true, status_code: 204 });
  await rotate();
  expect(await test()).toMatchObject({ success: true });
  pass(DAY_MS);
  expect(await test()).toEqual({ success: false, status_code: 401, error: 'HTTP 401' });
  expect((await forged(port)).status).toBe(401);
  for (let i = 0; i < 2; i++) expect((await replayed(port, secret, 'a')).status).toBe(204);
  expect(events.map(({ event }) => event)).toEqual(['scan.completed', 'scan.completed', 'risk.changed']);
});

it('the Python receiver accepts what is signed, also during a rotation, and nothing else', async ({ skip }) => {
  const { secret, moveTo, rotate, test, pass } = await newEndpoint();
  const python = spawn('python3', ['examples/webhook-receiver/receiver.py'], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void python.kill());
  const lines: string[] = [];
  const first = new Promise<string | null>((resolve) => {
    python.once('error', () => resolve(null));
    createInterface({ input: python.stdout }).on('line', (line) => {
      lines.push(line);
      resolve(lines[0]!);
    });
  });
  const greeting = await first;
  if (greeting === null) return skip('python3 is not installed');
  const port = Number(greeting.match(/:(\d+)\/$/)![1]);
  await moveTo(port);
  expect(await test()).toMatchObject({ success: true, status_code: 204 });
  await rotate();
  expect(await test()).toMatchObject({ success: true });
  pass(DAY_MS);
  expect(await test()).toEqual({ success: false, status_code: 401, error: 'HTTP 401' });
  expect((await forged(port)).status).toBe(401);
  for (let i = 0; i < 2; i++) expect((await replayed(port, secret, 'a')).status).toBe(204);
  await expect.poll(() => lines.filter((line) => line.includes('scan.completed'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('risk.changed'))).toHaveLength(1);
});
