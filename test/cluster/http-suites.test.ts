import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { readParties, readRecipients } from '../../src/graph/queries/presign.ts';
import { appStores } from '../app/app-stores.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';

// These HTTP suites once more, word for word, on Neo4j, PostgreSQL and Redis: what they promise rests on the clock, the
// order and the locks of the servers. The rest is held by the contract suites of each port and by operations.test.ts.
const SUITES = ['app/access.test.ts', 'http/idempotency.test.ts', 'routes/monitoring/watch-to-webhook.test.ts'];

vi.setConfig({ testTimeout: 300_000 });

const TESTS = resolve(import.meta.dirname, '..');
let stores: ClusterStores;
beforeAll(async () => {
  stores = await leaseClusterStores();
  Object.assign(appStores, { empty: stores.empty, pass: stores.pass });
  if (!stores.missing) await planPresign(await stores.empty());
}, 600_000);
beforeEach(({ skip }) => {
  if (stores.missing) skip(stores.missing);
});
afterAll(async () => {
  for (const name of ['empty', 'pass'] as const) delete appStores[name];
  await stores?.release();
});

/** A server that has just started plans its first questions for longer than whoever waits to sign is made to wait. */
async function planPresign(settings: Record<string, string>): Promise<void> {
  const { graph, close } = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  const signer = { chain: 'ethereum', signer: 'nobody', usdMin: 1, recipientsMax: 1 } as const;
  const bounds = { counterpartiesMax: 1, recentMs: 0, timeoutMs: 60_000 };
  await readParties(graph, ['ethereum:nobody'], bounds);
  await readRecipients(graph, signer, 60_000);
  await close();
}

describe.each(SUITES)('%s on servers', async (suite) => {
  // By a name of its own: the suite itself may have run in this process before.
  await import(`${join(TESTS, suite)}?servers`);
});
