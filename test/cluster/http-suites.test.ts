import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { readParties, readRecipients } from '../../src/graph/queries/presign.ts';
import { appStores } from '../app/app-stores.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';

// Every HTTP suite of the embedded stores, word for word, on Neo4j, PostgreSQL and Redis.

vi.setConfig({ testTimeout: 300_000 });

const TESTS = resolve(import.meta.dirname, '..');
const suites = ['app', 'http', 'routes'].flatMap((folder) =>
  readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.test.ts') ? [join(folder, name)] : [],
  ),
);

let stores: ClusterStores;
beforeAll(async () => {
  stores = await leaseClusterStores();
  Object.assign(appStores, { empty: stores.empty, pass: stores.pass });
  if (!stores.missing) await planPresign(await stores.empty());
}, 600_000);
beforeEach(({ skip }) => {
  if (stores.missing) skip(stores.missing);
});
afterAll(() => stores?.release());

/** A server that has just started plans its first questions for longer than whoever waits to sign is made to wait. */
async function planPresign(settings: Record<string, string>): Promise<void> {
  const { graph, close } = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  const signer = { chain: 'ethereum', signer: 'nobody', usdMin: 1, recipientsMax: 1 } as const;
  const bounds = { counterpartiesMax: 1, recentSince: 0, timeoutMs: 60_000 };
  await readParties(graph, ['ethereum:nobody'], bounds);
  await readRecipients(graph, signer, 60_000);
  await close();
}

describe.each(suites)('%s on servers', async (suite) => {
  await import(join(TESTS, suite));
});
