import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { claimDelivery, type DueDelivery, finishAttempt } from '../../src/events/deliveries.ts';
import { replayDelivery } from '../../src/events/delivery-log.ts';
import { accountsInTurn, dueQueues } from '../../src/events/delivery-queues.ts';
import { dispatchEvent, newDelivery, postponeEvent, recordEvent, undispatchedEvents } from '../../src/events/outbox.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import { onBothStores } from '../records/on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const DOWN = { outcome: 'failed', error: 'HTTP 500', statusCode: 500 } as const;

async function start(open: () => Promise<Records>) {
  const records = await open();
  const accountId = (await createAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW)).id;
  const key = { account_id: accountId, recipient: 'desk' };
  const happen = async (
    recipients: string[],
    type: 'scan.completed' | 'watchlist.alert' = 'scan.completed',
    at = NOW,
  ) => {
    await recordEvent(records, { type, accountId, subject: 'a', data: {}, at });
    for (const event of await undispatchedEvents(records, at, 10)) {
      const to = recipients.map((recipient) => ({ subscriber: 'webhook' as const, recipient }));
      await dispatchEvent(records, event, async () => to, at);
    }
  };
  const claim = (now: number) => claimDelivery(records, key, now);
  const fail = async ({ delivery }: DueDelivery, now: number) => finishAttempt(records, delivery, DOWN, now);
  const queue = () => records.selectFrom('delivery_queues').selectAll().executeTakeFirstOrThrow();
  const deliveries = () => records.selectFrom('deliveries').selectAll().orderBy('id').execute();
  /** Fails three times in a row. */
  const breakDown = async () => {
    for (let n = 0; n < 3; n++) await fail((await claim(NOW))!, NOW);
  };
  return { records, accountId, key, happen, claim, fail, queue, deliveries, breakDown };
}

onBothStores('an event whose deliveries cannot be written', (open) => {
  it('waits as long as it has waited before, one second at least and an hour at most', async () => {
    const { records, accountId } = await start(open);
    await recordEvent(records, { type: 'scan.completed', accountId, subject: 'a', data: {}, at: NOW });
    const [event] = await undispatchedEvents(records, NOW, 1);
    for (const [waited, pause] of [
      [10, 1_000],
      [5 * MINUTE_MS, 5 * MINUTE_MS],
      [48 * HOUR_MS, HOUR_MS],
    ] as const) {
      await postponeEvent(records, event!, NOW + waited);
      const triedAfter = async (ms: number) => (await undispatchedEvents(records, NOW + waited + ms, 1)).length;
      expect([await triedAfter(pause - 1), await triedAfter(pause)]).toEqual([0, 1]);
    }
  });
});

onBothStores('the queue of a recipient', (open) => {
  it('begins several deliveries at once while the recipient answers, or failed no more than twice', async () => {
    const { happen, claim, fail } = await start(open);
    for (let n = 0; n < 5; n++) await happen(['desk']);
    const first = [(await claim(NOW))!, (await claim(NOW))!];
    for (const due of first) await fail(due, NOW);
    expect(await claim(NOW)).toBeDefined();
    expect(await claim(NOW)).toBeDefined();
  });

  it('probes a recipient that keeps failing by one delivery at a time, ever more rarely, and writes none of the others', async () => {
    const { happen, claim, fail, deliveries, breakDown } = await start(open);
    for (let n = 0; n < 20; n++) await happen(['desk']);
    await breakDown();
    expect(await claim(NOW)).toBeUndefined();
    const before = new Map((await deliveries()).map((row) => [row.id, row]));
    let now = NOW;
    for (const pauseMs of [4_500, 27_000, 108_000, 540_000, 540_000, 540_000]) {
      expect(await claim(now + pauseMs - 1)).toBeUndefined();
      now += pauseMs;
      const claims = await Promise.all(Array.from({ length: 5 }, () => claim(now)));
      const [probe, ...others] = claims.filter(Boolean);
      expect(others).toEqual([]);
      expect(await claim(now + 1_000)).toBeUndefined();
      await fail(probe!, now);
    }
    const changed = (await deliveries()).filter((row) => row.attempts !== before.get(row.id)!.attempts);
    expect(changed).toHaveLength(6);
    const untouched = (await deliveries()).filter((row) => !changed.some(({ id }) => id === row.id));
    for (const row of untouched) expect(row).toEqual(before.get(row.id));
  });

  it('keeps new deliveries waiting for the probe, and begins all once one was answered', async () => {
    const { happen, claim, records, queue, breakDown } = await start(open);
    for (let n = 0; n < 6; n++) await happen(['desk']);
    await breakDown();
    await happen(['desk'], 'watchlist.alert');
    expect(await claim(NOW)).toBeUndefined();
    const now = NOW + 4_500;
    const probe = (await claim(now))!;
    expect(probe.delivery.tries).toBe(1);
    await finishAttempt(records, probe.delivery, { outcome: 'delivered', statusCode: 200 }, now);
    expect(await queue()).toMatchObject({ failing: 0, failures: 0, hold_until: 0 });
    for (let n = 0; n < 3; n++) expect(await claim(now)).toBeDefined();
  });

  it('is not blocked by one delivery that is never taken, and repeats the probe of a process that died', async () => {
    const { happen, claim, fail, breakDown } = await start(open);
    for (let n = 0; n < 5; n++) await happen(['desk']);
    await breakDown();
    const lost = (await claim(NOW + 4_500))!;
    const later = NOW + 4_500 + MINUTE_MS;
    expect(await claim(later - 1)).toBeUndefined();
    const next = (await claim(later))!;
    expect(next).toBeDefined();
    await fail(next, later);
    expect(await fail(lost, later)).toBeDefined();
  });

  it('shows failing and answering recipients of an account apart, so that neither hides the other', async () => {
    const { records, accountId, happen } = await start(open);
    const failing = Array.from({ length: 50 }, (_, n) => `down ${n}`);
    await happen(failing);
    for (const recipient of failing) {
      const due = (await claimDelivery(records, { account_id: accountId, recipient }, NOW))!;
      await finishAttempt(records, due.delivery, DOWN, NOW);
    }
    const now = NOW + HOUR_MS;
    await happen(['well'], 'scan.completed', now);
    const find = async (state: number) =>
      (await dueQueues(records, { accountId, failing: state, limit: 4 }, now)).length;
    expect([await find(0), await find(1)]).toEqual([1, 4]);
    const turn = (state: number[], after = '') => accountsInTurn(records, { after, failing: state, limit: 10 }, now);
    expect(await turn([0])).toEqual([accountId]);
    expect(await turn([0, 1], accountId)).toEqual([]);
    expect(await accountsInTurn(records, { after: '', failing: [0, 1], limit: 10 }, NOW)).toEqual([]);
  });

  it('gives up the oldest scans beyond 100,000 waiting deliveries of an account, never alerts; they can be replayed', async () => {
    const { records, accountId, happen, claim } = await start(open);
    await happen(['desk'], 'watchlist.alert', NOW - 3);
    await happen(['desk'], 'scan.completed', NOW - 2);
    const event = await records
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'scan.completed')
      .executeTakeFirstOrThrow();
    const one = newDelivery(event, { subscriber: 'webhook', recipient: 'many' }, NOW);
    await records.insertInto('deliveries').values(one).execute();
    const columns = Object.keys(one).map((name) =>
      name === 'id' || name === 'recipient' ? sql`${sql.ref(name)} || n` : sql.ref(name),
    );
    // In slices, so that each statement ends in its time on a busy machine too.
    for (let from = 1; from <= 100_000 - 3; from += 10_000) {
      const to = Math.min(from + 9_999, 100_000 - 3);
      await sql`with recursive numbers (n) as (select cast(${from} as integer) union all select n + 1 from numbers where n < ${to})
        insert into deliveries (${sql.join(Object.keys(one).map((name) => sql.ref(name)))})
        select ${sql.join(columns)} from deliveries, numbers where id = ${one.id}`.execute(records);
    }
    const exhausted = () => records.selectFrom('deliveries').selectAll().where('status', '=', 'exhausted').execute();
    expect(await exhausted()).toEqual([]);
    await happen(['desk'], 'watchlist.alert');
    const [oldest, ...others] = await exhausted();
    expect(others).toEqual([]);
    expect(oldest).toMatchObject({
      created_at: NOW - 2,
      next_attempt_at: null,
      error: 'More than 100,000 deliveries of the account waited',
    });
    await claim(NOW);
    await claim(NOW);
    expect(await replayDelivery(records, oldest!, NOW)).toBe(true);
    expect((await claim(NOW))!.delivery.id).toBe(oldest!.id);
    expect(accountId).toBe(oldest!.account_id);
  }, 120_000);
});
