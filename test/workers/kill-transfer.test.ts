import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { readQuota } from '../../src/records/accounts/quota.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { putLabels } from '../labels/label-of.ts';
import { makeDataFolder } from '../setup/data-folder.ts';
import { startProcess } from './processes.ts';

const world = demoWorld();
/** Itself on the list, so that no trace, and no budget of one, decides the level. */
const listed = roleOf(world, 'ethereum', 'sanctioned').address;
const PATIENT = { interval: 100 };

let chains: ChainServers;
beforeAll(async () => {
  chains = await startChainServers(world);
});
afterAll(() => chains?.close());

/** Without a list of sanctions there is no level. */
async function loadLabels(settings: Record<string, string>): Promise<void> {
  const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  await putLabels(ctx.labels, world.labels);
  await ctx.close();
}

/** Where sources of the chain are asked: a node for the transaction, then an explorer for the history of who paid. */
const STAGES = [
  ['evmRpc', 'eth_getTransactionByHash'],
  ['etherscan', 'action=txlist&'],
] as const;

it.each(STAGES)(
  'a transfer is screened, billed and alerted once where a kill meets it as %s is asked for %s',
  { timeout: 240_000 },
  async (place, asked) => {
    const folder = makeDataFolder('kill-transfer');
    const stores = { ...chains.env, DATA_DIR: folder, PORT: '0' };
    await loadLabels(stores);
    const records = await openRecords({ path: join(folder, 'records.sqlite') });
    onTestFinished(() => records.destroy());
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'business' }, Date.now());
    const { key } = await insertKey(records, { accountId, name: 'test' }, Date.now());
    const settings = { ...stores, JOB_LEASE_MS: '1000', SCAN_TRACE_MS: '100', LOG_LEVEL: 'info' };
    const start = async () => {
      const service = await startProcess('/test/workers/service-process.ts', settings);
      const { url } = service.lines.find(({ msg }) => msg === 'working')!;
      const send = async (path: string, body: object) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const reply = await fetch(`${url}/api/v1${path}`, { method: 'POST', body: JSON.stringify(body), headers });
        expect(reply.ok, await reply.clone().text()).toBe(true);
        return reply.json();
      };
      return { ...service, send };
    };
    const transfer = () => records.selectFrom('screened_transfers').selectAll().executeTakeFirstOrThrow();
    const events = () => records.selectFrom('events').select(['type', 'payload']).orderBy('created_at').execute();

    const every = { all: [{ fact: 'score', operator: 'greaterThanInclusive', value: 0 }] };
    const paid = world.moves.ethereum.find(({ from, failed }) => from === listed && !failed)!;
    const source = chains.servers[place];
    const from = source.requests.length;
    source.inject({ match: asked, delayMs: 120_000 });
    const service = await start();
    await service.send('/rules', { name: 'Every', when: every, severity: 'high', mode: 'active' });
    await service.send('/transfers', {
      ...{ chain: 'ethereum', tx_hash: paid.txHash, direction: 'deposit', address: paid.to, reference: 'dep-1' },
    });
    // It was asked, and makes the screening wait.
    await expect.poll(() => source.requests.slice(from).some((line) => line.includes(asked)), PATIENT).toBe(true);
    await service.end('SIGKILL');
    expect((await transfer()).state).toBe('waiting');
    expect(await events()).toEqual([]);
    expect(await records.selectFrom('scans').select('id').execute()).toEqual([]);
    source.clearFaults();
    await start();
    await expect.poll(async () => (await transfer()).state, PATIENT).toBe('screened');
    expect(await transfer()).toMatchObject({ reference: 'dep-1', risk_level: 'CRITICAL' });
    await expect
      .poll(
        async () => (await records.selectFrom('jobs').select('status').execute()).map(({ status }) => status),
        PATIENT,
      )
      .toEqual(['completed']);
    const seen = (await events()).map(({ type }) => type).sort();
    expect(seen).toEqual(['scan.completed', 'watchlist.alert']);
    expect(await records.selectFrom('scans').select('units').execute()).toHaveLength(1);
    expect((await readQuota(records, accountId, Date.now())).used).toBe(1);
    const open = records.selectFrom('quota_reservations').selectAll().where('state', '=', 'reserved');
    expect(await open.execute()).toEqual([]);
  },
);
