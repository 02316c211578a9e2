import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/context.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { type Subscriber, startDeliverer } from '../../src/events/deliverer.ts';
import { claimDelivery } from '../../src/events/deliveries.ts';
import { deleteOldEvents, dispatchEvent, recordEvent, undispatchedEvents } from '../../src/events/outbox.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import { onBothStores } from '../records/on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const log = pino({ level: 'silent' });

async function start(open: () => Promise<Records>) {
  const records = await open();
  const time = { at: NOW };
  const ctx = { records, log, now: () => time.at } as unknown as Context;
  const newAccount = async () => (await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW)).id;
  const happen = (accountId: string, subject: string) =>
    recordEvent(records, { type: 'scan.completed', accountId, subject, data: { subject }, at: time.at });
  const listen = (
    deliver: Subscriber['deliver'],
    recipients: Subscriber['recipients'] = async () => ['desk'],
    lookMs = 5,
  ) => {
    const deliverer = startDeliverer(ctx, [{ name: 'webhook', recipients, deliver }], lookMs);
    onTestFinished(() => deliverer.stop());
    return deliverer;
  };
  const deliveries = () => records.selectFrom('deliveries').selectAll().orderBy('recipient').execute();
  const statuses = async () => (await deliveries()).map((delivery) => delivery.status);
  return { records, time, newAccount, happen, listen, deliveries, statuses };
}

onBothStores('the delivery of events', (open) => {
  it('reaches every recipient of an event once, whichever of many processes delivers it', async () => {
    const { newAccount, happen, listen, deliveries } = await start(open);
    const account = await newAccount();
    const got: string[] = [];
    // Who asks may count a mail of the day.
    const asked: string[] = [];
    for (let i = 0; i < 3; i++) {
      listen(
        async ({ delivery, event }) => {
          got.push(`${delivery.recipient} ${event.subject} ${event.payload}`);
          return { outcome: 'delivered', statusCode: 204 };
        },
        async (_records, { subject }) => {
          asked.push(subject);
          return ['first', 'second'];
        },
      );
    }
    for (let i = 0; i < 10; i++) await happen(account, `scan ${i}`);
    const expected = ['first', 'second'].flatMap((recipient) =>
      Array.from({ length: 10 }, (_, i) => `${recipient} scan ${i} {"subject":"scan ${i}"}`),
    );
    await expect.poll(() => [...got].sort()).toEqual(expected.sort());
    expect(asked).toHaveLength(10);
    // What was delivered is written a moment after it arrived.
    const isDone = { status: 'delivered', attempts: 1, status_code: 204, next_attempt_at: null };
    await expect.poll(deliveries).toEqual(Array(20).fill(expect.objectContaining(isDone)));
  });

  it('is lost with the transaction that caused it', async () => {
    const { records, newAccount, listen } = await start(open);
    const accountId = await newAccount();
    const event = { type: 'batch.completed', accountId, subject: 'a', data: {}, at: NOW } as const;
    const undone = records.transaction().execute(async (transaction) => {
      await recordEvent(transaction, event);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const got: string[] = [];
    listen(async (due) => {
      got.push(due.event.subject);
      return { outcome: 'delivered' };
    });
    await recordEvent(records, { ...event, subject: 'b' });
    await expect.poll(() => got).toEqual(['b']);
  });

  it('tries again after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h, each within a tenth, then gives up', async () => {
    const { newAccount, happen, listen, deliveries, time } = await start(open);
    const ids = new Set<string>();
    listen(async ({ delivery }) => {
      ids.add(delivery.id);
      return { outcome: 'failed', error: 'HTTP 500', statusCode: 500 };
    });
    await happen(await newAccount(), 'scan');
    const pauses = [
      5_000,
      30_000,
      2 * MINUTE_MS,
      10 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      6 * HOUR_MS,
      12 * HOUR_MS,
    ];
    for (const [i, pause] of pauses.entries()) {
      const ended = async () => {
        const [delivery] = await deliveries();
        // While an attempt is under way, its lease stands in place of the next one.
        return delivery?.tries === i + 1 && delivery.next_attempt_at !== time.at + 60_000;
      };
      await expect.poll(ended, { interval: 5 }).toBe(true);
      const [delivery] = await deliveries();
      expect(delivery).toMatchObject({ status: 'pending', attempts: i + 1, error: 'HTTP 500' });
      expect(Math.abs(delivery!.next_attempt_at! - time.at - pause)).toBeLessThanOrEqual(pause / 10);
      time.at = delivery!.next_attempt_at!;
    }
    await expect.poll(async () => (await deliveries())[0]!.status).toBe('exhausted');
    expect((await deliveries())[0]).toMatchObject({ attempts: 9, next_attempt_at: null });
    expect(ids.size).toBe(1);
  });

  it('waits as long as a recipient asks for, and never tries again what was refused', async () => {
    const { newAccount, happen, listen, deliveries, statuses } = await start(open);
    listen(
      async ({ delivery }) =>
        delivery.recipient === 'busy'
          ? { outcome: 'failed', error: 'HTTP 429', statusCode: 429, retryAfterMs: HOUR_MS }
          : { outcome: 'refused', error: 'HTTP 410', statusCode: 410 },
      async () => ['busy', 'gone'],
    );
    await happen(await newAccount(), 'scan');
    await expect.poll(statuses).toEqual(['pending', 'failed']);
    await expect.poll(async () => (await deliveries())[0]!.next_attempt_at).toBe(NOW + HOUR_MS);
    expect((await deliveries())[1]).toMatchObject({ attempts: 1, next_attempt_at: null, error: 'HTTP 410' });
  });

  it('is not held up by a slow recipient of the account, nor by a slow account', async () => {
    const { newAccount, happen, listen } = await start(open);
    const [slow, other] = [await newAccount(), await newAccount()];
    const hanging: (() => void)[] = [];
    const got: string[] = [];
    let most = 0;
    const deliverer = listen(
      async ({ delivery, event }) => {
        if (delivery.recipient === 'slow') {
          most = Math.max(most, hanging.length + 1);
          await new Promise<void>((resolve) => hanging.push(resolve));
        } else got.push(`${delivery.recipient} ${event.subject}`);
        return { outcome: 'delivered' };
      },
      async (_records, { account_id }) => (account_id === slow ? ['slow', 'quick'] : ['other']),
    );
    for (let i = 0; i < 50; i++) await happen(slow, `${i}`);
    for (let i = 0; i < 5; i++) await happen(other, `${i}`);
    await expect.poll(() => got.length).toBe(55);
    expect(most).toBe(2);
    const letGo = setInterval(() => {
      for (const resolve of hanging.splice(0)) resolve();
    }, 5);
    await deliverer.stop();
    clearInterval(letGo);
  });

  it('writes the deliveries of an event to 3,000 recipients', async () => {
    const { records, newAccount, happen, deliveries } = await start(open);
    await happen(await newAccount(), 'scan');
    const [event] = await undispatchedEvents(records, NOW, 1);
    const recipients = Array.from({ length: 3_000 }, (_, i) => ({ subscriber: 'webhook' as const, recipient: `${i}` }));
    await dispatchEvent(records, event!, async () => recipients, NOW);
    expect(await deliveries()).toHaveLength(3_000);
  });

  it('is not held up by events whose deliveries cannot be written; these are tried again later', async () => {
    const { newAccount, happen, listen, time } = await start(open);
    const account = await newAccount();
    let broken = true;
    const tried: string[] = [];
    const got: string[] = [];
    for (let i = 0; i < 150; i++) await happen(account, `bad ${i}`);
    time.at += 1;
    await happen(account, 'good');
    listen(
      async ({ event }) => {
        got.push(event.subject);
        return { outcome: 'delivered' };
      },
      async (_records, { subject }) => {
        if (broken && subject.startsWith('bad')) {
          tried.push(subject);
          throw new Error('no recipients');
        }
        return ['desk'];
      },
    );
    await expect.poll(() => got).toEqual(['good']);
    await sleep(50);
    expect(tried).toHaveLength(150);
    broken = false;
    time.at += 1_000;
    await expect.poll(() => got.length).toBe(151);
  });

  it('goes on as soon as an attempt ends, and takes new events while it is busy', async () => {
    const { newAccount, happen, listen } = await start(open);
    const account = await newAccount();
    const got: string[] = [];
    for (let i = 0; i < 20; i++) await happen(account, `early ${i}`);
    // The next look is far away: only the end of an attempt can wake the loop.
    listen(
      async ({ event }) => {
        if (got.length === 0) await happen(account, 'late');
        got.push(event.subject);
        return { outcome: 'delivered' };
      },
      undefined,
      3_600_000,
    );
    await expect.poll(() => got.length).toBeGreaterThanOrEqual(21);
    expect(got).toContain('late');
  });

  it('reaches recipients that answer while those of 40 accounts hang and then fail', async () => {
    const { newAccount, happen, listen, deliveries, time } = await start(open);
    const healthy = await newAccount();
    const hanging: (() => void)[] = [];
    const got: string[] = [];
    const deliverer = listen(
      async ({ delivery, event }) => {
        if (delivery.account_id === healthy) {
          got.push(event.subject);
          return { outcome: 'delivered' };
        }
        await new Promise<void>((resolve) => hanging.push(resolve));
        return { outcome: 'failed', error: 'No answer' };
      },
      async (_records, { account_id }) => [account_id],
    );
    const letGo = () => {
      for (const resolve of hanging.splice(0)) resolve();
    };
    // Each recipient fails once; from then on it is known.
    for (let i = 0; i < 40; i++) await happen(await newAccount(), 'first');
    const failed = async () => {
      letGo();
      return (await deliveries()).filter(({ error }) => error !== null).length;
    };
    await expect.poll(failed).toBe(40);
    time.at += MINUTE_MS;
    await expect.poll(() => hanging.length).toBe(8);
    for (let i = 0; i < 10; i++) await happen(healthy, `${i}`);
    await expect.poll(() => got.length).toBe(10);
    expect(hanging).toHaveLength(8);
    const releasing = setInterval(letGo, 5);
    await deliverer.stop();
    clearInterval(releasing);
  });

  it('reaches recipients that answer while 48 attempts to new endpoints hang', async () => {
    const { newAccount, happen, listen } = await start(open);
    const healthy = await newAccount();
    const hanging: (() => void)[] = [];
    const got: string[] = [];
    const deliverer = listen(
      async ({ delivery, event }) => {
        if (delivery.account_id === healthy) got.push(event.subject);
        else await new Promise<void>((resolve) => hanging.push(resolve));
        return { outcome: 'delivered' };
      },
      async (_records, { account_id }) => [`${account_id} a`, `${account_id} b`],
    );
    for (let account = 0; account < 12; account++) {
      const id = await newAccount();
      for (let i = 0; i < 4; i++) await happen(id, 'hang');
    }
    await expect.poll(() => hanging.length).toBe(48);
    for (let i = 0; i < 5; i++) await happen(healthy, `${i}`);
    await expect.poll(() => got.length).toBe(10);
    const releasing = setInterval(() => {
      for (const resolve of hanging.splice(0)) resolve();
    }, 5);
    await deliverer.stop();
    clearInterval(releasing);
  });

  it('serves accounts in turn, however long the backlog of one is', async () => {
    const { newAccount, happen, listen, time } = await start(open);
    const accounts = [await newAccount(), await newAccount(), await newAccount()];
    for (let i = 0; i < 100; i++) await happen(accounts[0]!, 'backlog');
    time.at += 1;
    for (const account of accounts.slice(1)) await happen(account, 'new');
    const got: string[] = [];
    listen(
      async ({ event }) => {
        got.push(event.subject);
        await sleep(1);
        return { outcome: 'delivered' };
      },
      async (_records, { account_id }) => [account_id],
    );
    await expect.poll(() => got.length).toBe(102);
    expect(got.lastIndexOf('new')).toBeLessThan(20);
  });

  it('repeats the attempt of a process that died, under the same id', async () => {
    const { records, newAccount, happen, listen, deliveries, time } = await start(open);
    await happen(await newAccount(), 'scan');
    const [event] = await undispatchedEvents(records, NOW, 1);
    await dispatchEvent(records, event!, async () => [{ subscriber: 'webhook', recipient: 'desk' }], NOW);
    const [created] = await deliveries();
    expect(await claimDelivery(records, created!, NOW)).toBeDefined();
    expect(await claimDelivery(records, created!, NOW)).toBeUndefined();
    const got: string[] = [];
    listen(async ({ delivery }) => {
      got.push(delivery.id);
      return { outcome: 'delivered' };
    });
    await sleep(50);
    expect(got).toEqual([]);
    time.at += MINUTE_MS;
    await expect.poll(() => got).toEqual([created!.id]);
    await expect.poll(deliveries).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  it('is forgotten once it is old and nothing of it is pending', async () => {
    const { records, newAccount, happen, listen, statuses, time } = await start(open);
    const account = await newAccount();
    listen(
      async ({ delivery }) =>
        delivery.recipient === 'ok' ? { outcome: 'delivered' } : { outcome: 'failed', error: 'down' },
      async (_records, event) => [event.subject],
    );
    await happen(account, 'ok');
    await happen(account, 'down');
    await expect.poll(statuses).toEqual(['pending', 'delivered']);
    await deleteOldEvents(records, time.at);
    expect(await statuses()).toEqual(['pending', 'delivered']);
    await deleteOldEvents(records, time.at + 1);
    expect(await statuses()).toEqual(['pending']);
    expect(await records.selectFrom('events').select('subject').execute()).toEqual([{ subject: 'down' }]);
  });
});
