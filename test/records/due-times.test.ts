import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { claimDelivery, finishAttempt } from '../../src/events/deliveries.ts';
import { dispatchEvent, recordEvent, undispatchedEvents } from '../../src/events/outbox.ts';
import { PLANS } from '../../src/plans.ts';
import { addItem } from '../../src/questions/monitoring/manage-watchlist.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { postponeJob } from '../../src/records/jobs/job-leases.ts';
import { insertJob } from '../../src/records/jobs/jobs.ts';
import { bringTurnForward, takeTurn } from '../../src/records/jobs/periodic-work.ts';
import { claimItem } from '../../src/records/monitoring/watch-queue.ts';
import { updateItem } from '../../src/records/monitoring/watchlist.ts';
import { bringDueTimesForward } from '../../workers/cleaning.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const AHEAD = NOW + 40 * DAY_MS;
const JOB_LEASE_MS = 30_000;

async function start(open: () => Promise<Records>) {
  const records = await open();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const at = (now: number) => ({ records, log, config: { JOB_LEASE_MS }, now: () => now }) as unknown as Context;
  const correct = (now = NOW) => bringDueTimesForward.run(at(now));
  const accountId = (await createAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW)).id;
  return { records, lines, correct, accountId };
}

onBothStores('what a clock that was 40 days ahead left behind', (open) => {
  it('is a watched address: scanned again after its interval, and taken from a holder that died', async () => {
    const { records, lines, correct, accountId } = await start(open);
    const watch = (address: string, nextScanAt: number) =>
      addItem(
        records,
        { accountId, keyId: null, plan: PLANS.enterprise },
        { chain: 'ethereum', address, label: '', follow_mode_enabled: false, follow_depth: 1 } as never,
        { now: NOW, nextScanAt },
      );
    const scanned = await watch('0xa', AHEAD);
    await updateItem(records, scanned.id, { last_scanned_at: AHEAD, taken_at: AHEAD });
    const unscanned = await watch('0xb', AHEAD);
    const tomorrow = await watch('0xc', NOW + DAY_MS);
    const held = await watch('0xd', NOW);
    expect((await claimItem(records, ['ethereum'], NOW, AHEAD))!.id).toBe(held.id);
    await correct();
    const row = (id: string) =>
      records.selectFrom('watchlist_items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const intervalMs = PLANS.enterprise.rescanMinutes * MINUTE_MS;
    expect((await row(scanned.id)).next_scan_at).toBe(NOW + intervalMs);
    expect((await row(unscanned.id)).next_scan_at).toBe(NOW + intervalMs);
    expect((await row(tomorrow.id)).next_scan_at).toBe(NOW + DAY_MS);
    expect((await row(held.id)).busy_until).toBe(NOW + MINUTE_MS);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"watched":3');
    await correct(NOW + 1);
    expect(lines).toHaveLength(1);
  });

  it('is a delivery: tried at once, or after its own pause, also where its recipient keeps failing', async () => {
    const { records, lines, correct, accountId } = await start(open);
    const key = (recipient: string) => ({ account_id: accountId, recipient });
    const happen = async (at: number, recipient: string) => {
      await recordEvent(records, { type: 'scan.completed', accountId, subject: 'a', data: {}, at });
      const [event] = await undispatchedEvents(records, at, 1);
      await dispatchEvent(records, event!, async () => [{ subscriber: 'webhook', recipient }], at);
    };
    const attempt = async (recipient: string, at: number, retryAfterMs = 0) => {
      const { delivery } = (await claimDelivery(records, key(recipient), at))!;
      await finishAttempt(records, delivery, { outcome: 'failed', error: 'down', retryAfterMs }, at);
    };
    await happen(AHEAD, 'new');
    await happen(AHEAD, 'tried');
    await attempt('tried', AHEAD);
    await happen(AHEAD, 'lost');
    await claimDelivery(records, key('lost'), AHEAD);
    for (let n = 0; n < 6; n++) await happen(AHEAD, 'down');
    for (const at of [AHEAD, AHEAD, AHEAD, AHEAD + HOUR_MS, AHEAD + 2 * HOUR_MS]) await attempt('down', at);
    await happen(NOW, 'asks for later');
    await attempt('asks for later', NOW, 12 * HOUR_MS);
    const due = async (recipient: string) =>
      Number(
        (
          await records
            .selectFrom('delivery_queues')
            .selectAll()
            .where('recipient', '=', recipient)
            .executeTakeFirstOrThrow()
        ).due_at,
      );
    expect(await due('new')).toBe(AHEAD);
    await correct();
    expect(await due('new')).toBe(NOW);
    expect(Math.abs((await due('tried')) - NOW - 5_000)).toBeLessThanOrEqual(500);
    expect(await due('lost')).toBe(NOW + 60_000);
    expect(await due('down')).toBeLessThanOrEqual(NOW + 10 * MINUTE_MS);
    expect(await due('asks for later')).toBe(NOW + 12 * HOUR_MS);
    expect(await claimDelivery(records, key('new'), NOW)).toBeDefined();
    expect(lines).toHaveLength(1);
    await correct(NOW + 1_000);
    expect(lines).toHaveLength(1);
  });

  it('is a job: claimed within its pause, or its lease and pause', async () => {
    const { records, lines, correct, accountId } = await start(open);
    const add = () => insertJob(records, { accountId, type: 'batch_scan', input: {}, total: 1 }, AHEAD);
    const claim = (now: number) => claimJob(records, { type: 'batch_scan', lanes: ['any'] }, now, JOB_LEASE_MS);
    await add();
    await postponeJob(records, (await claim(AHEAD))!, AHEAD);
    await add();
    const lost = (await claim(AHEAD))!;
    await add();
    await correct();
    expect(lines[0]).toContain('"jobs":3');
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await claim(NOW + JOB_LEASE_MS + 10_000))?.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain(lost.id);
  });

  it('is an event that was postponed, and periodic work: due after one period', async () => {
    const { records, correct, accountId } = await start(open);
    const id = await recordEvent(records, { type: 'scan.completed', accountId, subject: 'a', data: {}, at: NOW });
    await records.updateTable('events').set({ dispatch_after: AHEAD }).where('id', '=', id).execute();
    await correct();
    expect(await undispatchedEvents(records, NOW + HOUR_MS, 1)).toHaveLength(1);
    expect(await takeTurn(records, 'work', MINUTE_MS, AHEAD)).toBe(true);
    expect(await bringTurnForward(records, 'work', MINUTE_MS, NOW)).toBe(true);
    expect(await bringTurnForward(records, 'work', MINUTE_MS, NOW)).toBe(false);
    expect(await takeTurn(records, 'work', MINUTE_MS, NOW)).toBe(false);
    expect(await takeTurn(records, 'work', MINUTE_MS, NOW + MINUTE_MS)).toBe(true);
  });
});
