import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { appStores } from '../app/app-stores.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';

// Every HTTP suite of the embedded stores, word for word, on Neo4j, PostgreSQL and Redis.

const TESTS = resolve(import.meta.dirname, '..');
const suites = ['app', 'http', 'routes'].flatMap((folder) =>
  readdirSync(join(TESTS, folder)).flatMap((name) => (name.endsWith('.test.ts') ? [join(folder, name)] : [])),
);

let stores: ClusterStores;
beforeAll(async () => {
  stores = await leaseClusterStores();
  Object.assign(appStores, { empty: stores.empty, pass: stores.pass });
}, 600_000);
beforeEach(({ skip }) => {
  if (stores.missing) skip(stores.missing);
});
afterAll(() => stores?.release());

describe.each(suites)('%s on servers', async (suite) => {
  await import(join(TESTS, suite));
});
