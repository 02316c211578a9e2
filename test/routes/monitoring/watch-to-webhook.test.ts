import { createHmac } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { HOUR_MS } from '../../../src/domain/time.ts';
import { startScheduler } from '../../../src/jobs/scheduler.ts';
import { PERIODIC_WORK, startWorkers } from '../../../workers/workers.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';
import { LOCAL_WEBHOOKS, startReceiver } from '../../events/receiver.ts';
import { putLabels } from '../../labels/label-of.ts';

serveWorld();

it('a label change on a watched address reaches a receiver as a signed risk.critical_detected', async () => {
  const { app, ctx, time, headers } = await openApp(LOCAL_WEBHOOKS);
  const workers = startWorkers(ctx);
  const scheduler = startScheduler(ctx, PERIODIC_WORK, 5);
  onTestFinished(async () => {
    await scheduler.stop();
    await workers.stop();
  });
  const key = await headers('pro');
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `/api/v1${url}`, headers: key, payload })).json();
  const { received, url } = await startReceiver();
  const { secret } = await post('/webhooks/configs', { webhook_url: url, events: ['risk.critical_detected'] });
  const address = roleOf(world, 'ethereum', 'clean_saver').address;
  await post('/watchlist', { address });
  const watched = async () => (await app.inject({ url: '/api/v1/watchlist', headers: key })).json().items[0];
  await expect.poll(async () => (await watched()).last_risk_level, { interval: 500 }).toBe('LOW');

  time.at += HOUR_MS;
  const label = {
    ...world.labels[0]!,
    chain: 'ethereum' as const,
    address,
    category: 'sanctioned' as const,
    validTo: null,
  };
  await putLabels(ctx.labels, [label]);
  time.at += 60_000;
  await expect.poll(() => received.length).toBe(1);
  const [{ headers: sent, body }] = received as [(typeof received)[0]];
  expect(sent['x-service-event']).toBe('risk.critical_detected');
  expect(sent['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  expect(JSON.parse(body)).toMatchObject({
    event: 'risk.critical_detected',
    data: { address, previous_risk_level: 'LOW', risk_level: 'CRITICAL', cause: 'labels' },
  });
});
