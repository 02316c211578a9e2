import { expect, it } from 'vitest';
import { startScheduler } from '../../src/jobs/scheduler.ts';
import { PLANS } from '../../src/plans.ts';
import { readQuota, reserveScans } from '../../src/records/accounts/quota.ts';
import { PERIODIC_WORK } from '../../workers/workers.ts';
import { openTestApp } from '../app/test-app.ts';

it('does each work once in its period, and again in the next', async () => {
  const { ctx, time } = await openTestApp();
  const turns: string[] = [];
  const work = [
    { name: 'minute', everyMs: 60_000, run: async () => turns.push('minute') },
    { name: 'hour', everyMs: 3_600_000, run: async () => turns.push('hour') },
  ];
  const schedulers = [startScheduler(ctx, work, 5), startScheduler(ctx, work, 5)];
  await expect.poll(() => turns).toEqual(['minute', 'hour']);
  time.at += 60_000;
  await expect.poll(() => turns).toEqual(['minute', 'hour', 'minute']);
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  expect(turns).toEqual(['minute', 'hour', 'minute']);
});

it('lets no process begin work that goes on in another beyond its period, and has the next turn when it is due', async () => {
  const { ctx, time } = await openTestApp();
  const ends: (() => void)[] = [];
  const work = [{ name: 'long', everyMs: 60_000, run: () => new Promise<void>((end) => ends.push(end)) }];
  const schedulers = [startScheduler(ctx, work, 5), startScheduler(ctx, work, 5)];
  await expect.poll(() => ends.length).toBe(1);
  const nextAt = async () => (await ctx.records.selectFrom('periodic_work').selectAll().execute())[0]!.next_at;
  for (let minutes = 0; minutes < 5; minutes += 0.5) {
    time.at += 30_000;
    await expect.poll(nextAt).toBe(time.at + 60_000);
  }
  expect(ends).toHaveLength(1);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
});

it('goes on after work that fails, and logs it', async () => {
  const test = await openTestApp();
  const turns: string[] = [];
  const work = [
    { name: 'failing', everyMs: 1_000, run: () => Promise.reject(new Error('a reason')) },
    { name: 'next', everyMs: 1_000, run: async () => turns.push('next') },
  ];
  const scheduler = startScheduler(test.ctx, work, 5);
  await expect.poll(() => turns).toEqual(['next']);
  await scheduler.stop();
  expect(test.logged()).toContain('a reason');
});

it('gives back what dead processes had reserved', async () => {
  const { ctx, time, issue } = await openTestApp();
  const { accountId } = await issue('pro');
  await reserveScans(ctx.records, { accountId, plan: PLANS.pro, units: 3, now: time.at, leaseMs: 1_000 });
  time.at += 2_000;
  const scheduler = startScheduler(ctx, PERIODIC_WORK, 5);
  const open = () => ctx.records.selectFrom('quota_reservations').select('state').execute();
  await expect.poll(open).toEqual([{ state: 'released' }]);
  await scheduler.stop();
  expect(await readQuota(ctx.records, accountId, time.at)).toEqual({ used: 0, topupRemaining: 0 });
});
