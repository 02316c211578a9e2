import { expect, it } from 'vitest';
import { PLANS } from '../../../src/plans.ts';
import { topUp } from '../../../src/records/accounts/accounts.ts';
import { reserveScans, settleScans } from '../../../src/records/accounts/quota.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';

const usage = async (test: TestApp, key: string) =>
  (await test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': key } })).json();

it('answers exactly the fields of the contract', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('business');
  await topUp(test.ctx.records, accountId, 25);
  const request = { accountId, plan: PLANS.business, now: test.time.at, leaseMs: 60_000 };
  const { id } = await reserveScans(test.ctx.records, { ...request, units: 4 });
  await settleScans(test.ctx.records, id, 3);
  expect(await usage(test, key)).toEqual({
    plan_id: 'business',
    scans_per_month: 3_000,
    scans_used: 3,
    scans_remaining: 2_997,
    topup_remaining: 25,
    period: '2026-11',
    period_reset_at: '2026-12-01T00:00:00.000Z',
    api_rate_limit_per_min: 120,
    presign_rate_limit_per_min: 480,
    batch_limit: 200,
    watchlist_limit: 100,
    webhook_limit: 5,
    stored_bytes: 0,
    stored_bytes_limit: 15 * 2 ** 30,
    live_limit: 100,
  });
});

it('shows -1 where a plan is unlimited and 0 where it has none', async () => {
  const test = await openTestApp();
  const enterprise = await usage(test, (await test.issue('enterprise')).key);
  expect(enterprise).toMatchObject({
    scans_per_month: -1,
    scans_remaining: -1,
    watchlist_limit: -1,
    webhook_limit: -1,
  });
  expect(await usage(test, (await test.issue('free')).key)).toMatchObject({ batch_limit: 0, webhook_limit: 0 });
});

it('starts again with the UTC month and keeps the top-up', async () => {
  const test = await openTestApp();
  test.time.at = Date.parse('2026-12-31T23:59:30Z');
  const { key, accountId } = await test.issue('free');
  await topUp(test.ctx.records, accountId, 2);
  const request = { accountId, plan: PLANS.free, now: test.time.at, leaseMs: 3_600_000 };
  await reserveScans(test.ctx.records, { ...request, units: 10 });
  expect(await usage(test, key)).toMatchObject({ scans_used: 10, scans_remaining: 0, period: '2026-12' });
  test.time.at += 30_000;
  expect(await usage(test, key)).toMatchObject({
    scans_used: 0,
    scans_remaining: 10,
    topup_remaining: 2,
    period: '2027-01',
    period_reset_at: '2027-02-01T00:00:00.000Z',
  });
});
