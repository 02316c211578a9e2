import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { periodOf, readQuota } from '../../src/records/accounts/quota.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { usePostgres } from '../records/postgres.ts';
import { startProcess } from './processes.ts';

const LEASE_MS = 2_000;
const SERVICE = '/test/workers/service-process.ts';
let chains: ChainServers;
let saver: string;
beforeAll(async () => {
  const world = demoWorld();
  chains = await startChainServers(world);
  saver = roleOf(world, 'ethereum', 'clean_saver').address;
});
afterAll(() => chains?.close());

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-kill-request-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An account with one scan left in its month, and processes on its records. */
async function openDesk(databaseUrl?: string) {
  const folder = newFolder();
  const lease = { JOB_LEASE_MS: String(LEASE_MS), SCAN_TRACE_MS: '100' };
  const settings = { ...chains.env, ...lease, PORT: '0', LOG_LEVEL: 'info' };
  const records = await openRecords({ databaseUrl, path: databaseUrl ? null : join(folder, 'records.sqlite') });
  onTestFinished(() => records.destroy());
  const now = Date.now();
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, now);
  const { key } = await insertKey(records, { accountId, name: 'test' }, now);
  await records
    .insertInto('quota_months')
    .values({ account_id: accountId, period: periodOf(now), used: 9 })
    .execute();

  const serve = async (dataDir = folder) => {
    const store: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
    const service = await startProcess(SERVICE, { ...settings, ...store, DATA_DIR: dataDir });
    const url = service.lines.find(({ msg }) => msg === 'working')!.url as string;
    const scan = async () => {
      const reply = await fetch(`${url}/api/v1/public/scan`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'idempotency-key': 'order-1', 'content-type': 'application/json' },
        body: JSON.stringify({ address: saver, chain: 'ethereum', fresh: true }),
      });
      return { status: reply.status, text: await reply.text(), replayed: reply.headers.get('idempotency-replayed') };
    };
    return { ...service, scan };
  };
  const reserved = () =>
    records.selectFrom('quota_reservations').select('id').where('state', '=', 'reserved').execute();
  /** Resolves when a source has been asked and makes the request wait. */
  const waitAtSource = async (delayMs: number) => {
    const { etherscan } = chains.servers;
    const before = etherscan.requests.length;
    etherscan.inject({ delayMs });
    await expect.poll(() => etherscan.requests.length, { interval: 20 }).toBeGreaterThan(before);
    etherscan.clearFaults();
    expect(await reserved()).toHaveLength(1);
  };
  /** One scan was made and billed, and nothing is held back. */
  const checkBilledOnce = async () => {
    expect((await readQuota(records, accountId, Date.now())).used).toBe(10);
    expect(await records.selectFrom('scans').select('units').execute()).toEqual([{ units: 1 }]);
    expect(await reserved()).toEqual([]);
  };
  return { serve, waitAtSource, checkBilledOnce };
}

async function killWhileItScans(databaseUrl?: string) {
  const { serve, waitAtSource, checkBilledOnce } = await openDesk(databaseUrl);
  const first = await serve();
  const lost = first.scan().catch((error: Error) => error.name);
  await waitAtSource(10_000);
  await first.end('SIGKILL');
  expect(await lost).toBe('TypeError');

  const second = await serve();
  const repeated = await second.scan();
  expect([repeated.status, repeated.replayed]).toEqual([200, null]);
  const stored = await second.scan();
  expect([stored.text, stored.replayed]).toEqual([repeated.text, 'true']);
  await checkBilledOnce();
}

describe('a repetition after a kill runs in place of the first request, which is not billed', () => {
  it('on SQLite', { timeout: 120_000 }, () => killWhileItScans());

  describe('on PostgreSQL', () => {
    const server = usePostgres();

    it('in another process', { timeout: 120_000 }, async () => killWhileItScans(await server.newStore()));

    it('while the first process is frozen, which then neither bills nor answers for it', {
      timeout: 120_000,
    }, async () => {
      const { serve, waitAtSource, checkBilledOnce } = await openDesk(await server.newStore());
      const [frozen, other] = [await serve(), await serve(newFolder())];
      const late = frozen.scan();
      await waitAtSource(3_000);
      frozen.signal('SIGSTOP');
      const repeated = await other.scan();
      expect([repeated.status, repeated.replayed]).toEqual([200, null]);
      frozen.signal('SIGCONT');
      expect((await late).status).toBe(500);
      for (const process of [frozen, other]) {
        const stored = await process.scan();
        expect([stored.text, stored.replayed]).toEqual([repeated.text, 'true']);
      }
      await checkBilledOnce();
    });
  });
});
