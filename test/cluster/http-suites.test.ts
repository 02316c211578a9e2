import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { appStores } from '../app/app-stores.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';

// The suites of the embedded stores, word for word, on Neo4j, PostgreSQL and Redis.

let stores: ClusterStores;
beforeAll(async () => {
  stores = await leaseClusterStores();
  Object.assign(appStores, { empty: stores.empty, forgetLimits: stores.forgetLimits });
}, 600_000);
beforeEach(({ skip }) => {
  if (stores.missing) skip(stores.missing);
});
afterAll(() => stores?.release());

describe('scans on servers', async () => {
  await import('../routes/scan.test.ts');
});
describe('usage on servers', async () => {
  await import('../routes/usage.test.ts');
});
describe('keys on servers', async () => {
  await import('../routes/api-keys.test.ts');
});
