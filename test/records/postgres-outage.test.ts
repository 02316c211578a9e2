import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { PLANS } from '../../src/plans.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { readQuota, releaseExpired, reserveScans, settleScans } from '../../src/records/accounts/quota.ts';
import { openRecords, pingRecords, type Records } from '../../src/records/database/database.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { findJob, insertJob } from '../../src/records/jobs/jobs.ts';
import { cannotFreeze, freezeServer } from '../setup/freeze.ts';
import { hurry } from '../setup/hurry.ts';
import { usePostgres } from './postgres.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const ENDED_CONNECTIONS = Number(process.env.ENDED_CONNECTIONS ?? 40);
const CLIENTS = 12;

vi.setConfig({ testTimeout: 180_000 });

const server = usePostgres();

/** Ends the connections of other clients to the database; how many there were. */
async function endConnections(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.length;
}

it(`loses ${ENDED_CONNECTIONS} connections under load: the process goes on, and no unit is billed twice or left reserved`, async () => {
  const databaseUrl = await server.newStore();
  const records = await openRecords({ databaseUrl, path: null });
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
  const outcomes = { billed: 0, refused: 0, unsure: 0 };
  let running = true;

  const billOne = async () => {
    const request = { accountId: account.id, plan: PLANS.enterprise, units: 1, now: NOW, leaseMs: 60_000 };
    const reserved = await reserveScans(records, request).catch(refuseOnlyUnavailable);
    if (!reserved) return void outcomes.refused++;
    const settled = await settleScans(records, reserved.id, 1).then(() => true, refuseOnlyUnavailable);
    // A connection may end between a commit and its answer.
    if (settled) outcomes.billed++;
    else outcomes.unsure++;
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (running) await billOne();
  });
  let ended = 0;
  while (ended < ENDED_CONNECTIONS) {
    await sleep(100);
    ended += await endConnections(admin);
  }
  running = false;
  await Promise.all(clients);

  expect(outcomes.billed).toBeGreaterThan(0);
  await expect
    .poll(() =>
      pingRecords(records).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const open = () => records.selectFrom('quota_reservations').select('id').where('state', '=', 'reserved').execute();
  await releaseExpired(records, NOW + 120_000);
  expect(await open()).toEqual([]);
  const { used } = await readQuota(records, account.id, NOW);
  expect(used).toBeGreaterThanOrEqual(outcomes.billed);
  expect(used).toBeLessThanOrEqual(outcomes.billed + outcomes.unsure);
  await admin.end();
  await records.destroy();
});

function refuseOnlyUnavailable(error: unknown): null {
  expect(error).toBeInstanceOf(UnavailableError);
  return null;
}

it('answers with 503 while the server is still frozen, and goes on by itself after', async ({ skip }) => {
  if (cannotFreeze) skip(cannotFreeze);
  const databaseUrl = await server.newStore();
  const records: Records = await openRecords({ databaseUrl, path: null });
  // All connections of the pool are open.
  await Promise.all(Array.from({ length: 20 }, () => pingRecords(records)));

  const resume = freezeServer(Number(new URL(databaseUrl).port));
  try {
    const ask = (i: number) => (i % 3 === 0 ? records.transaction().execute(pingRecords) : pingRecords(records));
    const outcomes = await hurry(() => Promise.allSettled(Array.from({ length: 30 }, (_, i) => ask(i))));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    }
  } finally {
    resume();
  }
  await expect
    .poll(() =>
      pingRecords(records).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await records.destroy();
});

it('takes no try from a job that could not be claimed while the server was frozen', async ({ skip }) => {
  if (cannotFreeze) skip(cannotFreeze);
  const databaseUrl = await server.newStore();
  const records: Records = await openRecords({ databaseUrl, path: null });
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
  const job = await insertJob(records, { accountId, type: 'async_scan', input: {}, total: 1 }, NOW);
  await Promise.all(Array.from({ length: 5 }, () => pingRecords(records)));

  const claim = () => claimJob(records, { type: 'async_scan', lanes: ['any'] }, NOW, 60_000);
  const resume = freezeServer(Number(new URL(databaseUrl).port));
  try {
    const claims = await hurry(() => Promise.allSettled([claim(), claim(), claim()]));
    for (const one of claims) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
  } finally {
    resume();
  }
  await expect.poll(() => claim().catch(() => undefined)).toMatchObject({ id: job.id });
  expect(await findJob(records, accountId, job.id)).toMatchObject({ attempts: 1, tries_left: 3 });
  await records.destroy();
});
