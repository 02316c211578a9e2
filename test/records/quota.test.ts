import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PLANS } from '../../src/plans.ts';
import { createAccount, topUp } from '../../src/records/accounts/accounts.ts';
import {
  readQuota,
  releaseExpired,
  releaseScans,
  renewReservation,
  reserveScans,
  settleScans,
} from '../../src/records/accounts/quota.ts';
import type { Records } from '../../src/records/database/database.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const LEASE_MS = 60_000;

async function account(records: Records, topup = 0): Promise<string> {
  const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  if (topup > 0) await topUp(records, id, topup);
  return id;
}

async function settled(records: Records, id: string, units: number): Promise<boolean> {
  return settleScans(records, id, units).then(
    () => true,
    () => false,
  );
}

onBothStores('the scan quota', (open) => {
  it('spends the plan first, then the top-up, and refuses with the fixed texts', async () => {
    const records = await open();
    const accountId = await account(records, 3);
    const request = { accountId, plan: PLANS.free, now: NOW, leaseMs: LEASE_MS };
    const first = await reserveScans(records, { ...request, units: 9 });
    await settleScans(records, first.id, 9);
    const second = await reserveScans(records, { ...request, units: 2 });
    expect(await readQuota(records, accountId, NOW)).toEqual({ used: 10, topupRemaining: 2 });

    await expect(reserveScans(records, { ...request, units: 3, list: true })).rejects.toThrow(
      'Insufficient scan quota: 2 scans remaining but 3 requested.',
    );
    await settleScans(records, second.id, 2);
    await reserveScans(records, { ...request, units: 2 });
    await expect(reserveScans(records, { ...request, units: 1 })).rejects.toMatchObject({
      status: 429,
      headers: {},
      message: '今月のスキャン上限に達しました（使用済み: 10 / 上限: 10）。',
    });
  });

  it('gives back what was not used, the top-up first, and closes a reservation once', async () => {
    const records = await open();
    const accountId = await account(records, 5);
    const { id } = await reserveScans(records, { accountId, plan: PLANS.free, units: 14, now: NOW, leaseMs: LEASE_MS });
    expect(await readQuota(records, accountId, NOW)).toEqual({ used: 10, topupRemaining: 1 });
    await settleScans(records, id, 7);
    await expect(settleScans(records, id, 14)).rejects.toThrow('Scan reservation is closed');
    expect(await releaseScans(records, id)).toBe(false);
    expect(await readQuota(records, accountId, NOW)).toEqual({ used: 7, topupRemaining: 5 });
    await expect(settleScans(records, 'unknown', 1)).rejects.toThrow('Scan reservation is closed');
  });

  it('counts an unlimited plan without ever refusing', async () => {
    const records = await open();
    const accountId = await account(records);
    const request = { accountId, plan: PLANS.enterprise, now: NOW, leaseMs: LEASE_MS };
    const { id } = await reserveScans(records, { ...request, units: 100_000 });
    await settleScans(records, id, 60_000);
    expect((await readQuota(records, accountId, NOW)).used).toBe(60_000);
  });

  it('takes nothing below zero when a plan shrinks under what is used', async () => {
    const records = await open();
    const accountId = await account(records, 1);
    const request = { accountId, now: NOW, leaseMs: LEASE_MS };
    await reserveScans(records, { ...request, plan: PLANS.pro, units: 500 });
    await reserveScans(records, { ...request, plan: PLANS.free, units: 1 });
    expect(await readQuota(records, accountId, NOW)).toEqual({ used: 500, topupRemaining: 0 });
    await expect(reserveScans(records, { ...request, plan: PLANS.free, units: 1 })).rejects.toThrow('500 / 上限: 10');
  });

  it('keeps what is written with a settlement only if it settles', async () => {
    const records = await open();
    const accountId = await account(records);
    const { id } = await reserveScans(records, { accountId, plan: PLANS.free, units: 1, now: NOW, leaseMs: LEASE_MS });
    const work = (name: string) =>
      records.transaction().execute(async (transaction) => {
        await createAccount(transaction, { name, planId: 'free' }, NOW);
        await settleScans(transaction, id, 1);
      });
    await work('first');
    await expect(work('second')).rejects.toThrow('Scan reservation is closed');
    const names = await records.selectFrom('accounts').select('name').orderBy('name').execute();
    expect(names.map(({ name }) => name)).toEqual(['Desk', 'first']);
    expect((await readQuota(records, accountId, NOW)).used).toBe(1);
  });

  it('never spends a unit twice under 60 requests at once', async () => {
    const records = await open();
    const accountId = await account(records, 4);
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () =>
        reserveScans(records, { accountId, plan: PLANS.free, units: 1, now: NOW, leaseMs: LEASE_MS }),
      ),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(14);
    expect(await readQuota(records, accountId, NOW)).toEqual({ used: 10, topupRemaining: 0 });
  });

  it('bills once when one reservation is settled and released at once', async () => {
    const records = await open();
    const accountId = await account(records);
    const { id } = await reserveScans(records, { accountId, plan: PLANS.free, units: 4, now: NOW, leaseMs: LEASE_MS });
    const closed = await Promise.all([
      ...Array.from({ length: 5 }, () => settled(records, id, 4)),
      ...Array.from({ length: 5 }, () => releaseScans(records, id)),
    ]);
    expect(closed.filter(Boolean)).toHaveLength(1);
    expect([0, 4]).toContain((await readQuota(records, accountId, NOW)).used);
  });

  it('gives back the reservations of a process that died, but not one that was renewed', async () => {
    const records = await open();
    const accountId = await account(records);
    const request = { accountId, plan: PLANS.free, units: 5, now: NOW, leaseMs: LEASE_MS };
    await reserveScans(records, request);
    const alive = await reserveScans(records, request);
    await renewReservation(records, alive.id, NOW + 10 * LEASE_MS);
    const later = NOW + LEASE_MS;

    const third = await reserveScans(records, { ...request, now: later });
    expect((await readQuota(records, accountId, later)).used).toBe(10);
    expect(await releaseExpired(records, later)).toBe(0);
    expect(await releaseExpired(records, NOW + 20 * LEASE_MS)).toBe(2);
    await expect(settleScans(records, third.id, 5)).rejects.toThrow('Scan reservation is closed');
    expect((await readQuota(records, accountId, later)).used).toBe(0);
  });

  it('settles a reservation in the month in which it was made', async () => {
    const records = await open();
    const accountId = await account(records);
    const before = Date.parse('2026-11-30T23:59:59Z');
    const after = Date.parse('2026-12-01T00:00:10Z');
    const request = { accountId, plan: PLANS.free, leaseMs: LEASE_MS };
    const { id } = await reserveScans(records, { ...request, units: 10, now: before });
    await reserveScans(records, { ...request, units: 10, now: after });
    await settleScans(records, id, 6);
    expect((await readQuota(records, accountId, before)).used).toBe(6);
    expect((await readQuota(records, accountId, after)).used).toBe(10);
  });

  it('agrees with a model after any sequence of reservations, settlements and lost processes', async () => {
    const records = await open();
    const step = fc.oneof(
      fc.record({ do: fc.constant('reserve' as const), units: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ do: fc.constant('settle' as const), at: fc.nat(9), units: fc.nat(8) }),
      fc.record({ do: fc.constant('release' as const), at: fc.nat(9) }),
      fc.record({ do: fc.constant('topup' as const), units: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 2 * LEASE_MS }) }),
    );
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const accountId = await account(records);
      const model = { used: 0, topup: 0, now: NOW };
      const open: { id: string; plan: number; topup: number; expires: number; closed: boolean }[] = [];
      const giveBack = (one: (typeof open)[number], units: number) => {
        const plan = Math.min(units, one.plan);
        model.used -= one.plan - plan;
        model.topup += one.topup - Math.min(units - plan, one.topup);
        one.closed = true;
      };
      const expire = () => {
        for (const one of open) if (!one.closed && one.expires <= model.now) giveBack(one, 0);
      };
      for (const one of steps) {
        if (one.do === 'wait') model.now += one.ms;
        if (one.do === 'topup') model.topup += (await topUp(records, accountId, one.units)) && one.units;
        if (one.do === 'reserve') {
          expire();
          const plan = Math.min(one.units, 10 - model.used);
          const topup = one.units - plan;
          const attempt = reserveScans(records, {
            accountId,
            plan: PLANS.free,
            units: one.units,
            now: model.now,
            leaseMs: LEASE_MS,
          });
          if (topup > model.topup) await expect(attempt).rejects.toThrow('今月');
          else {
            open.push({ id: (await attempt).id, plan, topup, expires: model.now + LEASE_MS, closed: false });
            model.used += plan;
            model.topup -= topup;
          }
        }
        const target = one.do === 'settle' || one.do === 'release' ? open[one.at] : undefined;
        if (target) {
          const units = one.do === 'settle' ? one.units : 0;
          const call = one.do === 'settle' ? settled(records, target.id, units) : releaseScans(records, target.id);
          expect(await call).toBe(!target.closed);
          if (!target.closed) giveBack(target, units);
        }
      }
      expire();
      expect(await readQuota(records, accountId, model.now)).toEqual({ used: model.used, topupRemaining: model.topup });
      expect(model.used).toBeLessThanOrEqual(10);
    });
    await fc.assert(property, { numRuns: 60, verbose: 1 });
  });
});
