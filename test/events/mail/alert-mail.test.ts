import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import { startDeliverer } from '../../../src/events/deliverer.ts';
import { mailDigests, mailSubscriber } from '../../../src/events/mail/mail-subscriber.ts';
import { recordEvent } from '../../../src/events/outbox.ts';
import { allowMails } from '../../../src/questions/account/mail-recipients.ts';
import { openTestApp } from '../../app/test-app.ts';
import { startMailServer } from './mail-server.ts';

async function openDesk() {
  const mail = await startMailServer();
  const test = await openTestApp({ SMTP_URL: `smtp://${mail.host}`, BASE_URL: 'https://risk.example.org' });
  const { key, accountId } = await test.issue('pro');
  const { ctx } = test;
  const ask = async (method: 'GET' | 'PUT', payload?: object) =>
    (await test.app.inject({ method, url: '/api/v1/alert-mails', headers: { 'x-api-key': key }, payload })).json();
  const to = (address: string) => mail.received.filter((one) => one.to.includes(address));
  const raise = (address: string) => {
    const data = { reason: 'high_risk', item_id: 'i', address, chain: 'ethereum', risk_level: 'HIGH', risk_score: 80 };
    const event = { type: 'watchlist.alert', accountId, subject: 'i', data, at: ctx.now() } as const;
    return recordEvent(ctx.records, event);
  };
  /** Delivers until no event and no delivery waits. */
  const deliver = async () => {
    const deliverer = startDeliverer(ctx, [mailSubscriber(ctx)], 20);
    const waiting = async () => {
      const events = await ctx.records.selectFrom('events').select('id').where('dispatched_at', 'is', null).execute();
      const pending = ctx.records.selectFrom('deliveries').select('id').where('status', '=', 'pending');
      return events.length + (await pending.execute()).length;
    };
    await expect.poll(waiting).toBe(0);
    await deliverer.stop();
  };
  const allow = (address: string) => allowMails(ctx.records, { accountId, address }, ctx.now());
  return { ...test, ask, to, raise, deliver, allow };
}

it('mails an alert at once to who said yes, and asks who did not', async () => {
  const { ask, to, raise, deliver, allow } = await openDesk();
  await allow('ana@example.org');
  const recipients = [
    { address: 'Ana@example.org', rhythm: 'at_once' },
    { address: 'ben@example.org', rhythm: 'at_once' },
  ];
  expect(await ask('PUT', { recipients })).toEqual({
    recipients: [
      { address: 'ana@example.org', rhythm: 'at_once', state: 'active' },
      { address: 'ben@example.org', rhythm: 'at_once', state: 'not_confirmed' },
    ],
  });
  expect(to('ben@example.org').map(({ text }) => text)).toEqual([expect.stringContaining('Do you want these mails?')]);
  await raise('0x1');
  await deliver();
  expect(to('ana@example.org').map(({ text }) => text)).toEqual([
    expect.stringContaining('Subject: Alert: A watched address is of high risk'),
  ]);
  expect(to('ben@example.org')).toHaveLength(1);
});

it('mails a digest a day of what was raised since the last, and none where nothing was', async () => {
  const { ctx, time, ask, to, raise, deliver, allow } = await openDesk();
  await allow('desk@example.org');
  await ask('PUT', { recipients: [{ address: 'desk@example.org', rhythm: 'daily' }] });
  time.at += HOUR_MS;
  await raise('0x1');
  await raise('0x2');
  await deliver();
  await mailDigests(ctx);
  expect(to('desk@example.org')).toEqual([]);
  time.at += DAY_MS;
  await mailDigests(ctx);
  await mailDigests(ctx);
  const [digest, ...others] = to('desk@example.org');
  expect(digest!.text).toContain('Subject: 2 alerts since');
  expect(digest!.text).toContain('0x1 on ethereum');
  expect(others).toEqual([]);
  time.at += DAY_MS;
  await mailDigests(ctx);
  expect(to('desk@example.org')).toHaveLength(1);
});

it('keeps what is beyond 20 mails a day for the next digest', async () => {
  const { ctx, time, ask, to, raise, deliver, allow } = await openDesk();
  await allow('desk@example.org');
  await ask('PUT', { recipients: [{ address: 'desk@example.org', rhythm: 'at_once' }] });
  time.at += 1;
  for (let i = 0; i < 22; i++) await raise(`0x${i}`);
  await deliver();
  expect(to('desk@example.org')).toHaveLength(20);
  time.at += DAY_MS;
  await mailDigests(ctx);
  expect(to('desk@example.org').at(-1)!.text).toContain('Subject: 22 alerts since');
});

it('mails no alert that waited to who was taken off meanwhile', async () => {
  const { ctx, ask, to, raise, allow } = await openDesk();
  for (const address of ['ana@example.org', 'ben@example.org']) await allow(address);
  const [ana, ben] = ['ana@example.org', 'ben@example.org'].map((address) => ({ address, rhythm: 'at_once' }));
  await ask('PUT', { recipients: [ana, ben] });
  await raise('0x1');
  const event = await ctx.records.selectFrom('events').selectAll().executeTakeFirstOrThrow();
  const { recipients, deliver } = mailSubscriber(ctx);
  const waiting = await recipients(ctx.records, event);
  expect(waiting).toEqual(['ana@example.org', 'ben@example.org']);
  await ask('PUT', { recipients: [ben] });
  const outcomes = [];
  for (const recipient of waiting) {
    const delivery = { recipient } as Parameters<typeof deliver>[0]['delivery'];
    outcomes.push((await deliver({ delivery, event } as Parameters<typeof deliver>[0])).outcome);
  }
  expect(outcomes).toEqual(['refused', 'delivered']);
  expect([to('ana@example.org').length, to('ben@example.org').length]).toEqual([0, 1]);
});
