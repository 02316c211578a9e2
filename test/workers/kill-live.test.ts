import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { keepHeard } from '../../src/records/monitoring/live.ts';
import { findItem } from '../../src/records/monitoring/watchlist.ts';
import { leasePostgres, type TestPostgres } from '../records/postgres.ts';
import { watchItem } from '../records/watched-item.ts';
import { type Anvil, anvilMissing, startAnvil } from '../setup/anvil.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';
import { startFaultyNode } from './faulty-node.ts';
import { startProcess } from './processes.ts';

const PATIENT = { interval: 50 };

describe.skipIf(anvilMissing)('live watch by processes that are killed', () => {
  let anvil: Anvil;
  let redis: LeasedServer;
  let postgres: TestPostgres;

  beforeAll(async () => {
    // In the order of the suites that take both.
    postgres = await leasePostgres();
    redis = await leaseServer('redis');
    anvil = await startAnvil({ chainId: 1 });
  }, 600_000);
  afterAll(async () => {
    anvil?.stop();
    redis?.release();
    await postgres?.release();
  });

  it('alerts once what was heard before a kill in the middle of its scan', { timeout: 180_000 }, async ({ skip }) => {
    const reason = postgres.missing ?? redis.missing;
    if (reason) return skip(reason);
    const node = await startFaultyNode(anvil.url);
    const settings = {
      ...redis.settings,
      DATABASE_URL: await postgres.newStore(),
      ETHEREUM_RPC_URL: node.url,
      ETHEREUM_LIVE_URL: anvil.url,
      LOG_LEVEL: 'error',
    };
    const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }), { inMemory: true });
    onTestFinished(() => ctx.close());
    const { records } = ctx;
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'business' }, ctx.now());
    const [me, you] = anvil.accounts;
    // Watched and scanned for some minutes.
    const before = ctx.now() - 5 * MINUTE_MS;
    const id = await watchItem(records, accountId, {
      address: me!,
      last_risk_level: 'UNKNOWN',
      last_scanned_at: before,
      next_scan_at: ctx.now() + 50 * MINUTE_MS,
      live: 1,
      live_since: before,
      listened_since: before,
    });
    const row = () => findItem(records, accountId, id);
    const work = () => startProcess('/test/workers/worker-process.ts', settings);
    const alerts = async () => {
      const events = await records.selectFrom('events').selectAll().where('type', '=', 'watchlist.alert').execute();
      return events.map(({ payload }) => JSON.parse(payload)).filter((alert) => alert.reason === 'movement');
    };

    node.fault = 'held';
    await anvil.rpc('evm_setNextBlockTimestamp', [Math.floor(ctx.now() / 1_000)]);
    const paid = await anvil.send({ from: me!, to: you!, value: 3n * 10n ** 18n });
    const touches = [{ address: me!, txHash: paid.hash, block: paid.block }];
    const heard = { marks: new Map(), place: '[]', lastBlock: 0, head: 0, reorganisedFrom: null };
    await keepHeard(records, 'ethereum', { touches, ...heard }, ctx.now());
    const worker = await work();
    // A scan has begun and waits for the node.
    await expect.poll(async () => Number((await row()).busy_until), PATIENT).toBeGreaterThan(0);
    await worker.end('SIGKILL');
    node.fault = null;
    expect(await alerts()).toEqual([]);
    // As if its hold had ended with the minute.
    await records.updateTable('watchlist_items').set({ busy_until: 1 }).execute();
    await Promise.all([work(), work()]);
    await expect.poll(async () => (await alerts()).length, PATIENT).toBe(1);
    expect((await alerts())[0].movement).toMatchObject({ tx_hash: paid.hash, direction: 'sent', amount: '3' });
    // Scanned again: still one.
    const { last_scanned_at: last } = await row();
    await records.updateTable('watchlist_items').set({ next_scan_at: 0 }).execute();
    await expect.poll(async () => (await row()).last_scanned_at, PATIENT).not.toBe(last);
    expect(await alerts()).toHaveLength(1);
  });
});
